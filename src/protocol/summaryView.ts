/** View data of summaries. */
import type { AttachmentView } from "./attachmentView.ts";
import type { ToolCallCard } from "./toolCallView.ts";

/**
 * The form in which the next request has a summary: itself; a larger one that covers it; the originals, as there is room
 * for them; or nothing, as the strategy sends the newest messages only.
 */
export type SummaryUse = "sent" | "within" | "notNeeded" | "notSent";

/** A summary in the transcript. Its versions share the row; `summaryId` is the one in use. */
export interface SummaryRow {
  readonly kind: "summary";
  /** `summary-` and the id of the first version, so that it stays the same. */
  readonly rowId: string;
  readonly summaryId: number;
  /** From 1; that of all its versions. */
  readonly number: number;
  readonly firstMessage: number;
  /** Inclusive. */
  readonly lastMessage: number;
  readonly messageCount: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly factsKept: number;
  readonly factsTotal: number;
  readonly state: "active" | "undone";
  /** Stale: a covered message has changed, so the originals are sent; valid again when that change is reverted. */
  readonly isStale: boolean;
  readonly use: SummaryUse;
  /** Details that are not in the originals. */
  readonly unverifiedCount: number;
  /** The version that redo restores; null when there is nothing to redo. */
  readonly redoId: number | null;
  readonly versionCount: number;
  /** "Threshold, at 82% of 129k"; empty where it is not known. */
  readonly cause: string;
  /** "Request: 106k → 61k tokens"; empty where it is not known. */
  readonly effect: string;
  /** "gpt-6-luna · $0.004 · 2.8 s · 12 Nov 14:03" */
  readonly meta: string;
}

/** Loaded when the row is opened. */
export interface SummaryDetail {
  /** Markdown, as sent and as edited. */
  readonly content: string;
  /** `content` without the facts, which are listed separately. */
  readonly notes: string;
  readonly facts: readonly SummaryFacts[];
  /** Details that are not in the originals; marked in the text. */
  readonly unverified: readonly string[];
  /** Oldest first. */
  readonly versions: readonly SummaryVersion[];
  /** Models that can rewrite it, the usual one first; empty when only an extract is possible. */
  readonly models: readonly SummaryModel[];
}

interface SummaryModel {
  /** As requests name it. */
  readonly id: string;
  readonly label: string;
}

/** Facts of one kind, verbatim. */
export interface SummaryFacts {
  /** "You said" */
  readonly title: string;
  readonly facts: readonly string[];
}

/** Progress of a summary that is written in parts, one after the other or side by side. */
export interface SummaryProgressView {
  /** 0–100 of the whole. */
  readonly percent: number;
  readonly partsDone: number;
  readonly parts: number;
}

/** Summaries that are not in use yet; their texts can be changed. */
export interface OfferView {
  readonly offerId: number;
  /** Changes when the host replaces the texts. */
  readonly revision: number;
  /** It is being written, for the first time or anew. */
  readonly isBusy: boolean;
  /** Empty: not written yet. */
  readonly summaries: readonly OfferedText[];
}

export interface OfferedText {
  readonly index: number;
  /** "In place of messages 1–42" */
  readonly label: string;
  readonly text: string;
  /** The text is the user's. */
  readonly isEdited: boolean;
}

export interface SummaryVersion {
  readonly summaryId: number;
  /** "Version 2 · Edited by you · 9k tokens · 12 Nov 14:03" */
  readonly label: string;
  readonly isShown: boolean;
}

/** A page of the covered messages, oldest first. */
export interface SummaryOriginals {
  /** Number of covered messages before these. */
  readonly from: number;
  readonly total: number;
  readonly messages: readonly SummaryOriginal[];
}

/** The original text; a long one is truncated. */
export interface SummaryOriginal {
  readonly messageId: number;
  /** "You" */
  readonly who: string;
  /** `tool`: results of tools. */
  readonly role: "user" | "assistant" | "system" | "tool";
  /** Markdown for `assistant`, else plain text. */
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
  readonly calls: readonly ToolCallCard[];
}
