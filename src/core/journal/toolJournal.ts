/**
 * The journal of the tool calls that one assistant message asks for. A call is on the disk before its tool runs, a result
 * before anybody sees it, and message and results enter the history together.
 *
 *   beginBatch / beginStreamingBatch ──> open ──recordRunStart, recordResult──> open ──commitBatch──> history
 *                                          │ resumeBatch: after a crash, on the user's word                └─ discardBatch
 *
 * Invariants: one batch is open at a time; nothing is run again by itself; a message with calls never enters the history
 * without a result for each of them (`resultsOf` gives an interrupted one to those that have none).
 */

import type { StorageFailed } from "../errors.ts";
import type { MessageRecord } from "../history/records.ts";
import type { StepId, ToolCallId } from "../ids.ts";
import type { Message, ToolResultPart } from "../message.ts";
import type { Clock, ConversationStore, StoreWrite } from "../ports.ts";
import { err, invariant, ok, type Result } from "../result.ts";
import type { JournalRow, ToolRowType } from "./journalRow.ts";
import type { RowContent, StepBeginning } from "./stepContent.ts";
import { toolBatchOf, type ToolBatch } from "./toolBatch.ts";

/** A batch that is about to begin. `batchId` is a step id of its own. */
export interface BatchStart extends StepBeginning {
  readonly batchId: StepId;
}

/** A batch whose message is complete. */
export interface WholeBatchStart extends BatchStart {
  readonly assistant: Message;
  /** The streamed step that the message comes from: its rows go in the same transaction. */
  readonly from?: StepId;
}

interface OpenBatch {
  readonly batchId: StepId;
  rows: readonly JournalRow[];
  nextSeq: number;
  failure: StorageFailed | undefined;
}

type Stored = Promise<Result<void, StorageFailed>>;

/** Records the batches of one conversation, one at a time. */
export class ToolJournal {
  readonly #store: ConversationStore;
  readonly #clock: Clock;
  #open: OpenBatch | undefined;

  constructor(store: ConversationStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The open batch as it is on the disk; `undefined` when none is open. */
  get batch(): ToolBatch | undefined {
    return this.#open === undefined ? undefined : toolBatchOf(this.#open.rows);
  }

  /** Begins a batch with a complete message, none of whose calls has been run. */
  beginBatch({ batchId, model, asked, assistant, from }: WholeBatchStart): Stored {
    const content = JSON.stringify({ model, asked, message: assistant, ...(from === undefined ? {} : { from }) });
    const drop: readonly StoreWrite[] = from === undefined ? [] : [{ kind: "journalDrop", stepId: from }];
    return this.#begin(batchId, content, drop);
  }

  /** Begins a batch whose message is still being written by the model. */
  beginStreamingBatch({ batchId, model, asked }: BatchStart): Stored {
    return this.#begin(batchId, JSON.stringify({ model, asked }), []);
  }

  /** Opens a batch that a crash left. Its calls keep their states: nothing is run by this. */
  resumeBatch(batchId: StepId, rows: readonly JournalRow[]): void {
    invariant(this.#open === undefined, "one batch is open at a time");
    const own = rows.filter((row) => row.stepId === batchId);
    invariant(toolBatchOf(own) !== undefined, "a batch that can be resumed has a beginning");
    const nextSeq = Math.max(...own.map(({ seq }) => seq)) + 1;
    this.#open = { batchId, rows: own, nextSeq, failure: undefined };
  }

  /** While streaming: the model begins a call. */
  recordCallStart(callId: ToolCallId, name: string): Stored {
    return this.#write("batchCall", JSON.stringify({ callId, name }));
  }

  /** While streaming: a piece of a call's arguments. */
  appendCallArgs(callId: ToolCallId, json: string): Stored {
    return this.#write("batchCallArgs", JSON.stringify({ callId, json }));
  }

  /** While streaming: all that the assistant has said so far. */
  updateAssistantText(text: string): Stored {
    return this.#write("batchText", text);
  }

  /** Says that a call is about to be run. Only when this has succeeded may its tool be started. */
  recordRunStart(callId: ToolCallId): Stored {
    this.#demandState(callId, "notStarted");
    return this.#write("batchRun", JSON.stringify({ callId }));
  }

  /** Says how a call ended. Only when this has succeeded may the result be shown. */
  recordResult({ callId, outcome, text }: Omit<ToolResultPart, "kind">): Stored {
    invariant(this.#stateOf(callId) !== "done", `call ${callId} has one result`);
    return this.#write("batchResult", JSON.stringify({ callId, outcome, text }));
  }

  /**
   * Adds the message and its results to the history and drops the batch, in one transaction. The records are made of
   * `batch.assistant` and `resultsOf(batch)`. After a failure the batch is still open.
   */
  async commitBatch(assistant: MessageRecord, results: MessageRecord): Stored {
    const { batch } = this;
    invariant(batch !== undefined, "a batch is open");
    const answered = new Set(
      results.message.parts.flatMap((part) => (part.kind === "toolResult" ? [part.callId] : [])),
    );
    invariant(
      batch.calls.every(({ callId }) => answered.has(callId)),
      "every call has a result",
    );
    return await this.#end([
      { kind: "record", record: assistant },
      { kind: "record", record: results },
    ]);
  }

  /** Forgets the batch, on the user's word. */
  async discardBatch(): Stored {
    return await this.#end([]);
  }

  async #begin(batchId: StepId, content: string, others: readonly StoreWrite[]): Stored {
    invariant(this.#open === undefined, "one batch is open at a time");
    this.#open = { batchId, rows: [], nextSeq: 0, failure: undefined };
    const begun = await this.#write("batchBegin", content, others);
    if (!begun.ok) this.#open = undefined;
    return begun;
  }

  async #write(eventType: ToolRowType, content: string, others: readonly StoreWrite[] = []): Stored {
    const open = this.#open;
    invariant(open !== undefined, "a batch is open");
    if (open.failure !== undefined) return err(open.failure);
    const piece: RowContent<ToolRowType> = { eventType, content };
    const row: JournalRow = { stepId: open.batchId, seq: open.nextSeq++, createdAtMs: this.#clock.nowMs(), ...piece };
    const written = await this.#store.commit([{ kind: "journalRow", row }, ...others]);
    if (written.ok) open.rows = [...open.rows, row];
    else open.failure ??= written.error;
    return written;
  }

  async #end(records: readonly StoreWrite[]): Stored {
    const open = this.#open;
    invariant(open !== undefined, "a batch is open");
    const ended = await this.#store.commit([...records, { kind: "journalDrop", stepId: open.batchId }]);
    if (!ended.ok) return ended;
    this.#open = undefined;
    return ok(undefined);
  }

  #stateOf(callId: ToolCallId): string | undefined {
    return this.batch?.calls.find((call) => call.callId === callId)?.state;
  }

  #demandState(callId: ToolCallId, expected: string): void {
    const state = this.#stateOf(callId);
    invariant(state === expected, `call ${callId} is ${expected}, not ${state ?? "unknown to the batch"}`);
  }
}
