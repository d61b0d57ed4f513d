/**
 * What the user has added to the message that is being typed. Each thing is a step of its own in the journal, so it survives
 * a crash; it is removed in the transaction that makes its message durable: it is never lost and never sent twice.
 */

import type { StorageFailed } from "../errors.ts";
import type { StepId } from "../ids.ts";
import type { Clock } from "../clock.ts";
import type { JournalStore, JournalWrite } from "../store/conversationStore.ts";
import type { Result } from "../result.ts";
import { readAddedParts, type AddedPart } from "./addedParts.ts";
import { isAddedRow, type JournalRow } from "../store/journalRow.ts";
import { parseObject } from "./stepContent.ts";
import { dropOf, placeIn, WaitingSteps, type WaitingStep } from "./waitingSteps.ts";

/** A thing that waits for its message. */
export interface WaitingPart {
  readonly addedId: StepId;
  readonly part: AddedPart;
  /** Of the part alone, as it was counted when it was added. */
  readonly tokens: number;
}

type Placed = WaitingStep & WaitingPart;

/** The things of one conversation's composer, as they are on the disk. */
export class WaitingParts {
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #waiting: WaitingSteps<Placed>;

  /** `rows` are those that were found in the journal. */
  constructor(store: JournalStore, clock: Clock, rows: readonly JournalRow[]) {
    this.#store = store;
    this.#clock = clock;
    this.#waiting = new WaitingSteps(rows, waitingIn);
  }

  /** What waits, in the order in which it was added. */
  get items(): readonly WaitingPart[] {
    return this.#waiting.items;
  }

  /**
   * Adds what `choose` makes of that which waits at that moment, in one transaction with the end of what it replaces; nothing
   * happens where it is an error.
   */
  add<E>(
    choose: (
      waiting: readonly WaitingPart[],
    ) => Result<{ readonly item: WaitingPart; readonly replaced: readonly StepId[] }, E>,
  ): Promise<Result<void, StorageFailed | E>> {
    return this.#waiting.inOrder(async () => {
      const chosen = choose(this.#waiting.items);
      if (!chosen.ok) return chosen;
      const { item, replaced } = chosen.value;
      const placed: Placed = { ...item, stepId: item.addedId, place: this.#waiting.takePlace() };
      const added = await this.#store.commit([...replaced.map(dropOf), this.#rowOf(placed)]);
      if (added.ok) {
        this.#waiting.drop(replaced);
        this.#waiting.items = [...this.#waiting.items, placed];
      }
      return added;
    });
  }

  /** Removes a thing for good. */
  remove(addedId: StepId): Promise<Result<void, StorageFailed>> {
    return this.#waiting.inOrder(async () => {
      const removed = await this.#store.commit([dropOf(addedId)]);
      if (removed.ok) this.#waiting.drop([addedId]);
      return removed;
    });
  }

  /**
   * Has `store` make something of what waits, except for `others`, durable together with `drops`, its end; when that fails, all
   * waits on.
   */
  take<T, E>(
    store: (items: readonly WaitingPart[], drops: readonly JournalWrite[]) => Promise<Result<T, E>>,
    others: ReadonlySet<StepId> = new Set(),
  ): Promise<Result<T, E>> {
    return this.#waiting.inOrder(async () => {
      const items = this.#waiting.items.filter(({ addedId }) => !others.has(addedId));
      const addedIds = items.map(({ addedId }) => addedId);
      const stored = await store(items, addedIds.map(dropOf));
      if (stored.ok) this.#waiting.drop(addedIds);
      return stored;
    });
  }

  #rowOf({ addedId, part, tokens, place }: Placed): JournalWrite {
    const content = JSON.stringify({ part, tokens, place });
    const row = { stepId: addedId, seq: 0, eventType: "added", content, createdAtMs: this.#clock.nowMs() } as const;
    return { kind: "journalRow", row };
  }
}

function waitingIn(row: JournalRow): Placed | undefined {
  if (!isAddedRow(row)) return undefined;
  const { part, tokens, place } = parseObject(row.content);
  const [read] = readAddedParts([part]);
  if (read === undefined) return undefined;
  const counted = typeof tokens === "number" ? tokens : 0;
  return { stepId: row.stepId, addedId: row.stepId, part: read, tokens: counted, place: placeIn(place) };
}
