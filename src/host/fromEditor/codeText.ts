/** Message texts for code that is sent from the editor, in the user's language. Pure. */

import { beginningOf } from "../../core/cutText.ts";
import { localize, plural } from "../../protocol/localize.ts";

export interface CodePlace {
  /** Relative to the workspace folder, or the name of a file outside of any. */
  readonly path: string;
  /** Of a notebook; counted from 1, as lines in it are. */
  readonly cell?: number;
  /** Language of the code fence; may be empty. */
  readonly language: string;
  /** Counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  readonly text: string;
}

/** Longer code is truncated: the question is about a part of a file, and tools can read the rest. */
const MOST_CHARS = 100_000;

/** The code below its location, for a message that the user is about to write. */
export function codeText(place: CodePlace): string {
  return `${locationText(place)}:\n\n${fenced(place)}`;
}

/** Asks for an explanation. */
export function explainText(place: CodePlace): string {
  return `${localize("Explain this code, {0}:", locationText(place))}\n\n${fenced(place)}`;
}

/** Asks for a fix; `problems` are the editor's diagnostics with their line numbers. */
export function fixText(place: CodePlace, problems: readonly string[]): string {
  const list = problems.map((problem) => `- ${problem.replace(/\s+/g, " ").trim()}`).join("\n");
  const what = plural(problems.length, "Fix this problem in {1}:", "Fix these problems in {1}:", locationText(place));
  return `${what}\n\n${list}\n\n${fenced(place)}`;
}

/** `path` is as it is to be shown. */
export function cellLocation(path: string, cell: number, firstLine: number, lastLine: number): string {
  return firstLine === lastLine
    ? localize("{0}, cell {1}, line {2}", path, cell, firstLine)
    : localize("{0}, cell {1}, lines {2}–{3}", path, cell, firstLine, lastLine);
}

function locationText({ path, cell, firstLine, lastLine }: CodePlace): string {
  if (cell !== undefined) return cellLocation(inCode(path), cell, firstLine, lastLine);
  return firstLine === lastLine
    ? localize("{0}, line {1}", inCode(path), firstLine)
    : localize("{0}, lines {1}–{2}", inCode(path), firstLine, lastLine);
}

function inCode(path: string): string {
  return path.includes("`") ? JSON.stringify(path) : `\`${path}\``;
}

function fenced({ language, text }: CodePlace): string {
  const cut = text.length > MOST_CHARS ? `${beginningOf(text, MOST_CHARS)}\n[${localize("cut here")}]` : text;
  const longest = Math.max(2, ...[...cut.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const end = cut.endsWith("\n") ? "" : "\n";
  return `${fence}${/^[\w+#.-]+$/.test(language) ? language : ""}\n${cut}${end}${fence}`;
}
