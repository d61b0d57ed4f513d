/** Journal steps in an order of their own, each of which stays until a transaction drops it. */

import type { StepId } from "../ids.ts";
import type { JournalWrite } from "../store/conversationStore.ts";
import { WorkQueue } from "../workQueue.ts";
import type { JournalRow } from "../store/journalRow.ts";

export interface PendingStep {
  readonly stepId: StepId;
  /** Sort key, ascending. */
  readonly place: number;
}

/** The steps of one conversation as they are on the disk; changes run one at a time. */
export class PendingSteps<Item extends PendingStep> {
  /** Sorted by `place`. */
  items: readonly Item[];
  readonly #order = new WorkQueue();
  #nextPlace: number;

  /** `read` returns `undefined` for rows of other kinds. */
  constructor(rows: readonly JournalRow[], read: (row: JournalRow) => Item | undefined) {
    this.items = rows.flatMap((row) => read(row) ?? []).sort((one, other) => one.place - other.place);
    this.#nextPlace = (this.items.at(-1)?.place ?? -1) + 1;
  }

  /** A new place after all others. */
  takePlace(): number {
    return this.#nextPlace++;
  }

  /** Runs `work` after all earlier work has settled. */
  inOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.#order.run(work);
  }

  /** Removes steps from memory only. */
  drop(stepIds: readonly StepId[]): void {
    this.items = this.items.filter(({ stepId }) => !stepIds.includes(stepId));
  }
}

export function dropOf(stepId: StepId): JournalWrite {
  return { kind: "journalDrop", stepId };
}

/** A stored place; 0 when malformed. */
export function placeIn(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
