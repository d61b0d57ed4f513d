/** Excerpts of what is too long to send: head and tail, and a note on how much the history holds. */

import { placeAfter, placeBefore } from "../../cutText.ts";
import { type MessageId, messageNumber } from "../../ids.ts";
import type { HistoryEntry, Message, Part } from "../../message.ts";
import type { TokenCosts } from "../tokenCosts.ts";

/** Tool results are in a batch and do not begin it. */
export function isToolResult(entry: Pick<HistoryEntry, "id" | "batch">): boolean {
  return entry.batch !== undefined && entry.batch !== entry.id;
}

/**
 * `message` with its texts truncated so that its content takes at most `contentTokens`, whatever the texts are: no
 * tokenizer makes more tokens of a text than its UTF-8 bytes. Short texts leave room to longer ones; a text that would
 * be too short to be of use says how to get it. An image beside a result becomes a line of text.
 */
export function excerptMessage(
  message: Message,
  entry: Pick<HistoryEntry, "id" | "tokens" | "partCount">,
  { contentTokens, costs }: { readonly contentTokens: number; readonly costs: TokenCosts },
): Message {
  const { parts } = message;
  const room = Math.max(0, Math.floor(contentTokens / costs.formula.ratio) - parts.length * RESULT_FRAME_TOKENS);
  const sizes = parts.map((part) => ("text" in part ? boundedUtf8Length(part.text, room + 1) : room + 1));
  // Entries of an earlier version have no count; no note for each part was planned for them.
  const least = entry.partCount === undefined ? 0 : SHORTEST_NOTE_TOKENS;
  const bytes = Math.max(least, fairLimitPerText(sizes, room));
  const where = recallNote(entry.id);
  // Token counts are known per message, not per part.
  const note = parts.length === 1 ? lengthNote(entry.tokens[costs.formula.encoding]) : `\n${where}\n`;
  const truncateText = (text: string): string => {
    if (boundedUtf8Length(text, bytes + 1) <= bytes) return text;
    if (utf8Length(note) <= bytes) return excerptText(text, bytes, note);
    return bytes >= SHORTEST_NOTE_TOKENS ? where : bytes >= utf8Length("…") ? "…" : "";
  };
  const truncatePart = (part: Part): Part => {
    if (part.kind === "image") return { kind: "text", text: "[picture]" };
    return "text" in part ? { ...part, text: truncateText(part.text) } : part;
  };
  return { ...message, parts: parts.map(truncatePart) };
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

/** Tokens that a counter may add for a result's id and its place in the message. */
export const RESULT_FRAME_TOKENS = 12;
/** Upper bound, in both encodings, for the shortest note: it says only how to get the whole. */
export const SHORTEST_NOTE_TOKENS = 24;

function lengthNote(tokens: number): string {
  return `\n… ${tokens.toLocaleString("en-US")} tokens kept in the history, ask \`recall_history\` …\n`;
}

/** Replaces a result of which nothing else can be sent. */
function recallNote(id: MessageId): string {
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
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
