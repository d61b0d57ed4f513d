/** The state of a conversation, as input of the compaction schedule. */

import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { CompactionState } from "../../../core/summary/schedule/compactionSchedule.ts";

export function compactionState(
  manager: ContextManager,
  now: Pick<CompactionState, "at" | "nowMs" | "hasOneSlot" | "isQuiet" | "hasNotesToWrite">,
): CompactionState {
  const { usedTokens, budgetTokens } = manager.usage();
  const isPlanned = (): boolean => manager.planCompaction("background") !== undefined;
  const fits = fitsAsBilled(manager);
  return { ...now, stage: manager.compactionStage(), fits, isPlanned, usedTokens, budgetTokens };
}

/** Whether the next request fits by Forge's own count and by the provider's known billing. */
export function fitsAsBilled(manager: ContextManager): boolean {
  const { usedTokens, budgetTokens } = manager.usage();
  return checkRequestFits(manager).ok && usedTokens <= budgetTokens;
}

/** Whether the next request may be sent now, or why not. Goes by Forge's own count: a higher bill is no refusal. */
export function checkRequestFits(manager: ContextManager): Result<void, ForgeError> {
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
