/** A summary stands for a contiguous range of the history. It is a record: replacing, undoing and redoing add records. */

import type { MessageId, SummaryId } from "../../ids.ts";
import type { TokenCounts } from "../../message.ts";

/** Messages from `start` up to, but not including, `end`. */
export interface MessageRange {
  readonly start: MessageId;
  readonly end: MessageId;
}

/** What a summary was made for; decides its headings. */
export type SummaryKind = "conversation" | "toolCalls" | "goalBatch" | "archive" | "extract";

/** `active` ones may stand in the context; `undone` and `replaced` ones can be brought back. */
export type SummaryState = "active" | "undone" | "replaced";

/** The content of a summary that was erased with a message that it was made of. It is never used again. */
export const ERASED_SUMMARY = "[Erased by the user, with a message that it was made of]";

/** Text that stands for `covers`. Content is never empty and always smaller than what it stands for. */
export interface Summary {
  readonly id: SummaryId;
  readonly covers: MessageRange;
  /** 1 covers messages, 2 covers summaries of level 1, and so on. */
  readonly level: number;
  readonly kind: SummaryKind;
  readonly content: string;
  readonly tokenCount: TokenCounts;
  readonly originalTokens: TokenCounts;
  readonly createdAtMs: number;
  /** A model's name, `extract` when no model was used, or `user` after an edit. */
  readonly generatedBy: string;
  /** Hash over what was summarized: ids, states, visibility, what is left out. A summary of something else is refused. */
  readonly sourceHash: string;
  readonly factsKept: number;
  readonly factsTotal: number;
  readonly state: SummaryState;
}

/** A summary whose words are gone, and which cannot come back. */
export function erasedSummary(summary: Summary): Summary {
  return { ...summary, content: ERASED_SUMMARY, tokenCount: ERASED_SUMMARY_TOKENS, state: "replaced" };
}

/** Whether the words of a summary were erased. */
export function isErased({ content }: Summary): boolean {
  return content === ERASED_SUMMARY;
}

const ERASED_SUMMARY_TOKENS: TokenCounts = { cl100k: 16, o200k: 16 };
