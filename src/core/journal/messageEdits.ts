/**
 * Messages that were sent and that the user is saying anew, as far as they have typed. Each is a step of its own in the
 * journal, so it survives a crash; it leaves in the transaction that stores what takes its place.
 */

import type { StorageFailed } from "../errors.ts";
import type { MessageRange } from "../history/summary.ts";
import { messageId, stepId, type MessageId, type StepId } from "../ids.ts";
import type { Clock, ConversationStore, NewUuid, StoreWrite } from "../ports.ts";
import { ok, type Result } from "../result.ts";
import { WorkQueue } from "../workQueue.ts";
import { isEditRow, type JournalRow } from "./journalRow.ts";
import { parseObject } from "./stepContent.ts";
import { dropOf } from "./waitingSteps.ts";

/** What a message is to say instead. */
export interface MessageEdit {
  readonly messageId: MessageId;
  readonly text: string;
  /** Grows with each change, and from one edit of a message to the next: of two wordings the one with more is the later. */
  readonly revision: number;
}

type Held = MessageEdit & { readonly stepId: StepId };

type Stored = Promise<Result<void, StorageFailed>>;

/** The edits of one conversation: as they were told last in memory, and a moment later on the disk. */
export class MessageEdits {
  readonly #store: ConversationStore;
  readonly #clock: Clock;
  readonly #newUuid: NewUuid;
  readonly #held = new Map<MessageId, Held>();
  /** The revision at which an edit ended: what was typed before that and comes later is not taken. */
  readonly #ended = new Map<MessageId, number>();
  readonly #order = new WorkQueue();

  /** Begins with those that `store` found in its journal. */
  constructor(store: ConversationStore, parts: { readonly clock: Clock; readonly newUuid: NewUuid }) {
    this.#store = store;
    this.#clock = parts.clock;
    this.#newUuid = parts.newUuid;
    for (const held of store.shape.journal.flatMap((row) => heldIn(row) ?? [])) this.#held.set(held.messageId, held);
  }

  /** All of them, in no order. */
  get items(): readonly MessageEdit[] {
    return [...this.#held.values()].map(({ messageId: id, text, revision }) => ({ messageId: id, text, revision }));
  }

  /** Keeps a wording. Of those that come while one is being stored, the last one is; an older one than was told changes nothing. */
  set(edit: MessageEdit): Stored {
    const before = this.#held.get(edit.messageId);
    const latest = before?.revision ?? this.#ended.get(edit.messageId) ?? -1;
    if (latest >= edit.revision) return Promise.resolve(ok(undefined));
    const held: Held = { ...edit, stepId: before?.stepId ?? stepId(this.#newUuid()) };
    this.#held.set(edit.messageId, held);
    return this.#order.run(async () => {
      if (this.#held.get(edit.messageId) !== held) return ok(undefined);
      return this.#store.commit([dropOf(held.stepId), this.#rowOf(held)]);
    });
  }

  /** The user leaves a message as it is. A wording that is later than `revision` stays. */
  end(id: MessageId, revision: number): Stored {
    const held = this.#held.get(id);
    if (held === undefined || held.revision >= revision) return Promise.resolve(ok(undefined));
    this.#forget(id, revision);
    return this.#order.run(() => this.#store.commit([dropOf(held.stepId)]));
  }

  /** Has `store` make what takes the place of message `id` durable, together with the end of its edit; when that fails, it stays. */
  leave<T, E>(id: MessageId, store: (drops: readonly StoreWrite[]) => Promise<Result<T, E>>): Promise<Result<T, E>> {
    return this.#order.run(async () => {
      const held = this.#held.get(id);
      const stored = await store(held === undefined ? [] : [dropOf(held.stepId)]);
      if (stored.ok && held !== undefined) this.#forget(id, held.revision);
      return stored;
    });
  }

  /** Has `erase` erase the messages of `range` with the steps of their edits; when that fails, they stay. */
  erase<E>(
    range: MessageRange,
    erase: (steps: readonly StepId[]) => Promise<Result<void, E>>,
  ): Promise<Result<void, E>> {
    return this.#order.run(async () => {
      const erased = [...this.#held.values()].filter(({ messageId: id }) => range.start <= id && id < range.end);
      const done = await erase(erased.map((held) => held.stepId));
      if (done.ok) for (const held of erased) this.#forget(held.messageId, held.revision);
      return done;
    });
  }

  #forget(id: MessageId, revision: number): void {
    this.#held.delete(id);
    this.#ended.set(id, revision);
  }

  #rowOf(held: Held): StoreWrite {
    const content = JSON.stringify({ messageId: held.messageId, text: held.text, revision: held.revision });
    const row = {
      stepId: held.stepId,
      seq: 0,
      eventType: "edited",
      content,
      createdAtMs: this.#clock.nowMs(),
    } as const;
    return { kind: "journalRow", row };
  }
}

function heldIn(row: JournalRow): Held | undefined {
  if (!isEditRow(row)) return undefined;
  const { messageId: id, text, revision } = parseObject(row.content);
  if (typeof text !== "string" || !isNatural(id) || !isNatural(revision)) return undefined;
  return { stepId: row.stepId, messageId: messageId(id), text, revision };
}

function isNatural(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
