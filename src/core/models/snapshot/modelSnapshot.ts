/** Format of the snapshots, one for each provider, that `npm run models` generates. */

import type { ModelPrice, TokenRates } from "../modelPrice.ts";

export interface ModelSnapshot {
  /** Date of the prices, such as `2026-11-21`. */
  readonly date: string;
  /** Context window in tokens, by model id prefix. */
  readonly windows: Readonly<Record<string, number>>;
  /** By exact model id, including its aliases. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/** US dollars per million tokens. */
export type Rates = readonly [input: number, output: number, cacheRead?: number, cacheWrite?: number];

/** `long` holds the rates of requests with more input than `aboveTokens`. */
export function price(rates: Rates, long?: { readonly aboveTokens: number; readonly rates: Rates }): ModelPrice {
  if (long === undefined) return tokenRates(rates);
  return { ...tokenRates(rates), longInput: { aboveTokens: long.aboveTokens, ...tokenRates(long.rates) } };
}

function tokenRates([inputPerMillionUsd, outputPerMillionUsd, cacheRead, cacheWrite]: Rates): TokenRates {
  return {
    inputPerMillionUsd,
    outputPerMillionUsd,
    ...(cacheRead === undefined ? {} : { cacheReadPerMillionUsd: cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWritePerMillionUsd: cacheWrite }),
  };
}
