/**
 * A conversation is a sequence of records that is only ever appended to. The store keeps them, `FullHistory` folds them.
 * Every change of a conversation is one of these: made by the core, stored, and only then applied.
 */

import type { MessageId, ModelId, SummaryId } from "../ids.ts";
import type { HistoryEntry, Message, TokenCounts } from "../message.ts";
import type { MessageRange, Summary, SummaryState } from "./summaries/summary.ts";

/** A new message: its id is the number of messages before it. */
export interface MessageRecord {
  readonly kind: "message";
  readonly entry: HistoryEntry;
  readonly message: Message;
}
/** Hides a range from the view that is sent and shown, or shows it again. The newest record that covers a message counts. */
export interface VisibilityRecord {
  readonly kind: "visibility";
  readonly range: MessageRange;
  readonly hidden: boolean;
  readonly atMs: number;
}
/** A new summary: its id is the number of summaries before it. */
export interface SummaryRecord {
  readonly kind: "summary";
  readonly summary: Summary;
}
/** Undoes, redoes or retires a summary. */
export interface SummaryStateRecord {
  readonly kind: "summaryState";
  readonly id: SummaryId;
  readonly state: SummaryState;
  readonly atMs: number;
}
/** Pins a message, so that it is always sent as it is, or unpins it. */
export interface PinRecord {
  readonly kind: "pin";
  readonly id: MessageId;
  readonly pinned: boolean;
  readonly atMs: number;
}
/** Takes attachments of a message out of what is sent, or puts them back. The newest one for a message counts. */
export interface LeftOutRecord {
  readonly kind: "leftOut";
  readonly id: MessageId;
  /** Indices of the parts that are not sent, lowest first; empty: all are sent again. */
  readonly leftOut: readonly number[];
  /** Tokens of what is sent of the message then; absent where nothing is left out. */
  readonly sentTokens?: TokenCounts;
  readonly atMs: number;
}
/** What a compaction did and what it cost. Receipts add up to the session's totals. */
export interface ReceiptRecord {
  readonly kind: "receipt";
  readonly receipt: CompactionReceipt;
}
/** What a request for an answer was billed, whatever became of the answer. */
export interface UsageRecord {
  readonly kind: "usage";
  /** The message that the answer became, or would have become: the number of messages before it. */
  readonly message: MessageId;
  readonly model: ModelId;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of `inputTokens`. */
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Absent: the price is unknown. 0 where nothing is billed, as by a server of one's own. */
  readonly costUsd?: number;
  readonly atMs: number;
  /** Copied with its message from the conversation that was forked: it was spent there, not here. */
  readonly inOrigin?: true;
}
/** The conversation goes on with another model. The newest one that was chosen counts. */
export interface ModelRecord {
  readonly kind: "model";
  /** Empty: nobody chose the model, it answers by the settings. */
  readonly provider: string;
  readonly model: ModelId;
  readonly atMs: number;
}
/** The conversation has a title, made by itself or given by the user. The newest one counts. */
export interface TitleRecord {
  readonly kind: "title";
  readonly title: string;
  readonly by: "user" | "automatic";
  readonly atMs: number;
}
/** A setting of this conversation alone, such as `strategy`. The newest one for a name counts. */
export interface SettingRecord {
  readonly kind: "setting";
  readonly name: string;
  readonly value: string;
  readonly atMs: number;
}

/** A setting whose name begins so grants something: it never leaves the conversation, and never comes in from a file. */
export const GRANT_PREFIX = "grant.";

/**
 * The user erased the words of messages for good; what was erased is in no record any more. `entries` are what the index
 * knows of the messages that stand in their place, lowest id first.
 */
export interface ErasureRecord {
  readonly kind: "erasure";
  readonly entries: readonly HistoryEntry[];
  readonly atMs: number;
}

/** One compaction, from what to what, by whom, at what price. Tokens are in the model's own counting. */
export interface CompactionReceipt {
  readonly summaries: readonly SummaryId[];
  readonly span: MessageRange;
  readonly strategy: string;
  readonly trigger: "manual" | "threshold" | "modelSwitch" | "overflow";
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** As billed by the provider, when it said so. */
  readonly billedInputTokens?: number;
  readonly billedOutputTokens?: number;
  readonly model: string;
  readonly calls: number;
  /** Absent: the price is unknown. */
  readonly costUsd?: number;
  /** After so many further requests it has paid for itself; absent: prices are unknown. */
  readonly breakEvenRequests?: number;
  readonly durationMs: number;
  readonly factsKept: number;
  readonly factsTotal: number;
  readonly atMs: number;
  /** Copied with its summaries from the conversation that was forked: it was spent there, not here. */
  readonly inOrigin?: true;
}

/** Everything that can happen to a conversation for good. */
export type ConversationRecord =
  | MessageRecord
  | VisibilityRecord
  | SummaryRecord
  | SummaryStateRecord
  | PinRecord
  | LeftOutRecord
  | ReceiptRecord
  | UsageRecord
  | ModelRecord
  | TitleRecord
  | SettingRecord
  | ErasureRecord;

/** A record without the content of a message: what is kept in memory of a conversation of any size. */
export type IndexRecord =
  Exclude<ConversationRecord, MessageRecord> | { readonly kind: "entry"; readonly entry: HistoryEntry };
