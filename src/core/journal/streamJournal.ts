/**
 * The journal of the answer being streamed: each event is on the disk before anybody sees it.
 *
 *   beginSession ──> active ──append──> active ──seal──> sealed: accepts no more events; one of
 *                                                          - the message enters the history, with a `journalDrop` of
 *                                                            this step in the same transaction
 *                                                          - discard: the rows are dropped, as nothing was received
 *                                                          - nothing: the rows stay and wait for the user (`leftover`)
 *
 * Invariants: one step is active at a time; rows are numbered without a gap; after a failed append nothing more is
 * accepted, so what is stored is always a prefix of what was received. A crash leaves the rows, which `recoverAnswers`
 * reads.
 */

import type { StorageFailed } from "../errors.ts";
import type { StepId } from "../ids.ts";
import type { Message } from "../message.ts";
import type { Clock } from "../clock.ts";
import type { JournalStore, JournalWrite } from "../store/conversationStore.ts";
import { err, invariant, ok, type Result } from "../result.ts";
import type { StreamEvent } from "../stream/streamEvent.ts";
import type { JournalRow } from "../store/journalRow.ts";
import { recoverAnswers, type RecoverableAnswer } from "./recoverAnswers.ts";
import { MessageBuilder } from "./messageBuilder.ts";
import { beginContent, contentEvent, rowContents, type RowContent, type StepBeginning } from "./stepContent.ts";

export interface StepStart extends StepBeginning {
  readonly stepId: StepId;
  readonly startedAtMs: number;
}

export class StreamJournal {
  readonly #store: JournalStore;
  readonly #clock: Clock;
  #newest: ActiveJournal | undefined;

  constructor(store: JournalStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  get active(): ActiveJournal | undefined {
    return this.#newest?.isSealed === false ? this.#newest : undefined;
  }

  /** Resolves when the first row is durable. Throws while another step is active, which would be a bug. */
  async beginSession(start: StepStart): Promise<Result<ActiveJournal, StorageFailed>> {
    invariant(this.active === undefined, "one step is streamed at a time");
    const journal = new ActiveJournal(this.#store, this.#clock, start);
    this.#newest = journal;
    const begun = await journal.begin();
    if (begun.ok) return ok(journal);
    journal.seal();
    return begun;
  }

  /** The step as recovery would find it; `undefined` unless it is the newest one and sealed. */
  recoverableAnswer(stepId: StepId): RecoverableAnswer | undefined {
    return this.#newest?.stepId === stepId && this.#newest.isSealed ? this.#newest.recoverableAnswer() : undefined;
  }
}

export class ActiveJournal {
  readonly stepId: StepId;
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #start: StepStart;
  readonly #message = new MessageBuilder();
  readonly #durable: JournalRow[] = [];
  #nextSeq = 0;
  #failure: StorageFailed | undefined;
  #sealed = false;

  constructor(store: JournalStore, clock: Clock, start: StepStart) {
    this.#store = store;
    this.#clock = clock;
    this.#start = start;
    this.stepId = start.stepId;
  }

  get isSealed(): boolean {
    return this.#sealed;
  }

  /** Stores the first row. */
  begin(): Promise<Result<void, StorageFailed>> {
    return this.#write([beginContent(this.#start)], this.#start.startedAtMs);
  }

  /** Only when this resolves with success may `events` be shown. */
  append(events: readonly StreamEvent[]): Promise<Result<void, StorageFailed>> {
    invariant(!this.#sealed, "nothing is appended to a sealed journal");
    return this.#write(rowContents(events), this.#clock.nowMs());
  }

  /** Accepts no more events; returns the message made of all that is durable. Idempotent. */
  seal(): Message {
    this.#sealed = true;
    return this.#message.message();
  }

  /** Drops the step's rows, for an answer of which nothing was received. */
  discard(): Promise<Result<void, StorageFailed>> {
    this.#sealed = true;
    return this.#store.commit([{ kind: "journalDrop", stepId: this.stepId }]);
  }

  /** This step as recovery would find it; `undefined` when nothing of it is durable. */
  recoverableAnswer(): RecoverableAnswer | undefined {
    return recoverAnswers(this.#durable)[0];
  }

  async #write(contents: readonly RowContent[], createdAtMs: number): Promise<Result<void, StorageFailed>> {
    if (this.#failure !== undefined) return err(this.#failure);
    if (contents.length === 0) return ok(undefined);
    const { stepId } = this;
    const rows = contents.map((content): JournalRow => ({ stepId, seq: this.#nextSeq++, createdAtMs, ...content }));
    const written = await this.#store.commit(rows.map((row): JournalWrite => ({ kind: "journalRow", row })));
    if (!written.ok) {
      this.#failure ??= written.error;
      return written;
    }
    for (const row of rows) {
      this.#durable.push(row);
      const event = contentEvent(row);
      if (event !== undefined) this.#message.add(event, row.createdAtMs);
    }
    return written;
  }
}
