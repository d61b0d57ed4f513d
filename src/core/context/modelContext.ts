/** All that follows from the choice of a model: its limits, its budget, its way of counting, and what it always costs. */

import type { RequestPart } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import { effectiveInputBudget, type ModelLimits } from "../models/modelLimits.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { ContextSettings } from "./contextSettings.ts";
import { toolSetOf, type RequestOverhead } from "./request/requestOverhead.ts";
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

/** What a request is made with besides its messages. */
export interface RequestTerms {
  readonly model: ModelContext;
  readonly settings: ContextSettings;
  readonly overhead: RequestOverhead;
}

/** Whether nothing of what a request depends on differs, so that what was sent before can go on as it is. */
export function isSentTheSame(one: RequestTerms, other: RequestTerms): boolean {
  return one.overhead.systemPrompt === other.overhead.systemPrompt && termsText(one) === termsText(other);
}

function termsText({ model: { model, limits, overhead, toolSet }, settings }: RequestTerms): string {
  return JSON.stringify([model, limits, overhead, toolSet, Object.entries(settings).sort()]);
}
