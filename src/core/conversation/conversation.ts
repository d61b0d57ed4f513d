/**
 * The owner of every change of an open conversation. A change is made of records; it is durable first, then in the index,
 * then its effects run. Nobody else commits records.
 *
 *   change ──make──> records ──commit──> durable ──apply──> index ──effects, in their order──> shown
 *
 * Changes are made one after another: a record is made from the index that holds all records before it. Effects run one
 * after another, too, outside of that order, so that one may start another change without waiting for it.
 */

import type { Clock } from "../clock.ts";
import type { ContextManager } from "../context/contextManager.ts";
import type { ForgeError, StorageFailed } from "../errors.ts";
import type { Erasure } from "../history/erasure.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import type { ConversationRecord } from "../history/records.ts";
import { ok, type Result } from "../result.ts";
import type { ConversationStore, JournalWrite, OpenStore } from "../store/conversationStore.ts";
import { WorkQueue } from "../workQueue.ts";
import { ModelChangeRecorder } from "./modelChangeRecorder.ts";

/** Records to be stored in one transaction, with the rows of journals that begin or end with them. */
export interface ChangeDraft {
  readonly records: readonly ConversationRecord[];
  readonly writes?: readonly JournalWrite[];
  /** Called when the records are in the index, before their effects: what they ended has ended. */
  readonly applied?: () => void;
}

/** A change that is durable and in the index. */
export interface Change {
  /** In the order in which they were applied; never empty. */
  readonly records: readonly ConversationRecord[];
}

/** What follows from a change: rows, figures, the list's entry, summaries. */
export interface ConversationEffect {
  /** Called after each change. It must not wait for another change, which would wait for it. What it throws is a bug. */
  afterChange(change: Change): void | Promise<void>;
}

/** One open conversation: its index, its file, and what follows from its changes. */
export class Conversation {
  readonly #file: ConversationStore;
  readonly context: ContextManager;
  readonly #models: ModelChangeRecorder;
  readonly #changes = new WorkQueue();
  readonly #shown = new WorkQueue();
  #effects: readonly ConversationEffect[] = [];

  /** `context` has all records of `store` applied. */
  constructor(store: ConversationStore, context: ContextManager, clock: Clock) {
    this.#file = store;
    this.context = context;
    this.#models = new ModelChangeRecorder(context, clock);
  }

  /** What is stored of it. Journals and the draft are written here, records are not. */
  get store(): OpenStore {
    return this.#file;
  }

  /** The index of all that happened. */
  get history(): FullHistory {
    return this.context.history;
  }

  /** Has `effects` run after every change from now on, in this order. */
  useEffects(effects: readonly ConversationEffect[]): void {
    this.#effects = effects;
  }

  /** Makes `records` a part of the conversation; resolves when their effects have run. */
  async change(
    records: readonly ConversationRecord[],
    writes: readonly JournalWrite[] = [],
  ): Promise<Result<void, StorageFailed>> {
    const changed = await this.changeBy(() => ok({ records, writes }));
    return changed.ok ? ok(undefined) : changed;
  }

  /**
   * The same with records that depend on the conversation as it is when their turn comes: `make` sees all changes before.
   * An error of it changes nothing. Where it makes no records, only its other writes are stored.
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
   * Erases the words of messages for good: in every file of the conversation, then in the index. `make` is called when all
   * changes before are in. Commits wait meanwhile.
   */
  erase(make: () => Erasure): Promise<Result<void, StorageFailed>> {
    return this.#withEffects(async (applied) => {
      const erasure = make();
      const { records, confirm } = this.#models.withModel([]);
      // What cannot be recorded of the model does not keep words from being erased.
      if ((await this.#store(records, [])).ok) confirm();
      const erased = await this.#file.erase(erasure);
      if (erased.ok) applied([erasure.record]);
      return erased;
    });
  }

  /** Does `change` in its turn. The effects of what it applied run behind those of earlier changes, and are waited for. */
  async #withEffects<T>(
    change: (applied: (records: readonly ConversationRecord[], next?: () => void) => void) => Promise<T>,
  ): Promise<T> {
    let effects: Promise<void> | undefined;
    const changed = await this.#changes.run(() =>
      change((records, next) => {
        for (const record of records) this.context.apply(record);
        next?.();
        if (records.length > 0) effects = this.#shown.run(() => this.#runEffects({ records }));
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
    return this.#file.commit([...records.map((record) => ({ kind: "record", record }) as const), ...writes]);
  }

  /** Runs all of them, whatever one of them throws; the first of that is thrown then. */
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
