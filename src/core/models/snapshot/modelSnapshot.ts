/** The form of the snapshots, one for each provider, that `npm run models` makes. */

import type { ModelPrice, TokenRates } from "../modelPrice.ts";

/** What a maintained source knew of a provider's models on one day. */
export interface ModelSnapshot {
  /** The day, such as `2026-11-21`, whose prices these are. */
  readonly date: string;
  /** Tokens of the context window by prefix of an id. */
  readonly windows: Readonly<Record<string, number>>;
  /** Prices by exact id, other spellings of an id included. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/** Dollars for a million tokens of input, of output, of input read from the cache, and of input written to it. */
export type Rates = readonly [input: number, output: number, cacheRead?: number, cacheWrite?: number];

/** A price from its figures; `long` is what requests of more input than `aboveTokens` cost. */
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
