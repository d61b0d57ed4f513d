/** All that follows from the choice of a model: its limits, its budget, its way of counting, and what it always costs. */

import type { RequestPart } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import { effectiveInputBudget, type ModelLimits } from "../models/modelLimits.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { ContextSettings } from "./contextSettings.ts";
import { toolSetOf, type RequestOverhead } from "./requestOverhead.ts";
import { sumOfParts, TokenCosts } from "./tokenCosts.ts";

/** A model as a conversation uses it. */
export interface ModelContext {
  readonly model: ModelId;
  /** The output is the user's own limit where that is smaller. */
  readonly limits: ModelLimits;
  readonly budgetTokens: number;
  readonly costs: TokenCosts;
  readonly overhead: readonly RequestPart[];
  readonly overheadTokens: number;
  /** Which tools are offered; the same for the same definitions. */
  readonly toolSet: string;
}

/** What `model` makes of the settings and of the overhead. */
export function modelContext(
  model: ModelId,
  using: {
    readonly registry: ModelRegistry;
    readonly settings: ContextSettings;
    readonly overhead: RequestOverhead;
  },
): ModelContext {
  const { contextWindow, maxOutput } = using.registry.get(model).limits;
  const limits = { contextWindow, maxOutput: Math.min(maxOutput, using.settings.maxOutputTokens ?? maxOutput) };
  const costs = new TokenCosts(model);
  const overhead = costs.ofOverhead(using.overhead);
  return {
    model,
    limits,
    budgetTokens: effectiveInputBudget(limits),
    costs,
    overhead,
    overheadTokens: sumOfParts(overhead),
    toolSet: toolSetOf(using.overhead),
  };
}
