/** What the view and the host say to each other of code in answers, and of the files that answers name. */

/**
 * Puts it where the cursor is, into a new file, into the file that it belongs to (shown as a diff first), runs it, or
 * shows it as the diagram that it describes.
 */
export type CodeAct = "insert" | "newFile" | "apply" | "run" | "diagram";

/** View -> host. What an answer says is data: the host checks each path and shows each command before it is run. */
export type CodeToHost =
  /**
   * The reader wants something done with a block of code. `text` is what they see in it, `language` the word behind the
   * fence, `path` the file that the block names; both may be empty.
   */
  | {
      readonly kind: "code";
      readonly act: CodeAct;
      readonly text: string;
      readonly language: string;
      readonly path: string;
    }
  /** Which of these, named in what is shown, are in the workspace? At most {@link MOST_FILE_NAMES} of them. */
  | { readonly kind: "findFiles"; readonly paths: readonly string[] }
  /** A name of a file was clicked; lines and columns count from 1, 0 where none is named. */
  | { readonly kind: "openFile"; readonly path: string; readonly line: number; readonly column: number };

/** Host -> view: those of the names asked for that are in the workspace; the others are not. */
export interface CodeToView {
  readonly kind: "files";
  readonly paths: readonly string[];
}

/** Names of files in one question. */
export const MOST_FILE_NAMES = 60;
/** Longest name of a file, in UTF-16 units. */
export const MOST_PATH_LENGTH = 400;
/** Longest block of code that something is done with, in UTF-16 units. */
export const MOST_CODE_LENGTH = 1_000_000;

const SHELLS = /^(?:bash|batch?|cmd|console|fish|powershell|ps1|pwsh|sh|shell|shellsession|terminal|zsh)$/i;

/** Whether code with this word behind its fence describes a diagram. */
export function isDiagram(language: string): boolean {
  return language.toLowerCase() === "mermaid";
}

/** Whether code with this word behind its fence is for a shell. */
export function isForShell(language: string): boolean {
  return SHELLS.test(language);
}
