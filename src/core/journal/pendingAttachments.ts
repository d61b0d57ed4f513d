/**
 * Attachments and images of the message being typed. Each is a journal step of its own, so it survives a crash, and is
 * removed in the transaction that makes its message durable: it is never lost and never sent twice.
 */

import type { StorageFailed } from "../errors.ts";
import type { StepId } from "../ids.ts";
import type { Clock } from "../clock.ts";
import type { JournalStore, JournalWrite } from "../store/conversationStore.ts";
import type { Result } from "../result.ts";
import { readAddedParts, type AddedPart } from "./addedParts.ts";
import { isAttachmentRow, type JournalRow } from "../store/journalRow.ts";
import { parseObject } from "./stepContent.ts";
import { dropOf, placeIn, PendingSteps, type PendingStep } from "./pendingSteps.ts";

export interface PendingAttachment {
  readonly addedId: StepId;
  readonly part: AddedPart;
  /** Of the part alone, counted when it was added. */
  readonly tokens: number;
}

type Placed = PendingStep & PendingAttachment;

/** Mirrors the disk: memory changes only after the commit. */
export class PendingAttachments {
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #waiting: PendingSteps<Placed>;

  /** Rows of other kinds are ignored. */
  constructor(store: JournalStore, clock: Clock, rows: readonly JournalRow[]) {
    this.#store = store;
    this.#clock = clock;
    this.#waiting = new PendingSteps(rows, waitingIn);
  }

  /** Oldest first. */
  get items(): readonly PendingAttachment[] {
    return this.#waiting.items;
  }

  /**
   * Adds the item that `choose` returns for the present ones, and drops those it replaces, in one transaction. Does
   * nothing when `choose` returns an error.
   */
  add<E>(
    choose: (
      waiting: readonly PendingAttachment[],
    ) => Result<{ readonly item: PendingAttachment; readonly replaced: readonly StepId[] }, E>,
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

  remove(addedId: StepId): Promise<Result<void, StorageFailed>> {
    return this.#waiting.inOrder(async () => {
      const removed = await this.#store.commit([dropOf(addedId)]);
      if (removed.ok) this.#waiting.drop([addedId]);
      return removed;
    });
  }

  /** Runs `store` with the items, except `others`, and the writes that drop them. When it fails, all items stay. */
  take<T, E>(
    store: (items: readonly PendingAttachment[], drops: readonly JournalWrite[]) => Promise<Result<T, E>>,
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
  if (!isAttachmentRow(row)) return undefined;
  const { part, tokens, place } = parseObject(row.content);
  const [read] = readAddedParts([part]);
  if (read === undefined) return undefined;
  const counted = typeof tokens === "number" ? tokens : 0;
  return { stepId: row.stepId, addedId: row.stepId, part: read, tokens: counted, place: placeIn(place) };
}
