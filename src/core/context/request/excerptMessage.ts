/** The excerpt of a message that is too long to send whole. */

import type { HistoryEntry, Message, Part } from "../../message.ts";
import { imageTokens } from "../../tokens/tokenCounter.ts";
import type { TokenCosts } from "../tokenCosts.ts";
import {
  boundedUtf8Length,
  excerptText,
  fairLimitPerText,
  lengthNote,
  PART_FRAME_TOKENS,
  recallNote,
  SHORTEST_NOTE_TOKENS,
  utf8Length,
} from "./excerpts.ts";
import { shorterInput } from "./shorterInput.ts";

/**
 * `message` with its texts and the inputs of its calls truncated so that its content takes at most `contentTokens`,
 * whatever they are: no tokenizer makes more tokens of a text than its UTF-8 bytes. Short texts leave room to longer
 * ones; a text that would be too short to be of use says how to get it. Pictures and thinking stay where there is room.
 */
export function excerptMessage(
  message: Message,
  entry: Pick<HistoryEntry, "id" | "batch" | "tokens" | "partCount">,
  { contentTokens, costs }: { readonly contentTokens: number; readonly costs: TokenCosts },
): Message {
  const room = Math.floor(contentTokens / costs.ratioOf(entry));
  const isOfResults = message.parts.some(({ kind }) => kind === "toolResult");
  const kept = withoutLarge(message.parts, room);
  const parts = isOfResults ? kept : joinedTexts(kept, room);
  const roomForTexts = Math.max(0, room - sum(parts, fixedTokensOf));
  const sizes = parts.flatMap((part) => textsIn(part).map((text) => boundedUtf8Length(text, roomForTexts + 1)));
  // Entries of an earlier version have no count; no note for each result was planned for them.
  const least = isOfResults && entry.partCount !== undefined ? SHORTEST_NOTE_TOKENS : 0;
  const bytes = Math.max(least, fairLimitPerText(sizes, roomForTexts));
  const where = recallNote(entry.id);
  // Token counts are known per message, not per part.
  const note = parts.length === 1 ? lengthNote(entry.tokens[costs.formula.encoding]) : `\n${where}\n`;
  const truncateText = (text: string): string => {
    if (boundedUtf8Length(text, bytes + 1) <= bytes) return text;
    if (utf8Length(note) <= bytes) return excerptText(text, bytes, note);
    return bytes >= SHORTEST_NOTE_TOKENS ? where : bytes >= utf8Length("…") ? "…" : "";
  };
  const truncatePart = (part: Part): Part => {
    if (part.kind === "image" || part.kind === "thinking") return part;
    if (part.kind === "toolCall") return { ...part, inputJson: shorterInput(part.inputJson, bytes, where) };
    return { ...part, text: truncateText(part.text) };
  };
  return { ...message, parts: parts.map(truncatePart) };
}

/** Pictures and thinking are sent whole or not at all: only if they leave half of the room, and a note for all else. */
function withoutLarge(parts: readonly Part[], room: number): readonly Part[] {
  const large = parts.filter(({ kind }) => kind === "image" || kind === "thinking");
  const others = sum(parts, (part) => (large.includes(part) ? 0 : fixedTokensOf(part) + SHORTEST_NOTE_TOKENS));
  const largeTokens = sum(large, fixedTokensOf);
  if (largeTokens <= room / 2 && largeTokens + others <= room) return parts;
  return parts.flatMap((part): readonly Part[] => {
    if (part.kind === "image") return [{ kind: "text", text: "[picture]" }];
    return part.kind === "thinking" ? [] : [part];
  });
}

/** One text instead of several where a note for each would take more than half of the room. */
function joinedTexts(parts: readonly Part[], room: number): readonly Part[] {
  const texts = parts.flatMap((part) => (part.kind === "text" || part.kind === "attachment" ? [part] : []));
  const [first] = texts;
  if (sum(texts, (part) => fixedTokensOf(part) + SHORTEST_NOTE_TOKENS) <= room / 2) return parts;
  const text = texts
    .map((part) => (part.kind === "attachment" ? `${part.label}\n${part.text}` : part.text))
    .join("\n\n");
  return parts.flatMap((part): readonly Part[] => {
    if (part === first) return [{ kind: "text", text }];
    return part.kind === "text" || part.kind === "attachment" ? [] : [part];
  });
}

/** Most tokens that no truncation saves. */
function fixedTokensOf(part: Part): number {
  switch (part.kind) {
    case "image":
      return imageTokens(part);
    case "thinking":
      return utf8Length(part.text);
    case "toolCall":
      return PART_FRAME_TOKENS + utf8Length(part.name);
    case "attachment":
      return PART_FRAME_TOKENS + utf8Length(part.label);
    case "text":
    case "toolResult":
      return PART_FRAME_TOKENS;
  }
}

/** Parts that can be truncated. */
function textsIn(part: Part): readonly string[] {
  if (part.kind === "toolCall") return [part.inputJson];
  return part.kind === "image" || part.kind === "thinking" ? [] : [part.text];
}

function sum(parts: readonly Part[], tokensOf: (part: Part) => number): number {
  return parts.reduce((total, part) => total + tokensOf(part), 0);
}
