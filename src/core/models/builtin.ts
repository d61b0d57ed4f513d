/**
 * What was known about models on the day of the snapshot. Used only where neither the user nor the provider says more.
 * Windows go by prefix, because a family keeps its window; prices go by exact id, because they do not.
 */

import type { ModelLimits } from "./modelLimits.ts";
import type { ModelPrice } from "./modelPrice.ts";

/** The day on which these figures were true. */
export const SNAPSHOT_DATE = "2026-11-21";

/** Limits by prefix of a model's name. A missing `maxOutput` is not known and has to be assumed. */
export const BUILTIN_LIMITS: Readonly<Record<string, Pick<ModelLimits, "contextWindow"> & Partial<ModelLimits>>> = {
  // Every Claude since 2.1 has at least this window, so a new member of the family is safe with it.
  claude: { contextWindow: 200_000 },
  "claude-opus-5-5": { contextWindow: 1_000_000 },
  "claude-opus-5": { contextWindow: 1_000_000 },
  "claude-opus-4-8": { contextWindow: 1_000_000 },
  "claude-opus-4-5": { contextWindow: 200_000, maxOutput: 64_000 },
  "claude-sonnet-5-5": { contextWindow: 1_000_000 },
  "claude-sonnet-5": { contextWindow: 1_000_000 },
  "claude-sonnet-4-5": { contextWindow: 200_000, maxOutput: 64_000 },
  "claude-haiku-4-5": { contextWindow: 200_000, maxOutput: 64_000 },
  "gpt-6": { contextWindow: 1_050_000 },
  "gpt-5": { contextWindow: 400_000, maxOutput: 128_000 },
  "gpt-5.2": { contextWindow: 400_000, maxOutput: 128_000 },
  "gpt-4.1": { contextWindow: 1_047_576, maxOutput: 32_768 },
  "gpt-4o": { contextWindow: 128_000, maxOutput: 16_384 },
};

/** Prices by exact id. */
export const BUILTIN_PRICES: Readonly<Record<string, ModelPrice>> = {
  "claude-opus-5-5": { inputPerMillionUsd: 4, outputPerMillionUsd: 20, cacheReadPerMillionUsd: 0.2 },
  "claude-sonnet-5": { inputPerMillionUsd: 2, outputPerMillionUsd: 10 },
  "claude-haiku-4-5": { inputPerMillionUsd: 1, outputPerMillionUsd: 5 },
  "gpt-6-astra": { inputPerMillionUsd: 10, outputPerMillionUsd: 50 },
  "gpt-6-sol": { inputPerMillionUsd: 2, outputPerMillionUsd: 10 },
  "gpt-6-luna": { inputPerMillionUsd: 0.1, outputPerMillionUsd: 0.5 },
};

/** The cheap member of a provider's family that makes summaries. None of them has an end date. */
export const SMALL_MODELS: Readonly<Record<string, string>> = {
  anthropic: "claude-haiku-5-5",
  openai: "gpt-6-luna",
};
