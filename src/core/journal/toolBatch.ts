/**
 * A tool batch: an assistant message with calls, and the state of each call. The running batch and a recovered one are
 * the same fold over the same rows.
 */

import { parseStepId, toolCallId, type StepId, type ToolCallId } from "../ids.ts";
import type { AddedProblems, Message, Part, ResultSource, ToolCallPart, ToolResultPart } from "../message.ts";
import { isToolRow, type JournalRow } from "../store/journalRow.ts";
import { parseBegin, parseObject, type StepBeginning, type StoredObject } from "./stepContent.ts";

/** `unknown`: it was started, and nobody knows how it ended. */
export type BatchCallState = "notStarted" | "unknown" | "done";

export interface BatchCall extends ToolCallPart {
  readonly state: BatchCallState;
  /** Description shown to the user; only of a call that was started. */
  readonly title?: string;
  /** Only when `done`. */
  readonly result?: ToolResultPart;
}

export interface ToolBatch extends StepBeginning {
  readonly batchId: StepId;
  /** The streamed step whose message is `assistant`. */
  readonly from?: StepId;
  /** Time of the request; absent when unknown. */
  readonly askedAtMs?: number;
  readonly assistant: Message;
  readonly calls: readonly BatchCall[];
  readonly startedAtMs: number;
  readonly lastAtMs: number;
}

export const NOT_STARTED_TEXT = "This call was not run: it was stopped or cut off before it began.";
export const UNKNOWN_TEXT =
  "This call was interrupted while it ran. Whether it did what it was asked for is not known.";

/** Batches for the oldest question first. A batch whose first row is lost is skipped. */
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

/** Sorts the rows of one batch by number and folds them; `undefined` when the first one is lost. */
export function foldRows(rows: readonly JournalRow[]): BatchFold | undefined {
  const [first, ...others] = rows.toSorted((a, b) => a.seq - b.seq);
  const fold = first === undefined ? undefined : beginFold(first);
  for (const row of others) fold?.add(row);
  return fold;
}

/** `undefined` when the row is malformed or begins no batch. */
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

/** One result for every call: an interrupted one where there is none yet. */
export function resultsOf(batch: ToolBatch): Message {
  return { role: "user", parts: batch.calls.map((call) => call.result ?? interrupted(call)) };
}

/** Results for a message none of whose calls was run; `undefined` when it has no calls. */
export function resultsNotRun({ parts }: Message): Message | undefined {
  const calls = parts.filter((part) => part.kind === "toolCall");
  if (calls.length === 0) return undefined;
  return { role: "user", parts: calls.map(({ callId }) => interrupted({ callId, state: "notStarted" })) };
}

function interrupted({ callId, state, title }: Pick<BatchCall, "callId" | "state" | "title">): ToolResultPart {
  const text = state === "unknown" ? UNKNOWN_TEXT : NOT_STARTED_TEXT;
  return { kind: "toolResult", callId, outcome: "interrupted", text, ...(title === undefined ? {} : { title }) };
}

type CallStatus = Pick<BatchCall, "state" | "title" | "result">;

type BatchHead = Omit<ToolBatch, "assistant" | "calls" | "lastAtMs">;

/** Reads each row once. */
export class BatchFold {
  readonly #head: BatchHead;
  /** Of the assistant's message. */
  readonly #parts: readonly Part[];
  #lastAtMs: number;
  /** Calls that were started, with their titles where stored. */
  readonly #started = new Map<ToolCallId, { readonly title?: string }>();
  readonly #results = new Map<ToolCallId, ToolResultPart>();

  constructor(head: BatchHead, parts: readonly Part[]) {
    this.#head = head;
    this.#parts = parts;
    this.#lastAtMs = head.startedAtMs;
  }

  add({ eventType, content, createdAtMs }: JournalRow): void {
    this.#lastAtMs = createdAtMs;
    const stored = parseObject(content);
    const { callId, title } = stored;
    if (typeof callId !== "string") return;
    const id = toolCallId(callId);
    if (eventType === "batchRun") this.#started.set(id, typeof title === "string" ? { title } : {});
    else if (eventType === "batchResult") this.#addResult(id, stored);
  }

  batch(): ToolBatch {
    const assistant: Message = { role: "assistant", parts: this.#parts };
    return { ...this.#head, assistant, calls: callsIn(assistant, this.stateOf), lastAtMs: this.#lastAtMs };
  }

  readonly stateOf = (callId: ToolCallId): CallStatus => {
    const result = this.#results.get(callId);
    if (result !== undefined) return { state: "done", result };
    const started = this.#started.get(callId);
    return started === undefined ? { state: "notStarted" } : { state: "unknown", ...started };
  };

  #addResult(callId: ToolCallId, { outcome, text, title, durationMs, sources, problems }: StoredObject): void {
    const known = OUTCOMES.find((candidate) => candidate === outcome);
    if (known === undefined || typeof text !== "string") return;
    const result: ToolResultPart = { kind: "toolResult", callId, outcome: known, text };
    this.#results.set(callId, {
      ...result,
      ...(typeof title === "string" ? { title } : {}),
      ...(typeof durationMs === "number" ? { durationMs } : {}),
      ...(Array.isArray(sources) && sources.every(isSource) ? { sources } : {}),
      ...(areProblems(problems) ? { problems } : {}),
    });
  }
}

function callsIn({ parts }: Message, stateOf: (callId: ToolCallId) => CallStatus): readonly BatchCall[] {
  return parts.flatMap((part) => (part.kind === "toolCall" ? [{ ...part, ...stateOf(part.callId) }] : []));
}

/** The checksum of a row proves that this program wrote it. */
function isSource(value: unknown): value is ResultSource {
  return typeof value === "object" && value !== null && "conversation" in value && "messages" in value;
}

/** As for a source. */
function areProblems(value: unknown): value is AddedProblems {
  return typeof value === "object" && value !== null && "listed" in value && "more" in value;
}

const OUTCOMES: readonly ToolResultPart["outcome"][] = ["ok", "error", "denied", "interrupted"];

// The row was written by this program from a typed message.
function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "parts" in value && Array.isArray(value.parts);
}
