/** Everything that follows from the choice of a model: limits, budget, token costs, overhead. */

import type { RequestPart } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import { effectiveInputBudget, type ModelLimits } from "../models/modelLimits.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { ContextSettings } from "./contextSettings.ts";
import { toolSetOf, type RequestOverhead } from "./request/requestOverhead.ts";
import { sumOfParts, TokenCosts } from "./tokenCosts.ts";

export interface ModelContext {
  readonly model: ModelId;
  /** `maxOutput` is the user's own limit where that is smaller. */
  readonly limits: ModelLimits;
  readonly budgetTokens: number;
  readonly costs: TokenCosts;
  readonly overhead: readonly RequestPart[];
  readonly overheadTokens: number;
  /** Fingerprint of the offered tools. */
  readonly toolSet: string;
}

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

/** What a request depends on besides its messages. */
export interface RequestConfig {
  readonly model: ModelContext;
  readonly settings: ContextSettings;
  readonly overhead: RequestOverhead;
}

/** Whether requests would be the same, so that the current cut can continue. */
export function isSameRequest(one: RequestConfig, other: RequestConfig): boolean {
  return one.overhead.systemPrompt === other.overhead.systemPrompt && configKey(one) === configKey(other);
}

function configKey({ model: { model, limits, overhead, toolSet }, settings }: RequestConfig): string {
  return JSON.stringify([model, limits, overhead, toolSet, Object.entries(settings).sort()]);
}
