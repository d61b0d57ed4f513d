/**
 * What of the results of tools is sent: all of a result of ordinary size, head and tail of a larger one. The whole result
 * stays in the history, where `recall_history` finds it. The form that is sent depends on the message alone, so it is the
 * same in every request and for every model, and its tokens are counted once, when the message enters the history.
 */

import type { MessageId } from "../ids.ts";
import type { Message, Part, ToolResultPart } from "../message.ts";
import { excerptText, utf8Length } from "./excerpts.ts";

/** The most of one result, in bytes of UTF-8: some hundred lines of code. */
export const MOST_OF_A_RESULT = 32_768;
/** The most of all results of one message together. */
export const MOST_OF_ALL_RESULTS = 131_072;

/** The message as it is sent when nothing forces it to be shorter; the same object when that is all of it. */
export function sentForm(message: Message, id: MessageId): Message {
  const results = message.parts.filter((part): part is ToolResultPart => part.kind === "toolResult");
  if (results.length === 0) return message;
  const bytes = limitOfEach(results.map(({ text }) => sizeUpTo(text, MOST_OF_A_RESULT + 1)));
  if (results.every(({ text }) => sizeUpTo(text, bytes + 1) <= bytes)) return message;
  const cut = (part: Part): Part =>
    part.kind === "toolResult" ? { ...part, text: excerptText(part.text, bytes, leftOutNote(part.text, id)) } : part;
  return { ...message, parts: message.parts.map(cut) };
}

/** The largest limit of one result with which all of them together stay within theirs; small ones leave room to others. */
function limitOfEach(sizes: readonly number[]): number {
  let room = MOST_OF_ALL_RESULTS;
  let left = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    const share = Math.floor(room / left);
    if (size > share) return Math.min(share, MOST_OF_A_RESULT);
    room -= size;
    left--;
  }
  return MOST_OF_A_RESULT;
}

/** Bytes of a text in UTF-8; of a long one only that it has `most` or more. */
function sizeUpTo(text: string, most: number): number {
  return text.length >= most ? most : utf8Length(text);
}

function leftOutNote(text: string, id: MessageId): string {
  const length = text.length.toLocaleString("en-US");
  return `\n\n[… cut here: the whole result has ${length} characters. Ask \`recall_history\` for message ${String(id)} …]\n\n`;
}
