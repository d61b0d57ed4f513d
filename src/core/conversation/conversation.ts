/**
 * The owner of every change of an open conversation. A change consists of records: they are durable first, then applied to
 * the index, then effects run. Nobody else commits records.
 *
 *   change ──make──> records ──commit──> durable ──apply──> index ──effects, in order──> shown
 *
 * Changes run one at a time, so that records are made from an index that has all earlier ones. Effects run one at a time in
 * a queue of their own, so that an effect may start another change without awaiting it.
 */

import type { Clock } from "../clock.ts";
import type { ContextManager } from "../context/contextManager.ts";
import type { ForgeError, StorageFailed } from "../errors.ts";
import type { Erasure } from "../history/erasure.ts";
import type { Fork } from "../history/fork.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import type { ConversationRecord } from "../history/records.ts";
import { ok, type Result } from "../result.ts";
import type { ConversationStore, JournalWrite, OpenStore } from "../store/conversationStore.ts";
import { WorkQueue } from "../workQueue.ts";
import { ModelChangeRecorder } from "./modelChangeRecorder.ts";

/** Records and the journal rows that begin or end with them, stored in one transaction. */
export interface ChangeDraft {
  readonly records: readonly ConversationRecord[];
  readonly writes?: readonly JournalWrite[];
  /** Called after the records are applied to the index and before their effects run. */
  readonly applied?: () => void;
}

/** Durable and applied to the index. */
export interface Change {
  /** In the order applied; never empty. */
  readonly records: readonly ConversationRecord[];
}

/** Follow-up of a change: rows, meter, list entry, summaries. */
export interface ConversationEffect {
  /** Must not await another change, whose effects would wait for this one. Throwing is a bug. */
  afterChange(change: Change): void | Promise<void>;
}

export class Conversation {
  readonly #file: ConversationStore;
  readonly context: ContextManager;
  readonly #models: ModelChangeRecorder;
  readonly #changes = new WorkQueue();
  readonly #effectQueue = new WorkQueue();
  #effects: readonly ConversationEffect[] = [];
  #recordCount: number;

  /** `context` has all records of `store` applied. */
  constructor(store: ConversationStore, context: ContextManager, clock: Clock) {
    this.#file = store;
    this.context = context;
    this.#recordCount = store.shape.recordCount;
    this.#models = new ModelChangeRecorder(context, clock);
  }

  /** Journal rows and the draft are written through this; records are not. */
  get store(): OpenStore {
    return this.#file;
  }

  get history(): FullHistory {
    return this.context.history;
  }

  /** Number of stored records. */
  get recordCount(): number {
    return this.#recordCount;
  }

  /** Runs `effects` after every later change, in this order. */
  setEffects(effects: readonly ConversationEffect[]): void {
    this.#effects = effects;
  }

  /** Commits and applies `records`; resolves when their effects have run. */
  async change(
    records: readonly ConversationRecord[],
    writes: readonly JournalWrite[] = [],
  ): Promise<Result<void, StorageFailed>> {
    const changed = await this.changeBy(() => ok({ records, writes }));
    return changed.ok ? ok(undefined) : changed;
  }

  /**
   * Like `change`, with records that `make` creates when the change's turn comes: it sees all earlier changes. If
   * `make` fails, nothing changes; if it creates no records, only its `writes` are stored.
   */
  changeBy<Draft extends ChangeDraft, E extends ForgeError = never>(
    make: () => Result<Draft, E>,
  ): Promise<Result<Draft, E | StorageFailed>> {
    return this.#withEffects(async (applied) => {
      const made = make();
      if (!made.ok) return made;
      const { records, writes = [] } = made.value;
      const stored = await this.#commit(records, writes);
      if (!stored.ok) return stored;
      applied(records, made.value.applied);
      return made;
    });
  }

  /**
   * Commits exactly `records`, which count the records before them: no model is put there. With `at`, only if so many are
   * stored when the change's turn comes, else nothing changes.
   */
  changeAt(records: readonly ConversationRecord[], at?: number): Promise<Result<"stored" | "changed", StorageFailed>> {
    return this.#withEffects<Result<"stored" | "changed", StorageFailed>>(async (applied) => {
      if (at !== undefined && at !== this.#recordCount) return ok("changed");
      const stored = await this.#store(records, []);
      if (!stored.ok) return stored;
      this.#models.noteStored(records);
      applied(records);
      return ok("stored");
    });
  }

  /**
   * Permanently erases message text: in every file of the conversation, then in the index. `make` is called after all
   * earlier changes; commits wait meanwhile.
   */
  erase(make: () => Erasure): Promise<Result<void, StorageFailed>> {
    return this.#withEffects(async (applied) => {
      const erasure = make();
      const { records, confirm } = this.#models.withModel([]);
      // A failure to record the model must not prevent the erasure.
      if ((await this.#store(records, [])).ok) confirm();
      const erased = await this.#file.erase(erasure);
      if (erased.ok) {
        this.#recordCount++;
        applied([erasure.record]);
      }
      return erased;
    });
  }

  /** Stores a fork in the empty `folder`. `make` is called after all earlier changes; later ones go on meanwhile. */
  async fork(folder: string, make: () => Fork): Promise<Result<void, StorageFailed>> {
    // Wrapped, so that the queue waits for its beginning alone.
    const { done } = await this.#changes.run(() => Promise.resolve({ done: this.#file.fork(make(), folder) }));
    return done;
  }

  /** Runs `change` in its turn, then awaits the effects of what it applied, which run after earlier effects. */
  async #withEffects<T>(
    change: (applied: (records: readonly ConversationRecord[], next?: () => void) => void) => Promise<T>,
  ): Promise<T> {
    let effects: Promise<void> | undefined;
    const changed = await this.#changes.run(() =>
      change((records, next) => {
        for (const record of records) this.context.apply(record);
        next?.();
        if (records.length > 0) effects = this.#effectQueue.run(() => this.#runEffects({ records }));
      }),
    );
    await effects;
    return changed;
  }

  async #commit(
    records: readonly ConversationRecord[],
    writes: readonly JournalWrite[],
  ): Promise<Result<void, StorageFailed>> {
    if (records.length === 0) return this.#store([], writes);
    const withModel = this.#models.withModel(records);
    const stored = await this.#store(withModel.records, writes);
    if (stored.ok) withModel.confirm();
    return stored;
  }

  async #store(
    records: readonly ConversationRecord[],
    writes: readonly JournalWrite[],
  ): Promise<Result<void, StorageFailed>> {
    if (records.length === 0 && writes.length === 0) return ok(undefined);
    const stored = await this.#file.commit([
      ...records.map((record) => ({ kind: "record", record }) as const),
      ...writes,
    ]);
    if (stored.ok) this.#recordCount += records.length;
    return stored;
  }

  /** Runs every effect even if one throws; rethrows the first error. */
  async #runEffects(change: Change): Promise<void> {
    const thrown: unknown[] = [];
    for (const effect of this.#effects) {
      try {
        await effect.afterChange(change);
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
  }
}
