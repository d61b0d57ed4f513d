/** Share of the answers of services in their own dialects that are read right, by kind and service. */

import { isDeepStrictEqual } from "node:util";
import type { BenchReport } from "../scripts/benchmark.ts";
import type { DialectCase } from "../test/support/dialects/dialectCase.ts";
import { DIALECT_CASES } from "../test/support/dialects/index.ts";
import { runCase } from "../test/support/dialects/runCase.ts";

export async function run(): Promise<BenchReport> {
  const results: { readonly tried: DialectCase; readonly isRight: boolean }[] = [];
  for (const tried of DIALECT_CASES) {
    const result = await runCase(tried).catch((thrown: unknown) => String(thrown));
    const isRight = isDeepStrictEqual(result, tried.right);
    results.push({ tried, isRight });
    if (isRight) continue;
    console.log(`wrong: ${tried.kind}, ${tried.service}: ${tried.title} ${tried.source}`);
    console.log(`  is    ${JSON.stringify(result)}\n  right ${JSON.stringify(tried.right)}`);
  }
  const percentBy = (name: "kind" | "service"): readonly (readonly [string, number])[] =>
    [...new Set(results.map(({ tried }) => tried[name]))]
      .toSorted((one, other) => one.localeCompare(other))
      .map((value) => [`${name} ${value}`, percentRight(results.filter(({ tried }) => tried[name] === value))]);
  return {
    figures: {
      cases: results.length,
      rightPercent: percentRight(results),
      ...Object.fromEntries([...percentBy("kind"), ...percentBy("service")]),
    },
  };
}

function percentRight(results: readonly { readonly isRight: boolean }[]): number {
  const right = results.filter(({ isRight }) => isRight).length;
  return Math.round((10_000 * right) / results.length) / 100;
}
