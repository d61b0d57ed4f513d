/** The token counter with the real rank data, built once for all tests. */

import { rankBytes } from "../../../scripts/buildRanks.mjs";
import { buildTokenCounter, type RankFiles } from "../../../src/core/tokens/buildTokenCounter.ts";
import type { TokenCounter } from "../../../src/core/tokens/tokenCounter.ts";

let files: RankFiles | undefined;
let shared: TokenCounter | undefined;

export function testRankFiles(): RankFiles {
  files ??= { cl100k: rankBytes("cl100k_base"), o200k: rankBytes("o200k_base") };
  return files;
}

/** The extension's counter; with `longestRun`, a new one that cuts runs there. */
export function testTokenCounter(longestRun?: number): TokenCounter {
  if (longestRun !== undefined) return built(longestRun);
  shared ??= built();
  return shared;
}

function built(longestRun?: number): TokenCounter {
  const steps = buildTokenCounter(testRankFiles(), longestRun);
  for (;;) {
    const step = steps.next();
    if (step.done !== true) continue;
    if (!step.value.ok) throw new Error(step.value.error.detail);
    return step.value.value;
  }
}
