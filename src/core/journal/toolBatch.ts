/**
 * A tool batch: an assistant message with calls, and what is known of each call. The running batch and the one that a
 * crash left are the same fold over the same rows.
 */

import { parseStepId, toolCallId, type StepId, type ToolCallId } from "../ids.ts";
import type { Message, Part, ToolCallPart, ToolResultPart } from "../message.ts";
import { isToolRow, type JournalRow } from "./journalRow.ts";
import { parseBegin, parseObject, type StepBeginning } from "./stepContent.ts";

/** `notStarted`: nothing was run. `unknown`: it was started and nobody knows how it ended. `done`: the result is there. */
export type ToolCallState = "notStarted" | "unknown" | "done";

/** One call of a batch. */
export interface BatchCall extends ToolCallPart {
  readonly state: ToolCallState;
  /** Only when `done`. */
  readonly result?: ToolResultPart;
}

/** A batch as the journal knows it. */
export interface ToolBatch extends StepBeginning {
  readonly batchId: StepId;
  /** The streamed step that asked for the tools; its message is `assistant`. Absent in a batch that was streamed itself. */
  readonly from?: StepId;
  /** What the assistant said, calls included. */
  readonly assistant: Message;
  readonly calls: readonly BatchCall[];
  readonly startedAtMs: number;
  readonly lastAtMs: number;
}

/** Words of a result that nobody waited for. */
export const NOT_STARTED_TEXT = "This call was not run: the conversation was interrupted before it began.";
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
    .flatMap((step) => toolBatchOf(step) ?? [])
    .toSorted((a, b) => a.asked - b.asked || a.startedAtMs - b.startedAtMs);
}

/** Folds the rows of one batch, in order of their numbers. */
export function toolBatchOf(rows: readonly JournalRow[]): ToolBatch | undefined {
  const ordered = rows.toSorted((a, b) => a.seq - b.seq);
  const [first] = ordered;
  const beginning = first?.eventType === "batchBegin" ? parseBegin(first.content) : undefined;
  if (first === undefined || beginning === undefined) return undefined;
  const { message, from } = parseObject(first.content);
  const fold = new BatchFold(isMessage(message) ? message.parts : []);
  for (const row of ordered) fold.add(row);
  const step = typeof from === "string" ? parseStepId(from) : undefined;
  return {
    batchId: first.stepId,
    ...beginning,
    ...(step === undefined ? {} : { from: step }),
    assistant: { role: "assistant", parts: fold.parts() },
    calls: fold.calls(),
    startedAtMs: first.createdAtMs,
    lastAtMs: ordered.at(-1)?.createdAtMs ?? first.createdAtMs,
  };
}

/** The message of results: one for every call, so that no call is ever without. */
export function resultsOf(batch: ToolBatch): Message {
  return { role: "user", parts: batch.calls.map((call) => call.result ?? interrupted(call)) };
}

function interrupted({ callId, state }: BatchCall): ToolResultPart {
  const text = state === "unknown" ? UNKNOWN_TEXT : NOT_STARTED_TEXT;
  return { kind: "toolResult", callId, outcome: "interrupted", text };
}

/** The parts of the assistant's message and the fate of its calls, row by row. */
class BatchFold {
  /** The message of a batch that was begun whole; empty in one that is streamed. */
  readonly #whole: readonly Part[];
  #text = "";
  readonly #streamed = new Map<ToolCallId, { readonly name: string; readonly args: string[] }>();
  readonly #started = new Set<ToolCallId>();
  readonly #results = new Map<ToolCallId, ToolResultPart>();

  constructor(whole: readonly Part[]) {
    this.#whole = whole;
  }

  add({ eventType, content }: JournalRow): void {
    if (eventType === "batchText") {
      this.#text = content;
      return;
    }
    const { callId, name, json, outcome, text } = parseObject(content);
    if (typeof callId !== "string") return;
    const id = toolCallId(callId);
    if (eventType === "batchCall" && typeof name === "string") this.#streamed.set(id, { name, args: [] });
    else if (eventType === "batchCallArgs" && typeof json === "string") this.#streamed.get(id)?.args.push(json);
    else if (eventType === "batchRun") this.#started.add(id);
    else if (eventType === "batchResult" && typeof text === "string") this.#addResult(id, outcome, text);
  }

  parts(): readonly Part[] {
    if (this.#whole.length > 0) return this.#whole;
    const text: readonly Part[] = this.#text === "" ? [] : [{ kind: "text", text: this.#text }];
    const calls = [...this.#streamed].map(([callId, { name, args }]): Part => {
      return { kind: "toolCall", callId, name, inputJson: args.join("") };
    });
    return [...text, ...calls];
  }

  calls(): readonly BatchCall[] {
    return this.parts().flatMap((part): readonly BatchCall[] => {
      if (part.kind !== "toolCall") return [];
      const result = this.#results.get(part.callId);
      if (result !== undefined) return [{ ...part, state: "done", result }];
      return [{ ...part, state: this.#started.has(part.callId) ? "unknown" : "notStarted" }];
    });
  }

  #addResult(callId: ToolCallId, outcome: unknown, text: string): void {
    const known = OUTCOMES.find((candidate) => candidate === outcome);
    if (known !== undefined) this.#results.set(callId, { kind: "toolResult", callId, outcome: known, text });
  }
}

const OUTCOMES: readonly ToolResultPart["outcome"][] = ["ok", "error", "interrupted"];

// The row was written by this program from a typed message.
function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "parts" in value && Array.isArray(value.parts);
}
