/**
 * What is known about models where neither the user nor the provider says more: the dated snapshots of a maintained source,
 * and what that source does not hold. Windows and longest answers go by prefix, because a family keeps them; prices go by
 * exact id, because a family does not.
 */

import { longestPrefix, withoutVendor } from "./longestPrefix.ts";
import type { ModelLimits } from "./modelLimits.ts";
import type { ModelPrice } from "./modelPrice.ts";
import { ANTHROPIC_SNAPSHOT } from "./snapshot/anthropic.ts";
import { OPENAI_SNAPSHOT } from "./snapshot/openai.ts";

/** Limits of a model; a missing `maxOutput` is not known and has to be assumed. */
export type BuiltinLimits = Pick<ModelLimits, "contextWindow"> & Partial<ModelLimits>;

/** The limits of a model with this name, whoever serves it; `undefined` when no prefix of it is known. */
export function builtinLimits(name: string): BuiltinLimits | undefined {
  const bareName = withoutVendor(name);
  const contextWindow = longestPrefix(WINDOWS, bareName);
  const maxOutput = longestPrefix(OUTPUTS, bareName);
  if (contextWindow === undefined) return undefined;
  return maxOutput === undefined ? { contextWindow } : { contextWindow, maxOutput };
}

/** The price of exactly this model; `undefined` when it is not known. */
export function builtinPrice(name: string): ModelPrice | undefined {
  return PRICES.get(name);
}

/** Windows of families, for members that are newer than the snapshot. */
export const FAMILY_WINDOWS: Readonly<Record<string, number>> = {
  // Every Claude since 2.1 has at least this window, so a new member of the family is safe with it.
  claude: 200_000,
  "gpt-5": 400_000,
  "gpt-6": 1_050_000,
  // The lists of Google, DeepSeek and xAI tell no windows. Each member has at least this one; DeepSeek's are served by many.
  "gemini-2": 1_000_000,
  "gemini-3": 1_000_000,
  "gemini-flash": 1_000_000,
  "gemini-pro-latest": 1_000_000,
  "deepseek-v4": 128_000,
  "grok-3": 131_072,
  "grok-4": 256_000,
  "grok-code": 256_000,
};

/** The longest answers that providers publish; the snapshot's source has none. */
const OUTPUTS: ReadonlyMap<string, number> = new Map([
  ["claude-opus-4-5", 64_000],
  ["claude-sonnet-4-5", 64_000],
  ["claude-haiku-4-5", 64_000],
  ["gpt-5", 128_000],
  ["gpt-4.1", 32_768],
  ["gpt-4o", 16_384],
]);

const WINDOWS: ReadonlyMap<string, number> = new Map(
  [FAMILY_WINDOWS, ANTHROPIC_SNAPSHOT.windows, OPENAI_SNAPSHOT.windows].flatMap(Object.entries<number>),
);

const PRICES: ReadonlyMap<string, ModelPrice> = new Map(
  [ANTHROPIC_SNAPSHOT.prices, OPENAI_SNAPSHOT.prices].flatMap(Object.entries<ModelPrice>),
);

/** The cheap member of a provider's family that makes summaries. None of them has an end date. */
export const SMALL_MODELS: Readonly<Record<string, string>> = {
  anthropic: "claude-haiku-5-5",
  openai: "gpt-6-luna",
};
