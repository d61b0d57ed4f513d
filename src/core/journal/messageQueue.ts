/**
 * Messages queued until the conversation can take them. Each is a journal step of its own, so it survives a crash, and
 * is removed in the transaction that puts it into the history: it is never lost and never sent twice.
 */

import type { StorageFailed } from "../errors.ts";
import type { StepId } from "../ids.ts";
import type { Clock } from "../clock.ts";
import type { JournalStore, JournalWrite } from "../store/conversationStore.ts";
import { ok, type Result } from "../result.ts";
import { readAddedParts, type AddedPart } from "./addedParts.ts";
import { isQueueRow, type JournalRow } from "../store/journalRow.ts";
import { parseObject } from "./stepContent.ts";
import { dropOf, placeIn, PendingSteps, type PendingStep } from "./pendingSteps.ts";

export interface QueuedMessage {
  /** Becomes the step of its message in the history. */
  readonly queueId: StepId;
  readonly text: string;
  readonly added?: readonly AddedPart[];
}

type Waiting = PendingStep & QueuedMessage;

type Stored = Promise<Result<void, StorageFailed>>;

/** Mirrors the disk: memory changes only after the commit. */
export class MessageQueue {
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #waiting: PendingSteps<Waiting>;

  /** Rows of other kinds are ignored. */
  constructor(store: JournalStore, clock: Clock, rows: readonly JournalRow[]) {
    this.#store = store;
    this.#clock = clock;
    this.#waiting = new PendingSteps(rows, waitingIn);
  }

  /** In sending order. */
  get items(): readonly QueuedMessage[] {
    return this.#waiting.items;
  }

  /** Appends a message, in one transaction with `others`. */
  add(message: QueuedMessage, others: readonly JournalWrite[]): Stored {
    return this.#waiting.inOrder(async () => {
      const item: Waiting = { ...message, stepId: message.queueId, place: this.#waiting.takePlace() };
      const added = await this.#store.commit([this.#rowOf(item), ...others]);
      if (added.ok) this.#waiting.items = [...this.#waiting.items, item];
      return added;
    });
  }

  /** Has no effect on a message that has been sent meanwhile. */
  change({ queueId, text }: QueuedMessage): Stored {
    return this.#waiting.inOrder(async () => {
      const item = this.#waiting.items.find(({ stepId }) => stepId === queueId);
      if (item === undefined) return ok(undefined);
      const changed = { ...item, text };
      const stored = await this.#store.commit([dropOf(queueId), this.#rowOf(changed)]);
      if (stored.ok) this.#waiting.items = this.#waiting.items.map((each) => (each === item ? changed : each));
      return stored;
    });
  }

  remove(queueId: StepId): Stored {
    return this.take(queueId, (drop) => this.#store.commit([drop]));
  }

  /** Runs `store` with the write that dequeues the message. When it fails, the message stays queued. */
  take<T, E>(queueId: StepId, store: (drop: JournalWrite) => Promise<Result<T, E>>): Promise<Result<T, E>> {
    return this.#waiting.inOrder(async () => {
      const stored = await store(dropOf(queueId));
      if (stored.ok) this.#waiting.drop([queueId]);
      return stored;
    });
  }

  #rowOf({ queueId, text, place, added }: Waiting): JournalWrite {
    const content = JSON.stringify({ text, place, added });
    const row = { stepId: queueId, seq: 0, eventType: "queued", content, createdAtMs: this.#clock.nowMs() } as const;
    return { kind: "journalRow", row };
  }
}

function waitingIn(row: JournalRow): Waiting | undefined {
  if (!isQueueRow(row)) return undefined;
  const { text, place, added } = parseObject(row.content);
  if (typeof text !== "string") return undefined;
  const parts = readAddedParts(added);
  const item = { stepId: row.stepId, queueId: row.stepId, text, place: placeIn(place) };
  return parts.length === 0 ? item : { ...item, added: parts };
}
