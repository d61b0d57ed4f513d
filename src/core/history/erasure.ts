/**
 * Permanent erasure of message text: the only user action that takes something out of the history. Erased messages stay
 * in place as placeholders, and tool batches stay whole. Summaries made from them are erased too, since any of their
 * words may come from there, and so are titles made from messages.
 *
 * Nothing here contains erased text: the record of an erasure has no words.
 */

import type { StepId } from "../ids.ts";
import type { HistoryEntry, Message, Part, TokenCounts, ToolResultPart } from "../message.ts";
import { lowerBound } from "./lowerBound.ts";
import type { ConversationRecord, ErasureRecord, IndexRecord } from "./records.ts";
import { erasedSummary } from "./summaries/summary.ts";

export const ERASED_TEXT = "[Erased by the user]";

export interface Erasure {
  /** Applied to the history once the stored text is erased. */
  readonly record: ErasureRecord;
  /** Placeholders for the messages that `record` names, in its order. */
  readonly messages: readonly Message[];
  /** Journal steps to erase as well: an answer pending recovery may repeat erased text. */
  readonly steps: readonly StepId[];
  /** Current composer text; it replaces the stored draft, which may repeat erased text. */
  readonly draft: string;
}

/** `message` is the placeholder that `erasurePlaceholder` makes, `tokens` are those of the placeholder. */
export interface ErasedMessage {
  readonly entry: HistoryEntry;
  readonly message: Message;
  readonly tokens: TokenCounts;
}

/** Placeholder for `message`: none of its text, but every tool call and result, since others refer to them. */
export function erasurePlaceholder({ role, parts }: Message): Message {
  const placeholderParts: Part[] = [];
  let hasPlaceholder = false;
  for (const part of parts) {
    if (part.kind === "toolCall") placeholderParts.push({ ...part, inputJson: "{}" });
    else if (part.kind === "toolResult") placeholderParts.push(erasedResult(part));
    else if (!hasPlaceholder) placeholderParts.push({ kind: "text", text: ERASED_TEXT });
    hasPlaceholder ||= part.kind !== "toolCall";
  }
  return {
    role,
    parts: hasPlaceholder ? placeholderParts : [{ kind: "text", text: ERASED_TEXT }, ...placeholderParts],
  };
}

/** Drops the title, which may repeat the input. */
function erasedResult({ kind, callId, outcome }: ToolResultPart): ToolResultPart {
  return { kind, callId, outcome, text: ERASED_TEXT };
}

/** `erased` may be in any order; `steps` are in the journal. */
export function makeErasure(
  erased: readonly ErasedMessage[],
  { atMs, steps = [], draft = "" }: { readonly atMs: number } & Partial<Pick<Erasure, "steps" | "draft">>,
): Erasure {
  const sorted = erased.toSorted((one, other) => one.entry.id - other.entry.id);
  const entries = sorted.map(({ entry, tokens }) => ({ ...withoutDerivedFields(entry), tokens, erasedAtMs: atMs }));
  return { record: { kind: "erasure", entries, atMs }, messages: sorted.map(({ message }) => message), steps, draft };
}

/** Drops what was derived from the erased text. */
function withoutDerivedFields(entry: HistoryEntry): HistoryEntry {
  const left: { -readonly [Name in keyof HistoryEntry]: HistoryEntry[Name] } = { ...entry };
  delete left.textClass;
  delete left.sentTokens;
  delete left.leftOut;
  delete left.recalled;
  return left;
}

/**
 * The stored record after an erasure; the same object if nothing changes. `isNewestTitle`: no later record sets a
 * title. Only that title is retained, and only if the user gave it, where it is plain to see.
 */
export function recordAfterErasure<Kept extends ConversationRecord | IndexRecord>(
  record: Kept,
  { record: { entries }, messages }: Erasure,
  isNewestTitle: boolean,
): Kept {
  switch (record.kind) {
    case "title":
      return isNewestTitle && record.by === "user" ? record : { ...record, title: "" };
    case "summary": {
      const { start, end } = record.summary.covers;
      const isMadeOfThem = (entries[lowerBound(entries, (each) => each.id < start)]?.id ?? Infinity) < end;
      return isMadeOfThem ? { ...record, summary: erasedSummary(record.summary) } : record;
    }
    case "entry":
    case "message": {
      const place = lowerBound(entries, (each) => each.id < record.entry.id);
      if (entries[place]?.id !== record.entry.id) return record;
      const message = record.kind === "message" ? { message: messages[place] } : {};
      return { ...record, entry: entries[place], ...message };
    }
    default:
      return record;
  }
}
