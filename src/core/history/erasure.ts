/**
 * Erasing for good what messages said: the one act of a user that takes something out of the history. The messages stay
 * where they are, as messages that say they were erased, and a tool batch stays whole; summaries that were made of them are
 * erased too, since any of their words may come from there, and so are the titles that were made of messages.
 *
 * What was erased is no part of anything here: a record of the act has no words.
 */

import type { StepId } from "../ids.ts";
import type { HistoryEntry, Message, Part, TokenCounts, ToolResultPart } from "../message.ts";
import { firstIndex } from "./firstIndex.ts";
import type { ConversationRecord, ErasureRecord, IndexRecord } from "./records.ts";
import { erasedSummary } from "./summaries/summary.ts";

/** What stands in the place of words that were erased. */
export const ERASED_TEXT = "[Erased by the user]";

/** All that an erasure changes. */
export interface Erasure {
  /** What the history is told, once it is done. */
  readonly record: ErasureRecord;
  /** What stands in the place of the messages that the record names, in its order. */
  readonly messages: readonly Message[];
  /** Steps of the journal that are erased with them: an answer that is not decided yet may repeat what was said. */
  readonly steps: readonly StepId[];
  /** What stands in the composer and is no part of it; what was stored as such before may repeat what was said. */
  readonly draft: string;
}

/** A message that is to be erased: what stands in its place, as `erasedMessage` makes it, and the tokens of that. */
export interface ErasedMessage {
  readonly entry: HistoryEntry;
  readonly message: Message;
  readonly tokens: TokenCounts;
}

/** What stands in the place of `message`: nothing of what it said, and every call and result that others belong to. */
export function erasedMessage({ role, parts }: Message): Message {
  const kept: Part[] = [];
  let saysSo = false;
  for (const part of parts) {
    if (part.kind === "toolCall") kept.push({ ...part, inputJson: "{}" });
    else if (part.kind === "toolResult") kept.push(erasedResult(part));
    else if (!saysSo) kept.push({ kind: "text", text: ERASED_TEXT });
    saysSo ||= part.kind !== "toolCall";
  }
  return { role, parts: saysSo ? kept : [{ kind: "text", text: ERASED_TEXT }, ...kept] };
}

/** A title may repeat the input. */
function erasedResult({ kind, callId, outcome }: ToolResultPart): ToolResultPart {
  return { kind, callId, outcome, text: ERASED_TEXT };
}

/** The erasure of messages, in any order, and of steps that are in the journal. */
export function makeErasure(
  erased: readonly ErasedMessage[],
  { atMs, steps = [], draft = "" }: { readonly atMs: number } & Partial<Pick<Erasure, "steps" | "draft">>,
): Erasure {
  const sorted = erased.toSorted((one, other) => one.entry.id - other.entry.id);
  const entries = sorted.map(({ entry, tokens }) => ({ ...unclassed(entry), tokens, erasedAtMs: atMs }));
  return { record: { kind: "erasure", entries, atMs }, messages: sorted.map(({ message }) => message), steps, draft };
}

/** What kind of text it was is no longer true, and nobody's business. */
function unclassed(entry: HistoryEntry): HistoryEntry {
  const left: { -readonly [Name in keyof HistoryEntry]: HistoryEntry[Name] } = { ...entry };
  delete left.textClass;
  delete left.sentTokens;
  delete left.leftOut;
  return left;
}

/**
 * How a stored record stands after an erasure; the same object where nothing changes. `isNewestTitle`: no later record names
 * another title. Only that one stays, and only when the user gave it: it is there to be seen.
 */
export function recordAfter<Kept extends ConversationRecord | IndexRecord>(
  record: Kept,
  { record: { entries }, messages }: Erasure,
  isNewestTitle: boolean,
): Kept {
  switch (record.kind) {
    case "title":
      return isNewestTitle && record.by === "user" ? record : { ...record, title: "" };
    case "summary": {
      const { start, end } = record.summary.covers;
      const isMadeOfThem = (entries[firstIndex(entries, (each) => each.id < start)]?.id ?? Infinity) < end;
      return isMadeOfThem ? { ...record, summary: erasedSummary(record.summary) } : record;
    }
    case "entry":
    case "message": {
      const place = firstIndex(entries, (each) => each.id < record.entry.id);
      if (entries[place]?.id !== record.entry.id) return record;
      const message = record.kind === "message" ? { message: messages[place] } : {};
      return { ...record, entry: entries[place], ...message };
    }
    default:
      return record;
  }
}
