/**
 * A conversation is an append-only sequence of records. Every change of it is one of these: made by the core, stored,
 * and only then applied to `FullHistory`.
 */

import type { MessageId, ModelId, SummaryId } from "../ids.ts";
import type { HistoryEntry, Message, TokenCounts } from "../message.ts";
import type { Project } from "./project.ts";
import type { GlobalId, RecordPlace, SegmentInfo, SegmentRun } from "./segmentInfo.ts";
import type { MessageRange, Summary, SummaryState } from "./summaries/summary.ts";

/** The id of the message is the number of earlier messages. */
export interface MessageRecord {
  readonly kind: "message";
  readonly entry: HistoryEntry;
  readonly message: Message;
}
/** Hides a range from requests and transcript, or shows it again. The newest record that covers a message applies. */
export interface VisibilityRecord {
  readonly kind: "visibility";
  readonly range: MessageRange;
  readonly hidden: boolean;
  readonly atMs: number;
  /** Follows from what another machine did. It concerns this copy alone. */
  readonly isDerived?: true;
}
/** The id of the summary is the number of earlier summaries. */
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
/** Pins a message, so that it is always sent unchanged, or unpins it. */
export interface PinRecord {
  readonly kind: "pin";
  readonly id: MessageId;
  readonly pinned: boolean;
  readonly atMs: number;
}
/** Excludes attachments of a message from requests. The newest record for a message applies. */
export interface ExclusionRecord {
  readonly kind: "leftOut";
  readonly id: MessageId;
  /** Sorted indices of the excluded parts; empty: all are sent again. */
  readonly leftOut: readonly number[];
  /** Tokens of what is still sent; absent if nothing is excluded. */
  readonly sentTokens?: TokenCounts;
  readonly atMs: number;
}
/** Worth of the notes of one model in one compaction. */
export interface NotesReport {
  readonly model: ModelId;
  readonly answers: number;
  /** Answers of no use. */
  readonly refused: number;
  /** Why the last of those was of no use. */
  readonly why?: NotesFault;
  /** Length of its notes, in percent of what was asked for; at least 100. */
  readonly lengthPercent: number;
}

export const NOTES_FAULTS = [
  ...(["empty", "refused", "truncated", "tooLong", "overflow"] as const),
  ...(["repeats", "answers", "otherLanguage", "invents", "tellsLess"] as const),
] as const;
export type NotesFault = (typeof NOTES_FAULTS)[number];

/** What a compaction did and cost. Receipts add up to the session's totals. */
export interface ReceiptRecord {
  readonly kind: "receipt";
  readonly receipt: CompactionReceipt;
}
/** What a request for an answer was billed, whatever became of the answer. */
export interface UsageRecord {
  readonly kind: "usage";
  /** Id that the answer got, or would have got: the number of earlier messages. */
  readonly message: MessageId;
  readonly model: ModelId;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Included in `inputTokens`, like `cacheWriteTokens`. */
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Absent: the price is unknown. 0: nothing is billed, as by a local server. */
  readonly costUsd?: number;
  readonly atMs: number;
  /** Copied with its message from the forked conversation, where it was spent. */
  readonly inOrigin?: true;
}
/** A switch to another model. The newest one that the user chose applies. */
export interface ModelRecord {
  readonly kind: "model";
  /** Empty: the model follows from the settings, nobody chose it. */
  readonly provider: string;
  readonly model: ModelId;
  readonly atMs: number;
}
/** The newest title applies. */
export interface TitleRecord {
  readonly kind: "title";
  readonly title: string;
  readonly by: "user" | "automatic";
  readonly atMs: number;
}
/** A setting of this conversation alone, such as `strategy`. The newest one of a name applies. */
export interface SettingRecord {
  readonly kind: "setting";
  readonly name: string;
  readonly value: string;
  readonly atMs: number;
}

/** A project that was open when a message was written. A conversation belongs to all of its projects. */
export interface ProjectRecord {
  readonly kind: "project";
  readonly project: Project;
  readonly atMs: number;
}

/** Settings with this prefix grant a permission: they are never exported, nor imported from a file. */
export const GRANT_PREFIX = "grant.";

/**
 * The user permanently erased message text; no record has it any more. `entries` are the placeholders', lowest id
 * first.
 */
export interface ErasureRecord {
  readonly kind: "erasure";
  readonly entries: readonly HistoryEntry[];
  readonly atMs: number;
}

/** A segment of the replica whose records this copy has. It comes after them, in the same transaction or a later one. */
export interface SegmentRecord {
  readonly kind: "segment";
  readonly segment: SegmentInfo;
  /** Ascending, in both copies: which records here are which of the segment. */
  readonly runs: readonly SegmentRun[];
  /** Of its messages and summaries here: a rescue that does not find the records themselves goes by that. */
  readonly messages?: readonly RecordPlace[];
  readonly summaries?: readonly RecordPlace[];
  /** Records here before this number are in segments, or concern this copy alone. Absent for those of other machines. */
  readonly publishedTo?: number;
  /** Messages that the segment erases: no copy keeps their text. */
  readonly erases?: readonly GlobalId[];
}

/** Token counts use the model's own counting. */
export interface CompactionReceipt {
  readonly summaries: readonly SummaryId[];
  readonly span: MessageRange;
  readonly strategy: string;
  readonly trigger: "manual" | "threshold" | "modelSwitch" | "overflow";
  /** That of each of `summaries`; absent: `strategy` is that of all, or they were made by an earlier version. */
  readonly strategies?: readonly string[];
  /** Of the whole request. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Of `requestModel`, which the request was for; both are absent in receipts of earlier versions. */
  readonly budgetTokens?: number;
  readonly requestModel?: ModelId;
  /** As billed, if the provider reported it. */
  readonly billedInputTokens?: number;
  readonly billedOutputTokens?: number;
  readonly model: string;
  readonly calls: number;
  /** Absent: the price is unknown. */
  readonly costUsd?: number;
  /** Number of further requests after which it has paid for itself; absent: prices are unknown. */
  readonly breakEvenRequests?: number;
  readonly durationMs: number;
  readonly factsKept: number;
  readonly factsTotal: number;
  readonly atMs: number;
  /** Worth of the models' notes; absent: none was asked, or it was not recorded yet. */
  readonly notes?: readonly NotesReport[];
  /** Extracts that stand in for notes, which no model was asked for yet: they are written when there is time. */
  readonly notesLater?: readonly SummaryId[];
  /** Copied with its summaries from the forked conversation, where it was spent. */
  readonly inOrigin?: true;
}

export type ConversationRecord =
  | MessageRecord
  | VisibilityRecord
  | SummaryRecord
  | SummaryStateRecord
  | PinRecord
  | ExclusionRecord
  | ReceiptRecord
  | UsageRecord
  | ModelRecord
  | TitleRecord
  | SettingRecord
  | ProjectRecord
  | ErasureRecord
  | SegmentRecord;

/** A record without message content: what is held in memory for a conversation of any size. */
export type IndexRecord =
  Exclude<ConversationRecord, MessageRecord> | { readonly kind: "entry"; readonly entry: HistoryEntry };
