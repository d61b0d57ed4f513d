/** Everything that follows from the choice of a model: limits, budget, token costs, overhead. */

import type { RequestPart } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import { effectiveInputBudget, type ModelLimits } from "../models/modelLimits.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { ContextSettings } from "./contextSettings.ts";
import { withReserve } from "./outputReserve.ts";
import { toolSetOf, type RequestOverhead } from "./request/requestOverhead.ts";
import { sumOfParts, TokenCosts } from "./tokenCosts.ts";

export interface ModelContext {
  readonly model: ModelId;
  /** `maxOutput` is what is reserved for an answer: see `outputReserve.ts`. */
  readonly limits: ModelLimits;
  /** Longest answer: the user's own limit where that is smaller than the model's. */
  readonly maxOutput: number;
  readonly budgetTokens: number;
  readonly costs: TokenCosts;
  readonly overhead: readonly RequestPart[];
  readonly overheadTokens: number;
  /** A large part of the budget is for what is always sent, so each compaction has to free as much as it can in one call. */
  readonly isSmall: boolean;
  /** Fingerprint of the offered tools. */
  readonly toolSet: string;
}

/** Budgets of windows of up to 16,384 tokens, as of models on the user's machine. */
const SMALL_BUDGET_TOKENS = 16_000;

export function modelContext(
  model: ModelId,
  using: {
    readonly registry: ModelRegistry;
    readonly settings: ContextSettings;
    readonly overhead: RequestOverhead;
    readonly adaptsToSmallWindows?: boolean;
    /** Tokens of the longest of the newest answers; absent: the whole limit is reserved for the next. */
    readonly longestAnswer?: number | undefined;
  },
): ModelContext {
  const told = using.registry.get(model).limits;
  const maxOutput = Math.min(told.maxOutput, using.settings.maxOutputTokens ?? told.maxOutput);
  const limits = withReserve({ ...told, maxOutput }, using.longestAnswer);
  const budgetTokens = effectiveInputBudget(limits);
  const costs = new TokenCosts(model);
  const overhead = costs.ofOverhead(using.overhead);
  return {
    model,
    limits,
    maxOutput,
    budgetTokens,
    isSmall: using.adaptsToSmallWindows === true && budgetTokens < SMALL_BUDGET_TOKENS,
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
