/** A conversation as the schedule of its compactions sees it. */

import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { CompactionMoment } from "../../../core/summary/schedule/compactionSchedule.ts";

/** What is known now. */
export function momentOf(manager: ContextManager, at: CompactionMoment["at"], nowMs: number): CompactionMoment {
  const { usedTokens, budgetTokens } = manager.usage();
  const isPlanned = (): boolean => manager.planCompaction("background") !== undefined;
  const fits = fitsAsMeasured(manager);
  return { at, stage: manager.compactionStage(), fits, isPlanned, usedTokens, budgetTokens, nowMs };
}

/** Whether the next request fits as it is counted here, and as the provider is known to bill it. */
export function fitsAsMeasured(manager: ContextManager): boolean {
  const { usedTokens, budgetTokens } = manager.usage();
  return requestAsItIs(manager).ok && usedTokens <= budgetTokens;
}

/** Whether the next request may be made as things are, or why not. What is billed more than it counts here is not refused. */
export function requestAsItIs(manager: ContextManager): Result<void, ForgeError> {
  const status = manager.usageStatus();
  switch (status.kind) {
    case "ready":
      return ok(undefined);
    case "needsSummarization":
      return err({ code: "SUMMARIZATION_NEEDED", excessTokens: status.needed.excessTokens });
    case "tooLarge":
      return err(status.error);
  }
}
