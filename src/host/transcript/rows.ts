/** Core data -> rows of the transcript. Pure: the same data gives the same rows. */

import { modelName } from "../../core/models/modelName.ts";
import type { Spent } from "../../core/history/spending.ts";
import type { MessageId, StepId } from "../../core/ids.ts";
import type { RecoverableAnswer } from "../../core/journal/recoverAnswers.ts";
import type { ToolBatch } from "../../core/journal/toolBatch.ts";
import type { HistoryEntry, Message } from "../../core/message.ts";
import { answeredLoop } from "../../core/repetition/answeredLoop.ts";
import { stepOfBatch } from "../../core/turn/toolRound.ts";
import type { BranchView } from "../../protocol/branchView.ts";
import { localize } from "../../protocol/localize.ts";
import type { Banner, HiddenRow, MessageRow, NoticeRow, RecalledView, SentView } from "../../protocol/toView.ts";
import { attachmentsOf } from "./attachmentViews.ts";
import { batchCards, messageCards } from "./callCards.ts";
import { formatDateTime, formatDuration, formatTokens } from "../words/formatting.ts";
import { answerCost } from "../connections/spendingText.ts";

export interface MessageRowOptions {
  readonly sent: SentView;
  /** Results of its tool calls. */
  readonly results?: Message;
  /** Speed and window of its model, where they are to be told. */
  readonly localModel?: string;
  /** Cost, as far as it is known. */
  readonly spent?: Spent | undefined;
  readonly pinned: boolean;
  /** Which of several branches it begins; null when there is one only. */
  readonly branch: BranchView | null;
  /** Passages that were recalled for it. */
  readonly recalled?: readonly RecalledView[] | undefined;
}

export function messageRow(entry: HistoryEntry, message: Message, options: MessageRowOptions): MessageRow {
  const state = entry.role === "user" ? "complete" : entry.state;
  return {
    kind: "message",
    rowId: rowIdOf(entry.id),
    messageId: String(entry.id),
    role: entry.role,
    state,
    text: messageText(message),
    ...thinkingOf(message),
    calls: messageCards(message, options.results),
    meta: entry.role === "assistant" ? metaOf(entry, options) : "",
    ...(entry.model === undefined || modelName(entry.model) === entry.model ? {} : { modelPath: entry.model }),
    stopReason: stopReasonOf(entry, message),
    continues: entry.continues === undefined ? null : rowIdOf(entry.continues),
    sent: options.sent,
    problem: null,
    pendingRecovery: null,
    stateText: endTexts(entry, message) || stateText(state, entry.createdAtMs),
    pinned: options.pinned,
    attachments: attachmentsOf(message, entry.leftOut),
    branch: options.branch,
    ...(options.recalled === undefined || options.recalled.length === 0 ? {} : { recalled: options.recalled }),
  };
}

function rowIdOf(id: MessageId): string {
  return `message-${id}`;
}

/** The placeholder of a message that the user hid. */
export function hiddenRow({ id, role }: Pick<HistoryEntry, "id" | "role">): HiddenRow {
  return { kind: "hidden", rowId: `hidden-${String(id)}`, messageId: id, role };
}

/** The row of an answer before its first chunk; `continues`: the answer that it goes on with. */
export function streamingRow(step: StepId, continues?: MessageId): MessageRow {
  return {
    kind: "message",
    rowId: step,
    messageId: step,
    role: "assistant",
    state: "streaming",
    text: "",
    thinking: "",
    thinkingMs: null,
    calls: [],
    meta: "",
    stopReason: null,
    continues: continues === undefined ? null : rowIdOf(continues),
    sent: "original",
    problem: null,
    pendingRecovery: null,
    stateText: "",
    pinned: false,
    attachments: [],
    branch: null,
  };
}

/** The row of an interrupted answer in the journal, which awaits the user's decision. */
export function recoverableRow(leftover: RecoverableAnswer, problem: Banner | null): MessageRow {
  return {
    ...streamingRow(leftover.stepId, leftover.continues),
    state: leftover.kind === "errored" ? "failed" : "interrupted",
    text: messageText(leftover.message),
    ...thinkingOf(leftover.message),
    calls: messageCards(leftover.message, undefined),
    problem,
    pendingRecovery: "answer",
    stateText: stateText("interrupted", leftover.lastAtMs),
  };
}

/** The row of an answer whose tool calls run. */
export function runningRow(batch: ToolBatch): MessageRow {
  return {
    ...streamingRow(stepOfBatch(batch), batch.continues),
    text: messageText(batch.assistant),
    ...thinkingOf(batch.assistant),
    calls: batchCards(batch),
  };
}

