/** A summary covers a contiguous range of the history. Replacing, undoing and redoing it append records. */

import type { MessageId, SummaryId } from "../../ids.ts";
import type { TokenCounts } from "../../message.ts";

/** From `start` to before `end`. */
export interface MessageRange {
  readonly start: MessageId;
  readonly end: MessageId;
}

/** Purpose of a summary; determines its headings. */
export type SummaryKind = "conversation" | "toolCalls" | "goalBatch" | "archive" | "extract";

/** Only `active` summaries may be used; `undone` and `replaced` ones can be restored. */
export type SummaryState = "active" | "undone" | "replaced";

/** Content of a summary that was made from an erased message. Such a summary is never used again. */
export const ERASED_SUMMARY = "[Erased by the user, with a message that it was made of]";

/** `content` is never empty and always smaller than what it replaces. */
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
  /** A model's name, `extract` when no model was used, `user` after an edit, or that of {@link byTool}. */
  readonly generatedBy: string;
  /** Over ids, states, visibility and exclusions of what was summarized. A summary whose source differs is refused. */
  readonly sourceHash: string;
  readonly factsKept: number;
  readonly factsTotal: number;
  readonly state: SummaryState;
}

const TOOL = "tool:";

/** `generatedBy` of a summary that came with a conversation of another tool. */
export function byTool(tool: string): string {
  return `${TOOL}${tool}`;
}

/** The tool that wrote it, as `formats.ts` names it; `undefined` if none did. */
export function toolOf({ generatedBy }: Pick<Summary, "generatedBy">): string | undefined {
  return generatedBy.startsWith(TOOL) ? generatedBy.slice(TOOL.length) : undefined;
}

export function erasedSummary<Made extends Omit<Summary, "id" | "covers" | "sourceHash">>(summary: Made): Made {
  return { ...summary, content: ERASED_SUMMARY, tokenCount: ERASED_SUMMARY_TOKENS, state: "replaced" };
}

export function isErased({ content }: Summary): boolean {
  return content === ERASED_SUMMARY;
}

const ERASED_SUMMARY_TOKENS: TokenCounts = { cl100k: 16, o200k: 16 };
