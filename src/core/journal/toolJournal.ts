/**
 * The journal of the tool calls of one assistant message. A call is on the disk before its tool runs, a result before
 * anybody sees it, and message and results enter the history together.
 *
 *   beginBatch ──> open ──recordRunStart, recordResult──> open ──commitBatch──> history
 *   resumeBatch ───┘  after a crash, when the user chooses to
 *
 * Invariants: one batch is open at a time; no call is rerun automatically; a message with calls never enters the
 * history without a result for each of them (`resultsOf` gives an interrupted one to those that have none).
 */

import type { StorageFailed } from "../errors.ts";
import type { StepId, ToolCallId } from "../ids.ts";
import type { Message, ToolResultPart } from "../message.ts";
import type { Clock } from "../clock.ts";
import type { JournalStore, JournalWrite } from "../store/conversationStore.ts";
import { err, invariant, ok, type Result } from "../result.ts";
import type { JournalRow, ToolRowType } from "../store/journalRow.ts";
import type { RowContent, StepBeginning } from "./stepContent.ts";
import { beginFold, foldRows, type BatchFold, type ToolBatch, type BatchCallState } from "./toolBatch.ts";
import { withUniqueCallIds } from "./uniqueCallIds.ts";

/** `batchId` is a step id of its own. */
export interface BatchStart extends StepBeginning {
  readonly batchId: StepId;
  readonly assistant: Message;
  /** The streamed step that the message comes from: its rows are dropped in the same transaction. */
  readonly from?: StepId;
  /** Time of the request. */
  readonly askedAtMs?: number;
}

interface OpenBatch {
  readonly batchId: StepId;
  /** All durable rows. */
  readonly rows: JournalRow[];
  /** Fold of `rows`; absent before the first one is stored. */
  fold: BatchFold | undefined;
  nextSeq: number;
  failure: StorageFailed | undefined;
}

type Stored = Promise<Result<void, StorageFailed>>;

export class ToolJournal {
  readonly #store: JournalStore;
  readonly #clock: Clock;
  #open: OpenBatch | undefined;

  constructor(store: JournalStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The open batch as it is on the disk. */
  get batch(): ToolBatch | undefined {
    return this.#open?.fold?.batch();
  }

  /** `assistant` is complete, and none of its calls has been run. */
  async beginBatch({ batchId, model, asked, continues, assistant, from, askedAtMs }: BatchStart): Stored {
    invariant(this.#open === undefined, "one batch is open at a time");
    this.#open = { batchId, rows: [], fold: undefined, nextSeq: 0, failure: undefined };
    const message = withUniqueCallIds(assistant);
    const content = JSON.stringify({ model, asked, continues, message, from, askedAtMs });
    const drop: readonly JournalWrite[] = from === undefined ? [] : [{ kind: "journalDrop", stepId: from }];
    const begun = await this.#write("batchBegin", content, drop);
    if (!begun.ok) this.#open = undefined;
    return begun;
  }

  /** Opens a batch that a crash left. Runs nothing. */
  resumeBatch(batchId: StepId, rows: readonly JournalRow[]): void {
    invariant(this.#open === undefined, "one batch is open at a time");
    const own = rows.filter((row) => row.stepId === batchId).sort((a, b) => a.seq - b.seq);
    const fold = foldRows(own);
    invariant(fold !== undefined, "a batch that can be resumed has a beginning");
    this.#open = { batchId, rows: own, fold, nextSeq: (own.at(-1)?.seq ?? 0) + 1, failure: undefined };
  }

  /**
   * After a failed write the batch accepts no more rows; this moves the durable ones to a new batch `batchId`, in one
   * transaction.
   */
  async recreateBatch(batchId: StepId): Stored {
    const open = this.#open;
    if (open?.failure === undefined) return ok(undefined);
    const rows = open.rows.map((row, seq): JournalRow => ({ ...row, stepId: batchId, seq }));
    const moved = await this.#store.commit([
      { kind: "journalDrop", stepId: open.batchId },
      ...rows.map((row): JournalWrite => ({ kind: "journalRow", row })),
    ]);
    if (moved.ok) this.#open = { batchId, rows, fold: foldRows(rows), nextSeq: rows.length, failure: undefined };
    return moved;
  }

  /** Records that a call starts, and the title shown to the user. Its tool may run only when this has succeeded. */
  recordRunStart(callId: ToolCallId, title?: string): Stored {
    this.#assertState(callId, "notStarted");
    return this.#write("batchRun", JSON.stringify({ callId, title }));
  }

  /** The result may be shown only when this has succeeded. */
  recordResult(result: Omit<ToolResultPart, "kind">): Stored {
    const { callId, outcome, text, title, durationMs, sources, problems } = result;
    invariant(this.#stateOf(callId) !== "done", `call ${callId} has one result`);
    return this.#write("batchResult", JSON.stringify({ callId, outcome, text, title, durationMs, sources, problems }));
  }

  /**
   * Runs `commit`, which puts `batch.assistant` and `results` (of `resultsOf`) into the history in one transaction with
   * `end`, and calls `ended` once that is durable. After a failure the batch is still open.
   */
  async commitBatch<T, E>(
    results: Message,
    commit: (end: JournalWrite, ended: () => void) => Promise<Result<T, E>>,
  ): Promise<Result<T, E>> {
    const { batch } = this;
    invariant(batch !== undefined, "a batch is open");
    const answered = new Set(results.parts.flatMap((part) => (part.kind === "toolResult" ? [part.callId] : [])));
    invariant(
      batch.calls.every(({ callId }) => answered.has(callId)),
      "every call has a result",
    );
    const { batchId } = batch;
    return commit({ kind: "journalDrop", stepId: batchId }, () => {
      this.#open = undefined;
    });
  }

  async #write(eventType: ToolRowType, content: string, others: readonly JournalWrite[] = []): Stored {
    const open = this.#open;
    invariant(open !== undefined, "a batch is open");
    if (open.failure !== undefined) return err(open.failure);
    const piece: RowContent<ToolRowType> = { eventType, content };
    const row: JournalRow = { stepId: open.batchId, seq: open.nextSeq++, createdAtMs: this.#clock.nowMs(), ...piece };
    const written = await this.#store.commit([{ kind: "journalRow", row }, ...others]);
    if (!written.ok) {
      open.failure ??= written.error;
      return written;
    }
    open.rows.push(row);
    if (open.fold === undefined) open.fold = beginFold(row);
    else open.fold.add(row);
    return written;
  }

  #stateOf(callId: ToolCallId): BatchCallState | undefined {
    return this.#open?.fold?.stateOf(callId).state;
  }

  #assertState(callId: ToolCallId, expected: string): void {
    const state = this.#stateOf(callId);
    invariant(state === expected, `call ${callId} is ${expected}, not ${state ?? "unknown to the batch"}`);
  }
}
