/** Changes the model of a conversation without holding anybody up. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ModelId } from "../../core/ids.ts";
import { lookInSlices, NEVER_CANCELLED } from "../background/lookInSlices.ts";

/** Goes on with `model`. Where the conversation leaves off takes as long as its history: that is found out first, in slices. */
export async function goOnWith(manager: ContextManager, model: ModelId): Promise<void> {
  if (model === manager.model) return;
  await settle(manager);
  manager.switchModel(model);
}

/** Finds out in slices what is sent now. */
export async function settle(manager: ContextManager): Promise<void> {
  await lookInSlices(manager, () => manager.settling(), NEVER_CANCELLED);
}
