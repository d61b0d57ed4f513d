/** Excerpts of texts that are too long to send: head and tail, and a note on how much the history holds. */

import { placeAfter, placeBefore } from "../../cutText.ts";
import { type MessageId, messageNumber } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";

/** Tool results are in a batch and do not begin it. */
export function isToolResult(entry: Pick<HistoryEntry, "id" | "batch">): boolean {
  return entry.batch !== undefined && entry.batch !== entry.id;
}

/**
 * Head and tail of `text` around `note`, together at most `bytes` of UTF-8; `text` itself if it is no longer. Reads no
 * more of the text than it returns.
 */
export function excerptText(text: string, bytes: number, note: string): string {
  if (text.length <= bytes && utf8Length(text) <= bytes) return text;
  const room = bytes - utf8Length(note);
  if (room < 0) return headOf("…", Math.max(bytes, 3));
  const head = headOf(text, Math.ceil(room / 2));
  return head + note + tailOf(text, room - utf8Length(head));
}

/** Tokens that a counter may add for a part: the id of a result or call, the markers of an attachment, its place. */
export const PART_FRAME_TOKENS = 12;
/** Upper bound, in both encodings, for the shortest note: it says only how to get the whole. */
export const SHORTEST_NOTE_TOKENS = 24;
/** Smallest excerpt of a message without results and calls. */
export const SHORTEST_EXCERPT_TOKENS = PART_FRAME_TOKENS + SHORTEST_NOTE_TOKENS;
/** Smallest form of a call: the frame, a name of 64 characters, an input that tells where the whole is. */
export const SHORTEST_CALL_TOKENS = PART_FRAME_TOKENS + 64 + SHORTEST_NOTE_TOKENS;

export function lengthNote(tokens: number): string {
  return `\n… ${tokens.toLocaleString("en-US")} tokens kept in the history, ask \`recall_history\` …\n`;
}

/** Replaces a text of which nothing else can be sent. */
export function recallNote(id: MessageId): string {
  return `… ask \`recall_history\` for message ${messageNumber(id)} …`;
}

function headOf(text: string, bytes: number): string {
  let left = bytes;
  let end = 0;
  for (const character of text) {
    left -= utf8Length(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, placeBefore(text, end));
}

function tailOf(text: string, bytes: number): string {
  let left = bytes;
  let start = text.length;
  while (start > 0) {
    const width = isLowSurrogate(text, start - 1) && start > 1 ? 2 : 1;
    left -= utf8Length(text.slice(start - width, start));
    if (left < 0) break;
    start -= width;
  }
  return text.slice(placeAfter(text, start));
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The largest limit per text with which all together stay within `room`; small ones leave room to others. */
export function fairLimitPerText(sizes: readonly number[], room: number): number {
  let left = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    const share = Math.floor(room / left);
    if (size > share) return share;
    room -= size;
    left--;
  }
  return Infinity;
}

/** UTF-8 bytes of a text; of a long text only the lower bound `most`. */
export function boundedUtf8Length(text: string, most: number): number {
  return text.length >= most ? most : utf8Length(text);
}

/** UTF-8 bytes; a lone surrogate counts as three, like U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else {
      const isPair = unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text, index + 1);
      bytes += isPair ? 4 : 3;
      if (isPair) index++;
    }
  }
  return bytes;
}
