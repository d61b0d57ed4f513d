/** Steps of the journal that wait, in an order of their own, until a transaction ends their waiting. */

import type { StepId } from "../ids.ts";
import type { JournalWrite } from "../store/conversationStore.ts";
import { WorkQueue } from "../workQueue.ts";
import type { JournalRow } from "../store/journalRow.ts";

/** One of them, as it is in memory. */
export interface WaitingStep {
  readonly stepId: StepId;
  /** Those with a lower place come first. */
  readonly place: number;
}

/** What waits in one conversation, as it is on the disk; changed by one at a time. */
export class WaitingSteps<Item extends WaitingStep> {
  /** In the order of their places. */
  items: readonly Item[];
  readonly #order = new WorkQueue();
  #nextPlace: number;

  /** `read` gives the item of a row that was found in the journal; `undefined` for a row of something else. */
  constructor(rows: readonly JournalRow[], read: (row: JournalRow) => Item | undefined) {
    this.items = rows.flatMap((row) => read(row) ?? []).sort((one, other) => one.place - other.place);
    this.#nextPlace = (this.items.at(-1)?.place ?? -1) + 1;
  }

  /** The place after all others; another one each time. */
  takePlace(): number {
    return this.#nextPlace++;
  }

  /** Does `work` when what was asked for before has ended. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.#order.run(work);
  }

  /** Removes some of those in memory. */
  drop(stepIds: readonly StepId[]): void {
    this.items = this.items.filter(({ stepId }) => !stepIds.includes(stepId));
  }
}

/** The write that ends the waiting of a step. */
export function dropOf(stepId: StepId): JournalWrite {
  return { kind: "journalDrop", stepId };
}

/** The place of a stored item; what is none counts as the first. */
export function placeIn(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
