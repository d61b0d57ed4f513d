/**
 * Default limits and prices, from dated snapshots of a maintained source and what it lacks. Limits are matched by
 * prefix, because a family shares them; prices by exact id, because a family does not.
 */

import { longestPrefix, withoutVendor } from "./longestPrefix.ts";
import type { ModelLimits } from "./modelLimits.ts";
import type { ModelPrice } from "./modelPrice.ts";
import { ANTHROPIC_SNAPSHOT } from "./snapshot/anthropic.ts";
import { OPENAI_SNAPSHOT } from "./snapshot/openai.ts";

/** A missing `maxOutput` is unknown and has to be assumed. */
export type BuiltinLimits = Pick<ModelLimits, "contextWindow"> & Partial<ModelLimits>;

/** Limits by longest known prefix of the name without its vendor; `undefined` when no prefix is known. */
export function builtinLimits(name: string): BuiltinLimits | undefined {
  const bareName = withoutVendor(name);
  const contextWindow = longestPrefix(WINDOWS, bareName);
  const maxOutput = longestPrefix(OUTPUTS, bareName);
  if (contextWindow === undefined) return undefined;
  return maxOutput === undefined ? { contextWindow } : { contextWindow, maxOutput };
}

export function builtinPrice(name: string): ModelPrice | undefined {
  return PRICES.get(name);
}

/** Context windows of families, in tokens, for models newer than the snapshot. */
export const FAMILY_WINDOWS: Readonly<Record<string, number>> = {
  // Every Claude since 2.1 has at least this window, so a new member of the family is safe with it.
  claude: 200_000,
  "gpt-5": 400_000,
  "gpt-6": 1_050_000,
  // Google, DeepSeek and xAI do not list windows. Each model has at least this one; many hosts serve DeepSeek's.
  "gemini-pro": 32_000,
  "gemini-1.5": 1_000_000,
  "gemini-2": 1_000_000,
  "gemini-3": 1_000_000,
  "gemini-flash": 1_000_000,
  "gemini-pro-latest": 1_000_000,
  "deepseek-v4": 128_000,
  "grok-3": 131_072,
  "grok-4": 256_000,
  "grok-code": 256_000,
};

/** Output limits as published by the providers; the snapshot's source has none. */
const OUTPUTS: ReadonlyMap<string, number> = new Map([
  ["claude-3-haiku", 4_096],
  ["claude-3-opus", 4_096],
  ["claude-3-5", 8_192],
  ["claude-3-7", 64_000],
  ["claude-opus-4-5", 64_000],
  ["claude-sonnet-4", 64_000],
  ["claude-haiku-4-5", 64_000],
  ["gpt-5", 128_000],
  ["gpt-4.1", 32_768],
  ["gpt-4o", 16_384],
  ["gpt-4-turbo", 4_096],
  ["gpt-3.5-turbo", 4_096],
  ["o1", 100_000],
  ["o1-mini", 65_536],
  ["o1-preview", 32_768],
  ["o3", 100_000],
  ["o4-mini", 100_000],
  ["gemini-pro", 8_192],
  ["gemini-1.5", 8_192],
  ["gemini-2.0", 8_192],
  ["gemini-2.5", 65_536],
  ["gemini-pro-latest", 65_536],
  ["gemini-flash", 65_536],
]);

const WINDOWS: ReadonlyMap<string, number> = new Map(
  [FAMILY_WINDOWS, ANTHROPIC_SNAPSHOT.windows, OPENAI_SNAPSHOT.windows].flatMap(Object.entries<number>),
);

const PRICES: ReadonlyMap<string, ModelPrice> = new Map(
  [ANTHROPIC_SNAPSHOT.prices, OPENAI_SNAPSHOT.prices].flatMap(Object.entries<ModelPrice>),
);

/** Cheap model of each provider that writes summaries. None of them has a retirement date. */
export const SMALL_MODELS: Readonly<Record<string, string>> = {
  anthropic: "claude-haiku-5-5",
  openai: "gpt-6-luna",
};
