/** Builds a token counter from the two rank files, in steps that a host can spread over idle time. */

import type { StorageFailed } from "../errors.ts";
import { ok, type Result } from "../result.ts";
import { BpeCounter } from "./bpe/bpeCounter.ts";
import { buildCharClasses } from "./bpe/charClasses.ts";
import { LONGEST_RUN, PreTokenizer } from "./bpe/preTokenizer.ts";
import { buildRankTable } from "./bpe/rankTable.ts";
import { TokenCounter } from "./tokenCounter.ts";

/** Bytes of the rank files made by `scripts/buildRanks.mjs`. They are retained, and must not be changed. */
export interface RankFiles {
  readonly cl100k: Uint8Array;
  readonly o200k: Uint8Array;
}

/** Each step takes about a millisecond. An incomplete file gives `STORAGE_FAILED`. */
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
