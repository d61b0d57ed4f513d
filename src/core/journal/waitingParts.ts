/**
 * What the user has added to the message that is being typed. Each thing is a step of its own in the journal, so it survives
 * a crash; it leaves in the transaction that makes its message durable: it is never lost and never sent twice.
 */

import type { StorageFailed } from "../errors.ts";
import type { StepId } from "../ids.ts";
import type { Clock, ConversationStore, StoreWrite } from "../ports.ts";
import type { Result } from "../result.ts";
import { readAddedParts, type AddedPart } from "./addedParts.ts";
import { isAddedRow, type JournalRow } from "./journalRow.ts";
import { parseObject } from "./stepContent.ts";

/** A thing that waits for its message. */
export interface WaitingPart {
  readonly addedId: StepId;
  readonly part: AddedPart;
  /** Of the part alone, as it was counted when it was added. */
  readonly tokens: number;
}

interface Placed extends WaitingPart {
  /** Those with a lower place are shown, and sent, first. */
  readonly place: number;
}

/** The things of one conversation's composer, as they are on the disk. */
export class WaitingParts {
  readonly #store: ConversationStore;
  readonly #clock: Clock;
  #waiting: readonly Placed[];
  #nextPlace: number;
  #last: Promise<unknown> = Promise.resolve();

  /** `rows` are those that were found in the journal. */
  constructor(store: ConversationStore, clock: Clock, rows: readonly JournalRow[]) {
    this.#store = store;
    this.#clock = clock;
    this.#waiting = rows.flatMap((row) => waitingIn(row) ?? []).sort((one, other) => one.place - other.place);
    this.#nextPlace = (this.#waiting.at(-1)?.place ?? -1) + 1;
  }

  /** What waits, in the order in which it was added. */
  get items(): readonly WaitingPart[] {
    return this.#waiting;
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
    return this.#inOrder(async () => {
      const chosen = choose(this.#waiting);
      if (!chosen.ok) return chosen;
      const { item, replaced } = chosen.value;
      const placed: Placed = { ...item, place: this.#nextPlace++ };
      const added = await this.#store.commit([...replaced.map(dropOf), this.#rowOf(placed)]);
      if (added.ok) this.#waiting = [...this.#without(replaced), placed];
      return added;
    });
  }

  /** Takes a thing away for good. */
  remove(addedId: StepId): Promise<Result<void, StorageFailed>> {
    return this.#inOrder(async () => {
      const removed = await this.#store.commit([dropOf(addedId)]);
      if (removed.ok) this.#waiting = this.#without([addedId]);
      return removed;
    });
  }

  /** Has `store` make something of all that waits, durable together with `drops`, its end; when that fails, all waits on. */
  leave<T, E>(
    store: (items: readonly WaitingPart[], drops: readonly StoreWrite[]) => Promise<Result<T, E>>,
  ): Promise<Result<T, E>> {
    return this.#inOrder(async () => {
      const addedIds = this.#waiting.map(({ addedId }) => addedId);
      const stored = await store(this.#waiting, addedIds.map(dropOf));
      if (stored.ok) this.#waiting = this.#without(addedIds);
      return stored;
    });
  }

  #without(addedIds: readonly StepId[]): readonly Placed[] {
    return this.#waiting.filter(({ addedId }) => !addedIds.includes(addedId));
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // a bug of one is not the next one's
    return done;
  }

  #rowOf({ addedId, part, tokens, place }: Placed): StoreWrite {
    const content = JSON.stringify({ part, tokens, place });
    const row = { stepId: addedId, seq: 0, eventType: "added", content, createdAtMs: this.#clock.nowMs() } as const;
    return { kind: "journalRow", row };
  }
}

function dropOf(stepId: StepId): StoreWrite {
  return { kind: "journalDrop", stepId };
}

function waitingIn(row: JournalRow): Placed | undefined {
  if (!isAddedRow(row)) return undefined;
  const { part, tokens, place } = parseObject(row.content);
  const [read] = readAddedParts([part]);
  if (read === undefined) return undefined;
  const numberOr0 = (value: unknown): number => (typeof value === "number" ? value : 0);
  return { addedId: row.stepId, part: read, tokens: numberOr0(tokens), place: numberOr0(place) };
}
