/** Reads the index of a conversation into memory, in slices: however long it is, nobody in the window has to wait. */

import type { SwitchPreview } from "../../core/context/contextAdaptation.ts";
import type { ContextManager } from "../../core/context/contextManager.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { ModelRecord } from "../../core/history/records.ts";
import type { ConversationStore } from "../../core/ports.ts";
import { ok, type Result } from "../../core/result.ts";
import { yieldToHost } from "../background/lookInSlices.ts";

/** A model chosen behind a message. */
export interface ModelChange {
  /** -1: before the first. */
  readonly behind: number;
  readonly record: ModelRecord;
  /** What it did to what is sent; only of a switch in this session. */
  readonly preview?: SwitchPreview;
}

/** Index records that the store reads at once. */
const INDEX_PAGE = 2_000;
/** Half of a frame: the page itself takes some milliseconds to arrive. */
const LONGEST_SLICE_MS = 8;

/** How time passes, and how others get their turn. */
export interface Pauses {
  readonly nowMs: () => number;
  readonly yieldToHost: () => Promise<void>;
}

/** Gives all records of `store` to `manager`; answers which models were chosen, oldest first. */
export async function foldIndex(
  store: Pick<ConversationStore, "shape" | "readIndex">,
  manager: ContextManager,
  { nowMs, yieldToHost }: Pauses = OF_THIS_PROCESS,
): Promise<Result<ModelChange[], StorageFailed>> {
  const modelChanges: ModelChange[] = [];
  for (let from = 0; from < store.shape.recordCount; from += INDEX_PAGE) {
    const page = await store.readIndex(from, INDEX_PAGE);
    if (!page.ok) return page;
    let sliceStartMs = nowMs();
    for (const record of page.value) {
      manager.apply(record);
      if (record.kind === "model") modelChanges.push({ behind: manager.history.length - 1, record });
      if (nowMs() - sliceStartMs < LONGEST_SLICE_MS) continue;
      await yieldToHost();
      sliceStartMs = nowMs();
    }
  }
  return ok(modelChanges);
}

const OF_THIS_PROCESS: Pauses = {
  nowMs: () => performance.now(),
  yieldToHost,
};
