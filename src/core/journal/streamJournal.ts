/**
 * The journal of the answer that is being streamed: every piece is on the disk before anybody sees it.
 *
 *   beginSession ──> active ──append──> active ──seal──> sealed: no more pieces; one of
 *                                                          - the message enters the history, with a `journalDrop` of
 *                                                            this step in the same transaction
 *                                                          - discard: the rows go, because nothing came
 *                                                          - nothing: the rows stay and wait for the user (`leftover`)
 *
 * Invariants: one step is active at a time; rows are numbered without a gap; after a failed append nothing more is
 * accepted, so what is stored is always a beginning of what came. A crash leaves the rows, which `recoverJournal` reads.
 */

import type { StorageFailed } from "../errors.ts";
import type { StepId } from "../ids.ts";
import type { Message } from "../message.ts";
import type { Clock } from "../clock.ts";
import type { JournalStore, JournalWrite } from "../store/conversationStore.ts";
import { err, invariant, ok, type Result } from "../result.ts";
import type { StreamEvent } from "../stream/streamEvent.ts";
import type { JournalRow } from "../store/journalRow.ts";
import { recoverJournal, type LeftoverStep } from "./recover.ts";
import { MessageBuilder } from "./messageBuilder.ts";
import { beginContent, contentEvent, rowContents, type RowContent, type StepBeginning } from "./stepContent.ts";

/** A step that is about to be streamed. */
export interface SessionStart extends StepBeginning {
  readonly stepId: StepId;
  readonly startedAtMs: number;
}

/** Begins steps of one conversation, one at a time. */
export class StreamJournal {
  readonly #store: JournalStore;
  readonly #clock: Clock;
  #newest: ActiveJournal | undefined;

  constructor(store: JournalStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The step that is being streamed, if one is. */
  get active(): ActiveJournal | undefined {
    return this.#newest?.isSealed === false ? this.#newest : undefined;
  }

  /** Makes the beginning of a step durable. Throws while another step is active, which would be a bug. */
  async beginSession(start: SessionStart): Promise<Result<ActiveJournal, StorageFailed>> {
    invariant(this.active === undefined, "one step is streamed at a time");
    const journal = new ActiveJournal(this.#store, this.#clock, start);
    this.#newest = journal;
    const begun = await journal.begin();
    if (begun.ok) return ok(journal);
    journal.seal();
    return begun;
  }

  /** The newest step as recovery would find it, once it is sealed and while nobody has decided about it. */
  leftover(stepId: StepId): LeftoverStep | undefined {
    return this.#newest?.stepId === stepId && this.#newest.isSealed ? this.#newest.leftover() : undefined;
  }
}

/** The journal of one step, from its beginning to its end. */
export class ActiveJournal {
  readonly stepId: StepId;
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #start: SessionStart;
  readonly #message = new MessageBuilder();
  readonly #durable: JournalRow[] = [];
  #nextSeq = 0;
  #failure: StorageFailed | undefined;
  #sealed = false;

  constructor(store: JournalStore, clock: Clock, start: SessionStart) {
    this.#store = store;
    this.#clock = clock;
    this.#start = start;
    this.stepId = start.stepId;
  }

  /** True once nothing more is accepted. */
  get isSealed(): boolean {
    return this.#sealed;
  }

  /** Stores the first row. */
  begin(): Promise<Result<void, StorageFailed>> {
    return this.#write([beginContent(this.#start)], this.#start.startedAtMs);
  }

  /** Makes `events` durable, in this order; only when this resolves with success may they be shown. */
  append(events: readonly StreamEvent[]): Promise<Result<void, StorageFailed>> {
    invariant(!this.#sealed, "nothing is appended to a sealed journal");
    return this.#write(rowContents(events), this.#clock.nowMs());
  }

  /** Accepts nothing more; answers the message made of all that is durable. Idempotent. */
  seal(): Message {
    this.#sealed = true;
    return this.#message.message();
  }

  /** Drops the step's rows: for an answer of which nothing came. */
  discard(): Promise<Result<void, StorageFailed>> {
    this.#sealed = true;
    return this.#store.commit([{ kind: "journalDrop", stepId: this.stepId }]);
  }

  /** This step as recovery would find it; `undefined` when nothing of it is durable. */
  leftover(): LeftoverStep | undefined {
    return recoverJournal(this.#durable)[0];
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
