/**
 * A tool batch: an assistant message with calls, and what is known of each call. The running batch and the one that a
 * crash left are the same fold over the same rows.
 */

import { parseStepId, toolCallId, type StepId, type ToolCallId } from "../ids.ts";
import type { Message, Part, ToolCallPart, ToolResultPart } from "../message.ts";
import { isToolRow, type JournalRow } from "../store/journalRow.ts";
import { parseBegin, parseObject, type StepBeginning, type StoredObject } from "./stepContent.ts";

/** `notStarted`: nothing was run. `unknown`: it was started and nobody knows how it ended. `done`: the result is there. */
export type ToolCallState = "notStarted" | "unknown" | "done";

/** One call of a batch. */
export interface BatchCall extends ToolCallPart {
  readonly state: ToolCallState;
  /** What it was said to do when it was started, as the user reads it; only of one that was. */
  readonly title?: string;
  /** Only when `done`. */
  readonly result?: ToolResultPart;
}

/** A batch as the journal knows it. */
export interface ToolBatch extends StepBeginning {
  readonly batchId: StepId;
  /** The streamed step that asked for the tools; its message is `assistant`. */
  readonly from?: StepId;
  /** When the model was asked; absent where nobody knows any more. */
  readonly askedAtMs?: number;
  /** What the assistant said, calls included. */
  readonly assistant: Message;
  readonly calls: readonly BatchCall[];
  readonly startedAtMs: number;
  readonly lastAtMs: number;
}

/** Words of a result that nobody waited for. */
export const NOT_STARTED_TEXT = "This call was not run: it was stopped or cut off before it began.";
/** Words of a result that never came. */
export const UNKNOWN_TEXT =
  "This call was interrupted while it ran. Whether it did what it was asked for is not known.";

/** The batches among left-over rows; those that were asked for first come first. A batch whose beginning is lost is left out. */
export function recoverToolBatches(rows: readonly JournalRow[]): readonly ToolBatch[] {
  const steps = new Map<StepId, JournalRow[]>();
  for (const row of rows.filter(isToolRow)) {
    const step = steps.get(row.stepId);
    if (step === undefined) steps.set(row.stepId, [row]);
    else step.push(row);
  }
  return [...steps.values()]
    .flatMap((step) => foldRows(step)?.batch() ?? [])
    .toSorted((a, b) => a.asked - b.asked || a.startedAtMs - b.startedAtMs);
}

/** Folds the rows of one batch, in order of their numbers; `undefined` when its beginning is lost. */
export function foldRows(rows: readonly JournalRow[]): BatchFold | undefined {
  const [first, ...others] = rows.toSorted((a, b) => a.seq - b.seq);
  const fold = first === undefined ? undefined : beginFold(first);
  for (const row of others) fold?.add(row);
  return fold;
}

/** Begins to fold a batch with its first row; `undefined` when that cannot be read or begins no batch. */
export function beginFold(first: JournalRow): BatchFold | undefined {
  const beginning = first.eventType === "batchBegin" ? parseBegin(first.content) : undefined;
  if (beginning === undefined) return undefined;
  const { message, from, askedAtMs } = parseObject(first.content);
  const step = typeof from === "string" ? parseStepId(from) : undefined;
  const head: BatchHead = {
    batchId: first.stepId,
    ...beginning,
    ...(step === undefined ? {} : { from: step }),
    ...(typeof askedAtMs === "number" ? { askedAtMs } : {}),
    startedAtMs: first.createdAtMs,
  };
  return new BatchFold(head, isMessage(message) ? message.parts : []);
}

/** The message of results: one for every call, so that no call is ever without. */
export function resultsOf(batch: ToolBatch): Message {
  return { role: "user", parts: batch.calls.map((call) => call.result ?? interrupted(call)) };
}

/** The results for a message none of whose calls was run; `undefined` when it has no calls. */
export function resultsNotRun({ parts }: Message): Message | undefined {
  const calls = parts.filter((part) => part.kind === "toolCall");
  if (calls.length === 0) return undefined;
  return { role: "user", parts: calls.map(({ callId }) => interrupted({ callId, state: "notStarted" })) };
}

function interrupted({ callId, state, title }: Pick<BatchCall, "callId" | "state" | "title">): ToolResultPart {
  const text = state === "unknown" ? UNKNOWN_TEXT : NOT_STARTED_TEXT;
  return { kind: "toolResult", callId, outcome: "interrupted", text, ...(title === undefined ? {} : { title }) };
}

type CallFate = Pick<BatchCall, "state" | "title" | "result">;

type BatchHead = Omit<ToolBatch, "assistant" | "calls" | "lastAtMs">;

/** The assistant's message and the fate of its calls, row by row: each row is read once. */
export class BatchFold {
  readonly #head: BatchHead;
  /** Of the assistant's message. */
  readonly #parts: readonly Part[];
  #lastAtMs: number;
  /** With what each was said to do, where that was stored. */
  readonly #started = new Map<ToolCallId, { readonly title?: string }>();
  readonly #results = new Map<ToolCallId, ToolResultPart>();

  constructor(head: BatchHead, parts: readonly Part[]) {
    this.#head = head;
    this.#parts = parts;
    this.#lastAtMs = head.startedAtMs;
  }

  /** Takes in the next row. */
  add({ eventType, content, createdAtMs }: JournalRow): void {
    this.#lastAtMs = createdAtMs;
    const stored = parseObject(content);
    const { callId, title } = stored;
    if (typeof callId !== "string") return;
    const id = toolCallId(callId);
    if (eventType === "batchRun") this.#started.set(id, typeof title === "string" ? { title } : {});
    else if (eventType === "batchResult") this.#addResult(id, stored);
  }

  /** The batch as far as it was taken in. */
  batch(): ToolBatch {
    const assistant: Message = { role: "assistant", parts: this.#parts };
    return { ...this.#head, assistant, calls: callsIn(assistant, this.stateOf), lastAtMs: this.#lastAtMs };
  }

  /** What is known of a call. */
  readonly stateOf = (callId: ToolCallId): CallFate => {
    const result = this.#results.get(callId);
    if (result !== undefined) return { state: "done", result };
    const started = this.#started.get(callId);
    return started === undefined ? { state: "notStarted" } : { state: "unknown", ...started };
  };

  #addResult(callId: ToolCallId, { outcome, text, title, durationMs }: StoredObject): void {
    const known = OUTCOMES.find((candidate) => candidate === outcome);
    if (known === undefined || typeof text !== "string") return;
    const result: ToolResultPart = { kind: "toolResult", callId, outcome: known, text };
    this.#results.set(callId, {
      ...result,
      ...(typeof title === "string" ? { title } : {}),
      ...(typeof durationMs === "number" ? { durationMs } : {}),
    });
  }
}

function callsIn({ parts }: Message, stateOf: (callId: ToolCallId) => CallFate): readonly BatchCall[] {
  return parts.flatMap((part) => (part.kind === "toolCall" ? [{ ...part, ...stateOf(part.callId) }] : []));
}

const OUTCOMES: readonly ToolResultPart["outcome"][] = ["ok", "error", "denied", "interrupted"];

// The row was written by this program from a typed message.
function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "parts" in value && Array.isArray(value.parts);
}
