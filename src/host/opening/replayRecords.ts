/** Reads the index of a conversation into memory, in slices, so that a long one does not block the host. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { IndexRecord } from "../../core/history/records.ts";
import type { ModelId } from "../../core/ids.ts";
import type { ConversationStore } from "../../core/store/conversationStore.ts";
import { ok, type Result } from "../../core/result.ts";
import { yieldToHost } from "../background/readInSlices.ts";
import { switchToModel, computeCurrentCut } from "./switchToModel.ts";

/** Records among which the answer to a question is looked for: it tells the model. */
const INDEX_PAGE = 2_000;
/** Records per read: the storage's thread takes some milliseconds for them. */
const RECORDS_PER_READ = 500;
/** Half of a frame: a page of records takes some milliseconds to arrive. */
const LONGEST_SLICE_MS = 8;

export interface SlicePacing {
  readonly nowMs: () => number;
  readonly yieldToHost: () => Promise<void>;
}

/**
 * Applies all records of `store` to a manager that begins with the model of the first answer (`undefined`: no answer).
 * An automatic choice of the model is recorded nowhere and may differ now: up to the first model record, the answers
 * tell the model.
 */
export async function replayRecords(
  store: Pick<ConversationStore, "shape" | "readIndex">,
  managerFor: (model: ModelId | undefined) => ContextManager,
  { nowMs, yieldToHost }: SlicePacing = OF_THIS_PROCESS,
): Promise<Result<ContextManager, StorageFailed>> {
  let manager: ContextManager | undefined;
  let isTold = false;
  for (let from = 0; from < store.shape.recordCount; from += INDEX_PAGE) {
    const page = await readPage(store, from);
    if (!page.ok) return page;
    manager ??= managerFor(firstAnswerModel(page.value));
    let sliceStartMs = nowMs();
    const answeredBy = nextAnswerModels(page.value);
    for (const [index, record] of page.value.entries()) {
      const answers = !isTold && isQuestionOrAnswer(record) ? answeredBy[index] : undefined;
      if (answers !== undefined) await switchToModel(manager, answers);
      if (record.kind === "model") await computeCurrentCut(manager); // computes the cut of the model that is left
      manager.apply(record);
      isTold ||= record.kind === "model";
      if (nowMs() - sliceStartMs < LONGEST_SLICE_MS) continue;
      await yieldToHost();
      sliceStartMs = nowMs();
    }
  }
  return ok(manager ?? managerFor(undefined));
}

async function readPage(
  store: Pick<ConversationStore, "shape" | "readIndex">,
  from: number,
): Promise<Result<readonly IndexRecord[], StorageFailed>> {
  const records: IndexRecord[] = [];
  const end = Math.min(store.shape.recordCount, from + INDEX_PAGE);
  for (let start = from; start < end; start += RECORDS_PER_READ) {
    const read = await store.readIndex(start, Math.min(RECORDS_PER_READ, end - start));
    if (!read.ok) return read;
    records.push(...read.value);
  }
  return ok(records);
}

/** The model of the first answer; `undefined` when a model record comes before it. */
function firstAnswerModel(records: readonly IndexRecord[]): ModelId | undefined {
  for (const record of records) {
    if (record.kind === "model") return undefined;
    if (record.kind === "entry" && record.entry.model !== undefined) return record.entry.model;
  }
  return undefined;
}

/**
 * For each record, the model of the next answer before a model record: a question was for that model, and so were the
 * summaries between the two.
 */
function nextAnswerModels(records: readonly IndexRecord[]): readonly (ModelId | undefined)[] {
  let model: ModelId | undefined;
  const models = records.toReversed().map((record) => {
    if (record.kind === "model") model = undefined;
    else if (record.kind === "entry") model = record.entry.model ?? model;
    return model;
  });
  return models.reverse();
}

/** A question or an answer, but no tool result. */
function isQuestionOrAnswer(record: IndexRecord): boolean {
  return record.kind === "entry" && (record.entry.role === "assistant" || record.entry.batch === undefined);
}

const OF_THIS_PROCESS: SlicePacing = {
  nowMs: () => performance.now(),
  yieldToHost,
};
