/** Stored rows of the stream and tool journals: `(step_id, seq, event_type, content, created_at, sealed)`. */

import type { StepId } from "../ids.ts";

/** `begin` holds the model and the message that is being answered. */
export type StreamRowType =
  | "begin"
  | "text"
  | "thinking"
  | "textWasThinking"
  | "thinkingSignature"
  | "toolCallStart"
  | "toolCallArgs"
  | "usage"
  | "done"
  | "error";

/** Tool batches have steps of their own. */
export type ToolRowType = "batchBegin" | "batchRun" | "batchResult";

/**
 * `queued`: a user message waiting to be sent. `added`: an attachment of the message being typed. `edited`: new text
 * for a sent message or a summary. Each of these three is the only row of its step.
 */
export type JournalEventType = StreamRowType | ToolRowType | "queued" | "added" | "edited";

/** `seq` is 0, 1, 2, … within its step, without gaps. */
export interface JournalRow {
  readonly stepId: StepId;
  readonly seq: number;
  readonly eventType: JournalEventType;
  readonly content: string;
  readonly createdAtMs: number;
}

export function isQueueRow({ eventType }: JournalRow): boolean {
  return eventType === "queued";
}

export function isAttachmentRow({ eventType }: JournalRow): boolean {
  return eventType === "added";
}

export function isEditRow({ eventType }: JournalRow): boolean {
  return eventType === "edited";
}

/** Whether a row holds unsent user input, as opposed to the work of a model or a tool. */
export function isUnsentRow(row: JournalRow): boolean {
  return isQueueRow(row) || isAttachmentRow(row) || isEditRow(row);
}

export function isToolRow({ eventType }: JournalRow): boolean {
  return eventType.startsWith("batch");
}
