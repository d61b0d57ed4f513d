/** Characters that a reader does not see while a model reads them, made visible. */

import { codeOf, hiddenInCommand, hiddenSequence } from "../../protocol/hiddenSequence.ts";

const HIDDEN = new RegExp(hiddenSequence.source, "gu");
/** What a command that is to be run must not hold. */
export const HIDDEN_IN_COMMAND = new RegExp(hiddenInCommand.source, "gu");
/** C0 and C1. */
const CONTROL = /\p{Cc}/gu;

/** A text in which nothing is hidden, and how many characters were. */
export interface VisibleText {
  readonly text: string;
  readonly hiddenCount: number;
}

/** Replaces each hidden character by its code point: `[U+202E]`. */
export function makeVisible(text: string, hidden = HIDDEN): VisibleText {
  let hiddenCount = 0;
  const visible = text.replace(hidden, (sequence) => {
    const characters = Array.from(sequence);
    hiddenCount += characters.length;
    return characters.map(marked).join("");
  });
  return { text: visible, hiddenCount };
}

/** Whether something in a text is hidden. */
export function hasHidden(text: string, hidden = HIDDEN): boolean {
  return text.search(hidden) >= 0;
}

/** A text as part of one line that a user reads: nothing hidden, no control characters, at most `most` UTF-16 units. */
export function onOneLine(text: string, most = 200): string {
  const shown = codesIn(text.slice(0, most)).replace(CONTROL, marked);
  return text.length > most ? `${shown}…` : shown;
}

/** A text of several lines that a user reads: line ends and tabs stay, nothing else is hidden. */
export function onSeveralLines(text: string): string {
  return codesIn(text).replace(CONTROL, (character) =>
    character === "\n" || character === "\t" ? character : marked(character),
  );
}

function codesIn(text: string): string {
  return makeVisible(text).text;
}

function marked(character: string): string {
  return `[${codeOf(character)}]`;
}
