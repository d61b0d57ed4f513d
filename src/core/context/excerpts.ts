/**
 * Oversized tool results among the messages that are always sent are sent as bounded excerpts: head, tail, and how much is
 * kept in the history. Only where the request would not fit otherwise, the largest first.
 */

import type { MessageId } from "../ids.ts";
import type { HistoryEntry, Message, Part } from "../message.ts";
import type { TokenCosts } from "./tokenCosts.ts";

/** Which messages are cut, what each of them costs in the request then, framing included, and what that saves. */
export interface PlannedExcerpts {
  readonly tokensOf: ReadonlyMap<MessageId, number>;
  readonly savedTokens: number;
}

/** Content of an excerpt: a sixteenth of the budget, so that a few of them leave room for the rest. */
export function excerptTokens(budgetTokens: number): number {
  return Math.max(128, Math.min(8_192, Math.floor(budgetTokens / 16)));
}

/**
 * Which of `entries` have to be cut so that `excessTokens` or more are saved: results of tools, the largest first. Cuts all
 * that can be when even that is not enough.
 */
export function planExcerpts(
  entries: readonly HistoryEntry[],
  costs: TokenCosts,
  need: { readonly excessTokens: number; readonly budgetTokens: number },
): PlannedExcerpts {
  const tokens = costs.framed(excerptTokens(need.budgetTokens));
  const candidates = entries
    .filter((entry) => isToolResult(entry) && costs.ofEntry(entry) > tokens)
    .sort((one, other) => costs.ofEntry(other) - costs.ofEntry(one) || one.id - other.id);
  const tokensOf = new Map<MessageId, number>();
  let savedTokens = 0;
  for (const entry of candidates) {
    if (savedTokens >= need.excessTokens) break;
    tokensOf.set(entry.id, tokens);
    savedTokens += costs.ofEntry(entry) - tokens;
  }
  return { tokensOf, savedTokens };
}

/** Whether a message holds results of tools: it is in a batch and does not begin it. */
export function isToolResult(entry: Pick<HistoryEntry, "id" | "batch">): boolean {
  return entry.batch !== undefined && entry.batch !== entry.id;
}

/**
 * The message with its texts cut so that its content takes at most `contentTokens`, whatever they are: no tokenizer makes
 * more tokens of a text than it has bytes in UTF-8. A picture beside a result gives way to a line that says so.
 */
export function excerptMessage(
  message: Message,
  entry: Pick<HistoryEntry, "tokens">,
  { contentTokens, costs }: { readonly contentTokens: number; readonly costs: TokenCosts },
): Message {
  const share = contentTokens / costs.formula.ratio / Math.max(1, message.parts.length);
  const bytes = Math.max(0, Math.floor(share) - TOKENS_AROUND_A_RESULT);
  const note = keptNote(entry.tokens[costs.formula.encoding]);
  const cut = (part: Part): Part => {
    if (part.kind === "image") return { kind: "text", text: excerptText("[picture]", bytes, note) };
    return "text" in part ? { ...part, text: excerptText(part.text, bytes, note) } : part;
  };
  return { ...message, parts: message.parts.map(cut) };
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
const TOKENS_AROUND_A_RESULT = 12;

function keptNote(tokens: number): string {
  return `\n… ${tokens.toLocaleString("en-US")} tokens kept in the history, ask \`recall_history\` …\n`;
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

/** Bytes in UTF-8; a lone surrogate takes three, as U+FFFD does. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
