/** Switches the model of a conversation without blocking the host. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ModelId } from "../../core/ids.ts";
import { readInSlices, NEVER_CANCELLED } from "../background/readInSlices.ts";

/** Computes the current cut first, in slices, since that takes as long as the history. */
export async function switchToModel(manager: ContextManager, model: ModelId): Promise<void> {
  if (model === manager.model) return;
  await computeCurrentCut(manager);
  manager.switchModel(model);
}

/** Computes the current cut in slices. */
export async function computeCurrentCut(manager: ContextManager): Promise<void> {
  await readInSlices(manager, () => manager.buildCutAhead(), NEVER_CANCELLED);
}
