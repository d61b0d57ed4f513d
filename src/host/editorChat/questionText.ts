/** Turns a question in the editor's chat into one message: the user's words and what they attached. Pure. */

import { placeBefore } from "../../core/cutText.ts";
import { fenced } from "../tools/resultText.ts";

export type ChatReference =
  /** By its path in the workspace. */
  | { readonly kind: "file"; readonly path: string }
  /** A range of a file; lines count from 1. */
  | {
      readonly kind: "selection";
      readonly path: string;
      readonly firstLine: number;
      readonly lastLine: number;
      readonly text: string;
    }
  | { readonly kind: "text"; readonly text: string };

/** Limit for one attachment, in UTF-16 units; the model can read the rest with a tool. */
const MOST_CHARS = 20_000;

/** The words, followed by the attachments. Only what the user attached is added. */
export function questionText(prompt: string, added: readonly ChatReference[]): string {
  return [prompt.trim(), ...added.map(referenceText)].filter((part) => part !== "").join("\n\n");
}

function referenceText(added: ChatReference): string {
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
  const end = placeBefore(text, MOST_CHARS);
  const cut = end < text.length ? `\n… ${String(text.length - end)} more characters` : "";
  return fenced(`${text.slice(0, end)}${cut}`);
}
