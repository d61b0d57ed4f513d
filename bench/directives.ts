/**
 * Precision and recall of "User directives" on sentences that the recognition was not developed with, and the share
 * that is preserved as the user's own words at all.
 */

import { readFileSync } from "node:fs";
import path from "node:path";
import type { BenchReport } from "../scripts/benchmark.ts";
import { projectDirectory } from "../scripts/command.ts";
import { isDirective, isUserVerbatim } from "../src/core/summary/facts/directives.ts";
import { percent } from "./support/directivesLeft.ts";

/** Classifies each sentence. */
export function run(): Promise<BenchReport> {
  const directing = sentences("heldOutDirecting");
  const telling = sentences("heldOutTelling");
  const found = directing.filter(isDirective);
  const mistaken = telling.filter(isDirective);
  return Promise.resolve({
    figures: {
      directing: directing.length,
      telling: telling.length,
      headedPrecisionPercent: rounded(percent(found.length, found.length + mistaken.length)),
      headedRecallPercent: rounded(percent(found.length, directing.length)),
      ownWordsRecallPercent: rounded(percent(directing.filter(isUserVerbatim).length, directing.length)),
    },
  });
}

function sentences(name: string): readonly string[] {
  const file = path.join(projectDirectory, "test", "support", "texts", "talk", "sentences", `${name}.txt`);
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function rounded(value: number): number {
  return Math.floor(value * 10) / 10;
}
