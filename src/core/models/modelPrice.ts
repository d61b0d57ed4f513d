/** What a model costs. A price that is not known is absent, never guessed. */

/** US dollars for a million tokens. */
export interface TokenRates {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
  /** Absent: what is read from the provider's cache is billed like other input. */
  readonly cacheReadPerMillionUsd?: number;
  /** Absent: what is written to the provider's cache is billed like other input. */
  readonly cacheWritePerMillionUsd?: number;
}

/** A model's price. */
export interface ModelPrice extends TokenRates {
  /** What a request with more input than `aboveTokens` costs, all of it; absent where all cost the same. */
  readonly longInput?: TokenRates & { readonly aboveTokens: number };
}

/** Tokens that were billed, of one request or of several together. What the cache read and wrote is a part of `inputTokens`. */
export interface BilledTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Absent: one. */
  readonly requests?: number;
}

/** Dollars for what was billed; `undefined` when the price depends on the size of requests of which only the sum is known. */
export function costUsd(price: ModelPrice, billed: BilledTokens): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, requests = 1 } = billed;
  const isLong = price.longInput !== undefined && inputTokens > price.longInput.aboveTokens;
  if (isLong && requests > 1) return undefined;
  const rates = (isLong ? price.longInput : undefined) ?? price;
  const freshTokens = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const perMillion =
    freshTokens * rates.inputPerMillionUsd +
    cacheReadTokens * (rates.cacheReadPerMillionUsd ?? rates.inputPerMillionUsd) +
    cacheWriteTokens * (rates.cacheWritePerMillionUsd ?? rates.inputPerMillionUsd) +
    outputTokens * rates.outputPerMillionUsd;
  return perMillion / 1e6;
}
