/** Builds a token counter from the bytes of the two rank files, in steps that a host can spread over its idle moments. */

import type { StorageFailed } from "../errors.ts";
import { ok, type Result } from "../result.ts";
import { BpeCounter } from "./bpe/bpeCounter.ts";
import { buildCharClasses } from "./bpe/charClasses.ts";
import { LONGEST_RUN, PreTokenizer } from "./bpe/preTokenizer.ts";
import { buildRankTable } from "./bpe/rankTable.ts";
import { TokenCounter } from "./tokenCounter.ts";

/** The bytes of the rank files as `scripts/buildRanks.mjs` makes them. They are kept, and must not be changed. */
export interface RankFiles {
  readonly cl100k: Uint8Array;
  readonly o200k: Uint8Array;
}

/**
 * A generator that ends with the counter; each step takes about a millisecond. A rank file that is not whole ends it with
 * `STORAGE_FAILED`. `longestRun` is for tests of the cut of long runs.
 */
export function* buildTokenCounter(
  files: RankFiles,
  longestRun = LONGEST_RUN,
): Generator<void, Result<TokenCounter, StorageFailed>> {
  const classes = yield* buildCharClasses();
  const cl100k = yield* buildRankTable(files.cl100k);
  if (!cl100k.ok) return cl100k;
  const o200k = yield* buildRankTable(files.o200k);
  if (!o200k.ok) return o200k;
  return ok(
    new TokenCounter({
      cl100k: new BpeCounter(new PreTokenizer(classes, "cl100k", longestRun), cl100k.value),
      o200k: new BpeCounter(new PreTokenizer(classes, "o200k", longestRun), o200k.value),
    }),
  );
}
