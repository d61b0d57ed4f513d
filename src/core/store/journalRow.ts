/** The rows of both journals, as they lie in the store: `(step_id, seq, event_type, content, created_at, sealed)`. */

import type { StepId } from "../ids.ts";

/** What a row of the stream journal records. `begin` holds the model and the message that was asked. */
export type StreamRowType =
  "begin" | "text" | "thinking" | "thinkingSignature" | "toolCallStart" | "toolCallArgs" | "usage" | "done" | "error";

/** What a row of the tool journal records; they belong to a step of their own. */
export type ToolRowType = "batchBegin" | "batchRun" | "batchResult";

/**
 * What a row records. `queued`: a message of the user that waits to be sent; `added`: a thing that the user added to the one
 * that is being typed; `edited`: what a message that was sent, or a summary, is to say instead. Each of these is the only row of its step.
 */
export type JournalEventType = StreamRowType | ToolRowType | "queued" | "added" | "edited";

/** One durable piece of a stream or of a tool batch. `seq` is 0, 1, 2, … within its step, without gaps. */
export interface JournalRow {
  readonly stepId: StepId;
  readonly seq: number;
  readonly eventType: JournalEventType;
  readonly content: string;
  readonly createdAtMs: number;
}

/** Tells messages that wait to be sent from everything else. */
export function isQueueRow({ eventType }: JournalRow): boolean {
  return eventType === "queued";
}

/** Tells things that wait for the message that is being typed from everything else. */
export function isAddedRow({ eventType }: JournalRow): boolean {
  return eventType === "added";
}

/** Tells other wordings of sent messages and of summaries from everything else. */
export function isEditRow({ eventType }: JournalRow): boolean {
  return eventType === "edited";
}

/** Tells rows of what the user has not sent yet from those of what a model or a tool does. */
export function isUnsentRow(row: JournalRow): boolean {
  return isQueueRow(row) || isAddedRow(row) || isEditRow(row);
}

/** Tells the rows of a tool batch from those of a stream. */
export function isToolRow({ eventType }: JournalRow): boolean {
  return eventType.startsWith("batch");
}
