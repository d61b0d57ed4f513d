/** What the view knows of summaries. Plain data, made for showing. */
import type { AttachmentView } from "./attachmentView.ts";
import type { ToolCallCard } from "./toolCallView.ts";

/** The place where a summary stands. Versions of it share the place; `summaryId` is the one that is in use. */
export interface SummaryRow {
  readonly kind: "summary";
  /** `summary-` and the id of the first version, so that the place stays the same. */
  readonly rowId: string;
  readonly summaryId: number;
  readonly firstMessage: number;
  /** The last message that is covered. */
  readonly lastMessage: number;
  readonly messageCount: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly factsKept: number;
  readonly factsTotal: number;
  readonly state: "active" | "undone";
  /** A message in it is not as it was, so that its originals are sent; it counts again when that is taken back. */
  readonly isSetAside: boolean;
  /** A larger summary stands for this one, so that it is not sent itself. */
  readonly isWithin: boolean;
  /** Details in it that its originals do not have. */
  readonly unverifiedCount: number;
  /** The version that redoing brings back; null when there is nothing to redo. */
  readonly redoId: number | null;
  readonly versionCount: number;
  /** "gpt-6-luna · $0.004 · 2.8 s · 12 Nov 14:03" */
  readonly meta: string;
}

/** What a summary holds; loaded when its place is opened. */
export interface SummaryDetail {
  /** All of it, as it is sent and as it is edited: Markdown. */
  readonly content: string;
  /** The same without its kept facts, which are listed for themselves. */
  readonly notes: string;
  readonly facts: readonly SummaryFacts[];
  /** Details that the originals do not have; they are marked in the text. */
  readonly unverified: readonly string[];
  /** Oldest first. */
  readonly versions: readonly SummaryVersion[];
  /** Models that may write it anew; the usual one first, none where only the extract can be made. */
  readonly models: readonly string[];
}

/** Facts of one kind, word for word. */
export interface SummaryFacts {
  /** "You said" */
  readonly title: string;
  readonly facts: readonly string[];
}

/** One version of a summary. */
export interface SummaryVersion {
  readonly summaryId: number;
  /** "Version 2 · Edited by you · 9k tokens · 12 Nov 14:03" */
  readonly label: string;
  readonly isShown: boolean;
}

/** Some of the messages that a summary stands for, oldest first. */
export interface SummaryOriginals {
  /** How many come before these. */
  readonly from: number;
  readonly total: number;
  readonly messages: readonly SummaryOriginal[];
}

/** A message as it was said; a long one is cut. */
export interface SummaryOriginal {
  readonly messageId: number;
  /** "You" */
  readonly who: string;
  /** `tool`: what tools answered. */
  readonly role: "user" | "assistant" | "system" | "tool";
  /** Markdown, where the role is `assistant`; else plain text. */
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
  readonly calls: readonly ToolCallCard[];
}

/** What the reader asks for at a summary. */
export type SummaryAsk =
  /** The originals behind the first `from`. */
  | { readonly what: "originals"; readonly from: number }
  /** From now on with this text. */
  | { readonly what: "edit"; readonly text: string }
  /** Written anew: by `model`, or the usual one; so many percent of the usual length; what to look after. */
  | { readonly what: "again"; readonly model: string; readonly sizePercent: number; readonly focus: string }
  /** Beside another version, or with null its originals, in the editor's own diff. */
  | { readonly what: "compare"; readonly version: number | null }
  /** This version from now on. */
  | { readonly what: "use" };
