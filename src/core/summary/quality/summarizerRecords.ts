/** The records of the summarizing models of one conversation. */

import type { CompactionReceipt } from "../../history/records.ts";
import type { ModelId } from "../../ids.ts";
import { SummarizerRecord } from "./summarizerRecord.ts";

export class SummarizerRecords {
  readonly #receipts: () => readonly CompactionReceipt[];
  readonly #records = new Map<ModelId, SummarizerRecord>();

  /** `receipts` are read when a model is first asked for. */
  constructor(receipts: () => readonly CompactionReceipt[]) {
    this.#receipts = receipts;
  }

  of(model: ModelId): SummarizerRecord {
    const known = this.#records.get(model);
    if (known !== undefined) return known;
    const record = SummarizerRecord.of(this.#receipts(), model);
    this.#records.set(model, record);
    return record;
  }

  /** For a part that is written beside others; give it back with {@link join}. */
  fork(isFirst: boolean): PartRecords {
    return new PartRecords(this, isFirst);
  }

  /** Adds what a part has learned. Call in the order of the parts, whichever ended first. */
  join(part: PartRecords): void {
    for (const [model, record] of part.all) this.of(model).join(record, part.isFirst);
  }

  /** The user wants the models to be asked again. */
  forgive(): void {
    for (const { model } of this.#receipts().flatMap(({ notes = [] }) => notes)) this.of(model).forgive();
    for (const record of this.#records.values()) record.forgive();
  }
}

/** Records as they were when the part began. */
export class PartRecords {
  readonly isFirst: boolean;
  readonly #records: SummarizerRecords;
  readonly #forks = new Map<ModelId, SummarizerRecord>();

  constructor(records: SummarizerRecords, isFirst: boolean) {
    this.#records = records;
    this.isFirst = isFirst;
  }

  get all(): ReadonlyMap<ModelId, SummarizerRecord> {
    return this.#forks;
  }

  of(model: ModelId): SummarizerRecord {
    const fork = this.#forks.get(model) ?? this.#records.of(model).fork(this.isFirst);
    this.#forks.set(model, fork);
    return fork;
  }
}
