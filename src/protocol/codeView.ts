/** Protocol for code blocks in answers, and for the files that answers name. */

/**
 * Inserts the code at the cursor, opens it as a new file, applies it to the file that it belongs to (shown as a diff
 * first), runs it, or shows the diagram that it describes.
 */
export type CodeAction = "insert" | "newFile" | "apply" | "run" | "diagram";

/** Webview -> host. Answers are untrusted: the host checks each path and shows each command before it is run. */
export type CodeToHost =
  /**
   * An action on a code block. `text` is what the reader sees in it, `language` the word after the fence, `path` the
   * file that the block names; both may be empty.
   */
  | {
      readonly kind: "code";
      readonly act: CodeAction;
      readonly text: string;
      readonly language: string;
      readonly path: string;
    }
  /** Requests which of these names are in the workspace; at most {@link MAX_FILE_NAMES}. */
  | { readonly kind: "findFiles"; readonly paths: readonly string[] }
  /** The name of a file was clicked; `line` and `column` are one-based, 0 when not given. */
  | { readonly kind: "openFile"; readonly path: string; readonly line: number; readonly column: number };

/** Host -> webview: the requested names that are in the workspace. */
export interface CodeToView {
  readonly kind: "files";
  readonly paths: readonly string[];
}

/** Per `findFiles`. */
export const MAX_FILE_NAMES = 60;
/** In UTF-16 units. */
export const MAX_PATH_LENGTH = 400;
/** In UTF-16 units. */
export const MAX_CODE_LENGTH = 1_000_000;

const SHELLS = /^(?:bash|batch?|cmd|console|fish|powershell|ps1|pwsh|sh|shell|shellsession|terminal|zsh)$/i;

export function isDiagram(language: string): boolean {
  return language.toLowerCase() === "mermaid";
}

export function isForShell(language: string): boolean {
  return SHELLS.test(language);
}