/** The row of an answer whose tool calls were interrupted, which awaits the user's decision. */
export function recoverableBatchRow(batch: ToolBatch): MessageRow {
  const time = formatDateTime(batch.lastAtMs);
  const hasRun = batch.calls.some(({ state, result }) => result !== undefined || state === "unknown");
  const text = hasRun
    ? localize("Interrupted while tools ran ({0}). Nothing is run again automatically.", time)
    : localize("Interrupted before any tool ran ({0}).", time);
  return { ...runningRow(batch), state: "interrupted", pendingRecovery: "tools", stateText: text };
}

export function noticeRow(name: string, banner: Banner): NoticeRow {
  return { kind: "notice", rowId: `notice-${name}`, ...banner };
}

/** The text of a message, without attachments, thinking and calls. */
export function messageText(message: Message): string {
  const blocks: string[] = [];
  for (const part of message.parts) {
    if (part.kind === "text") blocks.push(part.text);
  }
  return blocks.join("\n\n");
}

function hasOnlyThoughts({ role, parts }: Message): boolean {
  const isEmpty = parts.every((part) => part.kind === "thinking" || (part.kind === "text" && part.text.trim() === ""));
  return role === "assistant" && isEmpty && parts.some((part) => part.kind === "thinking" && part.text !== "");
}

function thinkingOf(message: Message): Pick<MessageRow, "thinking" | "thinkingMs"> {
  const parts = message.parts.filter((part) => part.kind === "thinking");
  const ms = parts.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  return { thinking: parts.map(({ text }) => text).join(""), thinkingMs: ms > 0 ? ms : null };
}

function metaOf(entry: HistoryEntry, { spent, localModel }: Pick<MessageRowOptions, "spent" | "localModel">): string {
  const tokens = localize("{0} tokens", formatTokens(entry.tokens.o200k));
  // Zero where the clock was set back meanwhile.
  const duration = (entry.durationMs ?? 0) === 0 ? [] : [formatDuration(entry.durationMs ?? 0)];
  return [
    ...(entry.model === undefined ? [] : [modelName(entry.model)]),
    tokens,
    ...duration,
    ...answerCost(spent),
    ...(localModel === undefined ? [] : [localModel]),
  ].join(" · ");
}

/** Null while it streams, when it was cut from outside, and for an answer that calls tools. */
function stopReasonOf({ role, state, stop }: HistoryEntry, { parts }: Message): MessageRow["stopReason"] {
  if (role !== "assistant") return null;
  if (stop !== undefined) return stop.reason;
  if (state === "failed") return "refusal"; // as earlier versions stored it
  return state === "complete" && parts.every(({ kind }) => kind !== "toolCall") ? "endTurn" : null;
}

/** Why the model stopped although the answer is not complete; `undefined` when it is, or was cut from outside. */
function endText({ stop, state }: HistoryEntry, message: Message): string | undefined {
  const tokens = stop?.tokens === undefined ? undefined : formatTokens(stop.tokens);
  switch (stop?.reason) {
    case "maxTokens":
      return tokens === undefined
        ? localize("Answer cut at its limit. Everything you saw is kept.")
        : localize("Answer cut at its limit of {0} tokens. Everything you saw is kept.", tokens);
    case "contextFull":
      return tokens === undefined
        ? localize("Answer cut: the window is full. Everything you saw is kept.")
        : localize("Answer cut: the window is full, {0} tokens were left. Everything you saw is kept.", tokens);
    case "pause":
      return localize("The model paused. Everything you saw is kept.");
    case "refusal":
      return localize(
        "The provider refused to go on. Everything you saw is kept. Ask in another way, or another model.",
      );
    case undefined:
      return hasOnlyThoughts(message) && state === "complete"
        ? localize("The model only thought, and gave no answer. Ask it for the answer, or ask again.")
        : undefined;
  }
}

/** Why it ended as it did, and what requests hold less of it; empty where there is nothing to say. */
function endTexts(entry: HistoryEntry, message: Message): string {
  return [endText(entry, message), loopText(entry, message)].filter((text) => text !== undefined).join(" ");
}

/** Why the user stopped an answer, or why requests hold less than is shown; `undefined`: nothing was repeated. */
function loopText({ role, state, sentTokens }: HistoryEntry, message: Message): string | undefined {
  const isStopped = state === "cancelled";
  if (role !== "assistant" || (sentTokens === undefined && !isStopped)) return undefined;
  const loop = answeredLoop(message, isStopped);
  if (loop === undefined) return undefined;
  return isStopped
    ? localize("Stopped. Everything you saw is kept. The model repeated itself ({0} times).", loop.times)
    : localize("The model repeated itself ({0} times). All of it is kept here; requests hold it once.", loop.times);
}

/** With a time, not an age: the row stays as it is while time passes. */
function stateText(state: MessageRow["state"], atMs: number): string {
  switch (state) {
    case "interrupted":
      return localize("Interrupted ({0}). Everything you saw is kept.", formatDateTime(atMs));
    case "cancelled":
      return localize("Stopped. Everything you saw is kept.");
    case "failed":
      return localize("The model declined to go on.");
    case "streaming":
    case "complete":
      return "";
  }
}
