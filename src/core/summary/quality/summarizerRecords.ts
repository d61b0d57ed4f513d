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

  /** The user wants the models to be asked again. */
  forgive(): void {
    for (const { model } of this.#receipts().flatMap(({ notes = [] }) => notes)) this.of(model).forgive();
    for (const record of this.#records.values()) record.forgive();
  }
}
