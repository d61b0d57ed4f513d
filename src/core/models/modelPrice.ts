/** Prices of models. An unknown price is absent, never guessed. */

/** US dollars per million tokens. */
export interface TokenRates {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
  /** Absent: cache reads are billed like other input. */
  readonly cacheReadPerMillionUsd?: number;
  /** Absent: cache writes are billed like other input. */
  readonly cacheWritePerMillionUsd?: number;
}

export interface ModelPrice extends TokenRates {
  /** Rates for all of a request with more input than `aboveTokens`; absent: size makes no difference. */
  readonly longInput?: TokenRates & { readonly aboveTokens: number };
}

/** Tokens billed for one or several requests. Cache reads and writes are included in `inputTokens`. */
export interface BilledTokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Absent: one. */
  readonly requests?: number;
}

/** US dollars; `undefined` when the price depends on request size, and only the sum of several is known. */
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
