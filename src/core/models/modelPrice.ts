/** What a model costs. A price that is not known is absent, never guessed. */

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly inputPerMillionUsd: number;
  readonly outputPerMillionUsd: number;
  /** Absent: what is read from the provider's cache is billed like other input. */
  readonly cacheReadPerMillionUsd?: number;
}

/** Dollars for one request. `cacheReadTokens` is a part of `inputTokens`. */
export function costUsd(
  price: ModelPrice,
  tokens: { readonly inputTokens: number; readonly outputTokens: number; readonly cacheReadTokens?: number },
): number {
  const cached = tokens.cacheReadTokens ?? 0;
  const cachedPrice = price.cacheReadPerMillionUsd ?? price.inputPerMillionUsd;
  const fresh = tokens.inputTokens - cached;
  return (
    (fresh * price.inputPerMillionUsd + cached * cachedPrice + tokens.outputTokens * price.outputPerMillionUsd) / 1e6
  );
}
