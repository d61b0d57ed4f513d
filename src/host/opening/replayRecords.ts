/** Reads the index of a conversation into memory, in slices: however long it is, nobody in the window has to wait. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { IndexRecord } from "../../core/history/records.ts";
import type { ModelId } from "../../core/ids.ts";
import type { ConversationStore } from "../../core/store/conversationStore.ts";
import { ok, type Result } from "../../core/result.ts";
import { yieldToHost } from "../background/lookInSlices.ts";
import { goOnWith, settle } from "./switchToModel.ts";

/** Index records that the store reads at once. */
const INDEX_PAGE = 2_000;
/** Half of a frame: the page itself takes some milliseconds to arrive. */
const LONGEST_SLICE_MS = 8;

/** How time passes, and how others get their turn. */
export interface Pauses {
  readonly nowMs: () => number;
  readonly yieldToHost: () => Promise<void>;
}

/**
 * Gives all records of `store` to a manager that begins with the model that answered first; `undefined` where none has.
 * Which one answers by itself is chosen nowhere, and may be another by now: until a record tells it, the answers do.
 */
export async function replayRecords(
  store: Pick<ConversationStore, "shape" | "readIndex">,
  managerFor: (model: ModelId | undefined) => ContextManager,
  { nowMs, yieldToHost }: Pauses = OF_THIS_PROCESS,
): Promise<Result<ContextManager, StorageFailed>> {
  let manager: ContextManager | undefined;
  let isTold = false;
  for (let from = 0; from < store.shape.recordCount; from += INDEX_PAGE) {
    const page = await store.readIndex(from, INDEX_PAGE);
    if (!page.ok) return page;
    manager ??= managerFor(firstAnswering(page.value));
    let sliceStartMs = nowMs();
    const answeredBy = answering(page.value);
    for (const [index, record] of page.value.entries()) {
      const answers = !isTold && isSaid(record) ? answeredBy[index] : undefined;
      if (answers !== undefined) await goOnWith(manager, answers);
      if (record.kind === "model") await settle(manager); // what it leaves is looked at
      manager.apply(record);
      isTold ||= record.kind === "model";
      if (nowMs() - sliceStartMs < LONGEST_SLICE_MS) continue;
      await yieldToHost();
      sliceStartMs = nowMs();
    }
  }
  return ok(manager ?? managerFor(undefined));
}

/** The model of the first answer, unless a record tells one before it. */
function firstAnswering(records: readonly IndexRecord[]): ModelId | undefined {
  for (const record of records) {
    if (record.kind === "model") return undefined;
    if (record.kind === "entry" && record.entry.model !== undefined) return record.entry.model;
  }
  return undefined;
}

/**
 * Which model gave the next answer, from each record on. Where no record tells it, it is the one that a question was for:
 * what was summarized between the two was summarized for it.
 */
function answering(records: readonly IndexRecord[]): readonly (ModelId | undefined)[] {
  let model: ModelId | undefined;
  const models = records.toReversed().map((record) => {
    if (record.kind === "model") model = undefined;
    else if (record.kind === "entry") model = record.entry.model ?? model;
    return model;
  });
  return models.reverse();
}

/** A question, or an answer. */
function isSaid(record: IndexRecord): boolean {
  return record.kind === "entry" && (record.entry.role === "assistant" || record.entry.batch === undefined);
}

const OF_THIS_PROCESS: Pauses = {
  nowMs: () => performance.now(),
  yieldToHost,
};
