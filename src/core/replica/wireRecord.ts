/** Records as they travel: where a copy has numbers of its own, these have references that mean the same in all copies. */

import type {
  CompactionReceipt,
  ConversationRecord,
  ExclusionRecord,
  ModelRecord,
  PinRecord,
  ProjectRecord,
  SettingRecord,
  SummaryStateRecord,
  TitleRecord,
  UsageRecord,
} from "../history/records.ts";
import type { Summary } from "../history/summaries/summary.ts";
import type { HistoryEntry, Message, RecalledPassage } from "../message.ts";

/** Place of the own segment in references. */
export const OWN = -1;
/** A record: place in the list of segments of the header, {@link OWN} for the own one; and index of the record in it. */
export type WireRef = readonly [segment: number, index: number];
/** All messages among the records from `first` to `last`. */
export type WireRun = readonly [segment: number, first: number, last: number];

export interface WireEntry extends Omit<HistoryEntry, "id" | "turn" | "batch" | "continues" | "recalled"> {
  readonly turn: WireRef;
  readonly batch?: WireRef;
  readonly continues?: WireRef;
  readonly recalled?: readonly WirePassage[];
}
export interface WirePassage extends Omit<RecalledPassage, "id"> {
  readonly of: WireRef;
}
export interface WireMessage {
  readonly kind: "message";
  /** The message that it follows; absent: it begins the conversation. */
  readonly follows?: WireRef;
  readonly entry: WireEntry;
  readonly message: Message;
}
export interface WireVisibility {
  readonly kind: "visibility";
  readonly runs: readonly WireRun[];
  readonly hidden: boolean;
  readonly atMs: number;
  /** The last visible message before and after it; absent: there was none. */
  readonly from?: WireRef;
  readonly to?: WireRef;
}
export interface WireSummary {
  readonly kind: "summary";
  readonly covers: readonly WireRun[];
  /** Messages of it that were hidden. */
  readonly hidden: readonly WireRun[];
  /** Its source was unchanged when it was made. */
  readonly isOfSource: boolean;
  readonly summary: Omit<Summary, "id" | "covers" | "sourceHash">;
}
export interface WireReceipt {
  readonly kind: "receipt";
  readonly summaries: readonly WireRef[];
  readonly span: readonly WireRun[];
  readonly notesLater?: readonly WireRef[];
  readonly receipt: Omit<CompactionReceipt, "summaries" | "span" | "notesLater">;
}
export interface WireUsage extends Omit<UsageRecord, "message"> {
  /** Its answer; absent: the next message, if any. */
  readonly message?: WireRef;
}
export interface WireErasure {
  readonly kind: "erasure";
  readonly atMs: number;
  readonly erased: readonly { readonly of: WireRef; readonly tokens: HistoryEntry["tokens"] }[];
}
/** Stands for a record that was superseded or erased: those after it keep their indices. */
export interface WireNothing {
  readonly kind: "nothing";
}

type WithRef<Kind> = Omit<Kind, "id"> & { readonly of: WireRef };

export type WireRecord =
  | WireMessage
  | WireVisibility
  | WireSummary
  | WithRef<SummaryStateRecord>
  | WithRef<PinRecord>
  | WithRef<ExclusionRecord>
  | WireReceipt
  | WireUsage
  | ModelRecord
  | TitleRecord
  | SettingRecord
  | ProjectRecord
  | WireErasure
  | WireNothing;

/** A message whose content is JSON in UTF-8, as it is stored: nobody parses it on its way into an object. */
export interface UnparsedMessage {
  readonly kind: "entry";
  readonly entry: HistoryEntry;
  readonly json: Uint8Array;
}
export type PublishedRecord = ConversationRecord | UnparsedMessage;

/** The line of a message on its way into an object: up to its content, and that. An object would be kept far longer. */
export interface UnparsedWireMessage {
  readonly kind: "line";
  readonly start: string;
  readonly json: Uint8Array;
}
/** A record on its way into an object. */
export type OutgoingRecord = WireRecord | UnparsedWireMessage;

export const NOTHING: WireNothing = { kind: "nothing" };
