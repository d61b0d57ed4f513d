/**
 * Unsent edits of sent messages and of summaries. Each is a journal step of its own, so it survives a crash; it is
 * removed in the transaction that stores its outcome.
 */

import type { StorageFailed } from "../errors.ts";
import { messageId, stepId, summaryId, type MessageId, type StepId, type SummaryId, type NewUuid } from "../ids.ts";
import type { Clock } from "../clock.ts";
import type { JournalStore, JournalWrite } from "../store/conversationStore.ts";
import { ok, type Result } from "../result.ts";
import { WorkQueue } from "../workQueue.ts";
import { isEditRow, type JournalRow } from "../store/journalRow.ts";
import { parseObject } from "./stepContent.ts";
import { dropOf } from "./pendingSteps.ts";

export interface MessageEdit {
  readonly messageId: MessageId;
  readonly text: string;
  /** Grows with each change, also from one edit of a message to the next: the higher revision is the later text. */
  readonly revision: number;
}

export interface SummaryEdit extends Pick<MessageEdit, "text" | "revision"> {
  readonly summaryId: SummaryId;
}

export type EditTarget = Pick<MessageEdit, "messageId"> | Pick<SummaryEdit, "summaryId">;

type Edit = MessageEdit | SummaryEdit;

type StoredEdit = Edit & { readonly stepId: StepId };

type Stored = Promise<Result<void, StorageFailed>>;

/** Memory has the latest text at once, the store shortly after. */
export class MessageEdits {
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #newUuid: NewUuid;
  readonly #retained = new Map<string, StoredEdit>();
  /** Revision at which an edit ended; that revision and lower ones that arrive later are ignored. */
  readonly #ended = new Map<string, number>();
  readonly #order = new WorkQueue();

  /** Restores the edits in the journal of `store`. */
  constructor(store: JournalStore, parts: { readonly clock: Clock; readonly newUuid: NewUuid }) {
    this.#store = store;
    this.#clock = parts.clock;
    this.#newUuid = parts.newUuid;
    for (const retained of store.shape.journal.flatMap((row) => retainedIn(row) ?? []))
      this.#retained.set(nameOf(retained), retained);
  }

  /** In no particular order. */
  get items(): readonly Edit[] {
    return [...this.#retained.values()].map(({ text, revision, ...retained }) => ({
      ...placeOf(retained),
      text,
      revision,
    }));
  }

  /** Saves an edit. Of several that arrive during a write only the last is written; a stale revision is ignored. */
  set(edit: Edit): Stored {
    const name = nameOf(edit);
    const before = this.#retained.get(name);
    const latest = before?.revision ?? this.#ended.get(name) ?? -1;
    if (latest >= edit.revision) return Promise.resolve(ok(undefined));
    const retained: StoredEdit = { ...edit, stepId: before?.stepId ?? stepId(this.#newUuid()) };
    this.#retained.set(name, retained);
    return this.#order.run(async () => {
      if (this.#retained.get(name) !== retained) return ok(undefined);
      return this.#store.commit([dropOf(retained.stepId), this.#rowOf(retained)]);
    });
  }

  /** Discards an edit, unless it has reached `revision` by now. */
  end(place: EditTarget, revision: number): Stored {
    const retained = this.#retained.get(nameOf(place));
    if (retained === undefined || retained.revision >= revision) return Promise.resolve(ok(undefined));
    this.#forget(place, revision);
    return this.#order.run(() => this.#store.commit([dropOf(retained.stepId)]));
  }

  /** Runs `store` with the writes that end the edit, to be committed together. When it fails, the edit stays. */
  take<T, E>(
    place: EditTarget,
    store: (drops: readonly JournalWrite[]) => Promise<Result<T, E>>,
  ): Promise<Result<T, E>> {
    return this.#order.run(async () => {
      const retained = this.#retained.get(nameOf(place));
      const stored = await store(retained === undefined ? [] : [dropOf(retained.stepId)]);
      if (stored.ok && retained !== undefined) this.#forget(place, retained.revision);
      return stored;
    });
  }

  /** Runs `erase` with the steps of all edits that match. When it fails, they stay. */
  erase<E>(
    isOfIt: (place: EditTarget) => boolean,
    erase: (steps: readonly StepId[]) => Promise<Result<void, E>>,
  ): Promise<Result<void, E>> {
    return this.#order.run(async () => {
      const erased = [...this.#retained.values()].filter(isOfIt);
      const done = await erase(erased.map((retained) => retained.stepId));
      if (done.ok) for (const retained of erased) this.#forget(retained, retained.revision);
      return done;
    });
  }

  #forget(place: EditTarget, revision: number): void {
    this.#retained.delete(nameOf(place));
    this.#ended.set(nameOf(place), revision);
  }

  #rowOf(retained: StoredEdit): JournalWrite {
    const content = JSON.stringify({ ...placeOf(retained), text: retained.text, revision: retained.revision });
    const row = {
      stepId: retained.stepId,
      seq: 0,
      eventType: "edited",
      content,
      createdAtMs: this.#clock.nowMs(),
    } as const;
    return { kind: "journalRow", row };
  }
}

function retainedIn(row: JournalRow): StoredEdit | undefined {
  if (!isEditRow(row)) return undefined;
  const { messageId: message, summaryId: summary, text, revision } = parseObject(row.content);
  if (typeof text !== "string" || !isNatural(revision)) return undefined;
  const wording = { stepId: row.stepId, text, revision };
  if (isNatural(message)) return { messageId: messageId(message), ...wording };
  return isNatural(summary) ? { summaryId: summaryId(summary), ...wording } : undefined;
}

function placeOf(edit: EditTarget): EditTarget {
  return "messageId" in edit ? { messageId: edit.messageId } : { summaryId: edit.summaryId };
}

function nameOf(edit: EditTarget): string {
  return JSON.stringify(placeOf(edit));
}

function isNatural(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
