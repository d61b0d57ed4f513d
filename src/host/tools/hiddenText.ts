/** Makes characters visible that a model reads and a user does not see. */

import { beginningOf } from "../../core/cutText.ts";
import { isolated, isolatedProse } from "../../protocol/rightToLeft.ts";
import { codeOf, hiddenInCommand, hiddenInData, hiddenSequence } from "../../protocol/hiddenSequence.ts";

const HIDDEN = new RegExp(hiddenInData.source, "gu");
/** In the texts of users and models, and what no name of a file may hold. */
export const HIDDEN_IN_PROSE = new RegExp(hiddenSequence.source, "gu");
/** Characters that are not allowed in a command. */
export const HIDDEN_IN_COMMAND = new RegExp(hiddenInCommand.source, "gu");
const LAYOUT = /[\t\n\r]/g;

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
    return characters.map(codeMark).join("");
  });
  return { text: visible, hiddenCount };
}

export function hasHidden(text: string, hidden = HIDDEN_IN_PROSE): boolean {
  return text.search(hidden) >= 0;
}

/** Text for one line of the user interface: hidden and control characters made visible, cut at `most` UTF-16 units. */
export function onOneLine(text: string, most = 200): string {
  const shown = makeVisible(beginningOf(text, most)).text.replace(LAYOUT, codeMark);
  return text.length > most ? `${shown}…` : shown;
}

/** A name that others gave, as part of a line in a list of the editor: right-to-left words stay in place, no icons. */
export function nameInList(name: string): string {
  return isolated(withoutIcons(onOneLine(name)));
}

/** A sentence that others may have written, likewise. */
export function proseInList(text: string): string {
  return isolatedProse(withoutIcons(onOneLine(text, 500)));
}

/** The same in a message of the editor, which would draw `[words](address)` as a link, too. */
export function proseInMessage(text: string): string {
  return proseInList(text).replaceAll("](", "]\u2060(");
}

/** Breaks up `$(name)`, which a list would draw as an icon. */
export function withoutIcons(text: string): string {
  return text.replaceAll("$(", "$\u2060(");
}

/** The same for several lines: line feeds and tabs stay. */
export function onSeveralLines(text: string): string {
  return makeVisible(text).text.replaceAll("\r", codeMark);
}

function codeMark(character: string): string {
  return `[${codeOf(character)}]`;
}
