/** Core data -> rows of the transcript. Pure: the same data gives the same rows. */

import type { Summary } from "../core/history/summary.ts";
import type { StepId } from "../core/ids.ts";
import type { LeftoverStep } from "../core/journal/recover.ts";
import type { HistoryEntry, Message } from "../core/message.ts";
import { formatTokens } from "../core/context/contextUsage.ts";
import type { Banner, MessageRow, NoticeRow, SummaryRow } from "../protocol/toView.ts";

/** What a message's row needs beside the message. */
export interface MessageRowOptions {
  /** Inside the range of an active summary. */
  readonly summarized: boolean;
  readonly nowMs: number;
}

/** The row of a message that is in the history. */
export function messageRow(entry: HistoryEntry, message: Message, options: MessageRowOptions): MessageRow {
  const state = entry.role === "user" ? "complete" : entry.state;
  return {
    kind: "message",
    rowId: `message-${entry.id}`,
    messageId: String(entry.id),
    role: entry.role,
    state,
    text: wordsOf(message),
    thinking: partsOf(message, "thinking"),
    meta: entry.role === "assistant" ? metaOf(entry) : "",
    summarized: options.summarized,
    problem: null,
    undecided: false,
    stateText: stateText(state, entry.createdAtMs, options.nowMs),
  };
}

/** The row of an answer whose first piece has not been received yet. */
export function streamingRow(step: StepId): MessageRow {
  return {
    kind: "message",
    rowId: step,
    messageId: step,
    role: "assistant",
    state: "streaming",
    text: "",
    thinking: "",
    meta: "",
    summarized: false,
    problem: null,
    undecided: false,
    stateText: "",
  };
}

/** The row of an answer that is still in the journal: the user says what becomes of it. */
export function undecidedRow(leftover: LeftoverStep, problem: Banner | null, nowMs: number): MessageRow {
  return {
    ...streamingRow(leftover.stepId),
    state: leftover.kind === "errored" ? "failed" : "interrupted",
    text: wordsOf(leftover.message),
    thinking: partsOf(leftover.message, "thinking"),
    problem,
    undecided: true,
    stateText: stateText("interrupted", leftover.lastAtMs, nowMs),
  };
}

/** The place where a summary stands; `tokens` picks the encoding of the model in use. */
export function summaryRow(summary: Summary, encoding: "cl100k" | "o200k", meta: string): SummaryRow {
  return {
    kind: "summary",
    rowId: `summary-${summary.id}`,
    summaryId: summary.id,
    firstMessage: summary.covers.start,
    lastMessage: summary.covers.end - 1,
    messageCount: summary.covers.end - summary.covers.start,
    tokensBefore: summary.originalTokens[encoding],
    tokensAfter: summary.tokenCount[encoding],
    factsKept: summary.factsKept,
    factsTotal: summary.factsTotal,
    state: summary.state === "active" ? "active" : "undone",
    meta,
  };
}

/** A notice that stands in the transcript. */
export function noticeRow(name: string, banner: Banner): NoticeRow {
  return { kind: "notice", rowId: `notice-${name}`, tone: banner.tone, text: banner.text, actions: banner.actions };
}

/** "2.8 s", "340 ms", "2 min". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  return `${Math.round(durationMs / 60_000)} min`;
}

/** "just now", "2 min ago", "3 h ago", "4 days ago". */
export function formatAge(ageMs: number): string {
  const minutes = Math.floor(Math.max(0, ageMs) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

function wordsOf(message: Message): string {
  const blocks: string[] = [];
  for (const part of message.parts) {
    if (part.kind === "text") blocks.push(part.text);
    else if (part.kind === "attachment") blocks.push(`[${part.label}]`);
    else if (part.kind === "image") blocks.push(`[image, ${part.mediaType}]`);
  }
  return blocks.join("\n\n");
}

function partsOf(message: Message, kind: "thinking"): string {
  return message.parts.flatMap((part) => (part.kind === kind ? [part.text] : [])).join("");
}

function metaOf(entry: HistoryEntry): string {
  const tokens = `${formatTokens(entry.tokens.o200k)} tokens`;
  const duration = entry.durationMs === undefined ? [] : [formatDuration(entry.durationMs)];
  return [...(entry.model === undefined ? [] : [entry.model]), tokens, ...duration].join(" · ");
}

function stateText(state: MessageRow["state"], atMs: number, nowMs: number): string {
  switch (state) {
    case "interrupted":
      return `Interrupted ${formatAge(nowMs - atMs)}. Everything you saw is kept.`;
    case "cancelled":
      return "Stopped. Everything you saw is kept.";
    case "failed":
      return "The model declined to go on.";
    case "streaming":
    case "complete":
      return "";
  }
}
