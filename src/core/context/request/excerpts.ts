/** The text of an excerpt: head and tail of what is too long, and how much of it the history holds. */

import { type MessageId, messageNumber } from "../../ids.ts";
import type { HistoryEntry, Message, Part } from "../../message.ts";
import type { TokenCosts } from "../tokenCosts.ts";

/** Whether a message holds results of tools: it is in a batch and does not begin it. */
export function isToolResult(entry: Pick<HistoryEntry, "id" | "batch">): boolean {
  return entry.batch !== undefined && entry.batch !== entry.id;
}

/**
 * The message with its texts cut so that its content takes at most `contentTokens`, whatever they are: no tokenizer makes
 * more tokens of a text than it has bytes in UTF-8. Short ones leave room to others; what would be too short to say anything
 * says how to get it. A picture beside a result gives way to a line that says so.
 */
export function excerptMessage(
  message: Message,
  entry: Pick<HistoryEntry, "id" | "tokens" | "partCount">,
  { contentTokens, costs }: { readonly contentTokens: number; readonly costs: TokenCosts },
): Message {
  const { parts } = message;
  const room = Math.max(0, Math.floor(contentTokens / costs.formula.ratio) - parts.length * TOKENS_AROUND_A_RESULT);
  const sizes = parts.map((part) => ("text" in part ? sizeUpTo(part.text, room + 1) : room + 1));
  const least = entry.partCount === undefined ? 0 : LEAST_TOKENS; // an earlier version planned no room for so much of each
  const bytes = Math.max(least, limitOfEach(sizes, room));
  const where = leastNote(entry.id);
  // How many tokens each of several has is not known.
  const note = parts.length === 1 ? keptNote(entry.tokens[costs.formula.encoding]) : `\n${where}\n`;
  const cutText = (text: string): string => {
    if (sizeUpTo(text, bytes + 1) <= bytes) return text;
    if (utf8Length(note) <= bytes) return excerptText(text, bytes, note);
    return bytes >= LEAST_TOKENS ? where : bytes >= utf8Length("…") ? "…" : "";
  };
  const cut = (part: Part): Part => {
    if (part.kind === "image") return { kind: "text", text: "[picture]" };
    return "text" in part ? { ...part, text: cutText(part.text) } : part;
  };
  return { ...message, parts: parts.map(cut) };
}

/**
 * Head and tail of `text` around `note`, together at most `bytes` in UTF-8; the text itself when it is no longer. Looks at
 * no more of the text than it keeps.
 */
export function excerptText(text: string, bytes: number, note: string): string {
  if (text.length <= bytes && utf8Length(text) <= bytes) return text;
  const room = bytes - utf8Length(note);
  if (room < 0) return headOf("…", Math.max(bytes, 3));
  const head = headOf(text, Math.ceil(room / 2));
  return head + note + tailOf(text, room - utf8Length(head));
}

/** What a counter may add for a result's id and its place in the message. */
export const TOKENS_AROUND_A_RESULT = 12;
/** The most that the shortest note counts, in both encodings: it says only how to get the whole. */
export const LEAST_TOKENS = 24;

function keptNote(tokens: number): string {
  return `\n… ${tokens.toLocaleString("en-US")} tokens kept in the history, ask \`recall_history\` …\n`;
}

/** Stands for a result of which nothing else can be sent. */
function leastNote(id: MessageId): string {
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
  return text.slice(0, end);
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
  return text.slice(start);
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** The largest limit of one text with which all of them together stay within `room`; small ones leave room to others. */
export function limitOfEach(sizes: readonly number[], room: number): number {
  let left = sizes.length;
  for (const size of sizes.toSorted((a, b) => a - b)) {
    const share = Math.floor(room / left);
    if (size > share) return share;
    room -= size;
    left--;
  }
  return Infinity;
}

/** Bytes of a text in UTF-8; of a long one only that it has `most` or more. */
export function sizeUpTo(text: string, most: number): number {
  return text.length >= most ? most : utf8Length(text);
}

/** Bytes in UTF-8; a lone surrogate takes three, as U+FFFD does. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
