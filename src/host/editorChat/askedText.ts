/** What the user asked in the editor's own chat, as one message: their words, and what they added to them. Pure. */

import { fenced } from "../tools/resultText.ts";

/** Something that the user added to the question. */
export type Added =
  /** A file or folder, by its path in the workspace. */
  | { readonly kind: "file"; readonly path: string }
  /** A stretch of a file; lines count from 1. */
  | {
      readonly kind: "selection";
      readonly path: string;
      readonly firstLine: number;
      readonly lastLine: number;
      readonly text: string;
    }
  | { readonly kind: "text"; readonly text: string };

/** Of one thing that was added; the rest can be read with a tool. */
const MOST_CHARS = 20_000;

/** The words, and behind them what was added. Nothing is added for the user: only what they attached themselves. */
export function askedText(prompt: string, added: readonly Added[]): string {
  return [prompt.trim(), ...added.map(addedText)].filter((part) => part !== "").join("\n\n");
}

function addedText(added: Added): string {
  switch (added.kind) {
    case "file":
      return `Attached: ${added.path}`;
    case "selection": {
      const { path, firstLine, lastLine } = added;
      const lines = firstLine === lastLine ? `line ${String(firstLine)}` : `lines ${firstLine}–${lastLine}`;
      return `Attached: ${path}, ${lines}\n\n${quoted(added.text)}`;
    }
    case "text":
      return added.text.trim() === "" ? "" : quoted(added.text);
  }
}

function quoted(text: string): string {
  const cut = text.length > MOST_CHARS ? `\n… ${String(text.length - MOST_CHARS)} more characters` : "";
  return fenced(`${text.slice(0, MOST_CHARS)}${cut}`);
}
