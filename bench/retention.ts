/**
 * What a conversation still knows after 1, 5 and 10 compactions: facts planted in it by seed, in several ways of talking,
 * are looked for word for word in what is sent, and by one search over the originals; with every strategy that keeps the
 * story, and with good and bad models. And whether what a lying model makes up is marked.
 */

import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import type { ContextPolicy } from "../src/core/context/contextSettings.ts";
import type { PlantedFact } from "../test/support/talk/plantedSession.ts";
import { LAST_ROUND, retentionCell, ROUNDS, Turns, type Cell, type Summarizer } from "./support/retentionCell.ts";

const POLICIES: readonly ContextPolicy[] = [
  "pipeline",
  "threshold",
  "toolCalls",
  "goalBatch",
  "sandwich",
  "archive",
  "tree",
];
/** `none`: there is no model. */
const SUMMARIZERS: readonly Summarizer[] = ["good", "terse", "lying", "none"];
const MORE_SUMMARIZERS: readonly Summarizer[] = ["rambling", "refusing", "echoing", "injecting"];
const WINDOW = { contextWindow: 46_000, maxOutput: 8_000 };
const WINDOWS_IN_FULL = [
  { contextWindow: 16_000, maxOutput: 4_000 },
  WINDOW,
  { contextWindow: 128_000, maxOutput: 16_000 },
];
const SEEDS_IN_FULL = [101, 202, 303];
const SEED = 101;
const MOST_MISSES_SHOWN = 40;

/** Runs every combination; with `full` in several windows, with several seeds, and with more models. */
export async function run({ full }: BenchOptions): Promise<BenchReport> {
  const cells: Cell[] = [];
  const summarizers = full ? [...SUMMARIZERS, ...MORE_SUMMARIZERS] : SUMMARIZERS;
  for (const window of full ? WINDOWS_IN_FULL : [WINDOW]) {
    for (const seed of full ? SEEDS_IN_FULL : [SEED]) {
      const turns = new Turns(seed);
      for (const policy of POLICIES) {
        for (const summarizer of summarizers) {
          cells.push(await retentionCell({ policy, summarizer, seed, window, turns }));
          printCell(cells.at(-1));
        }
      }
    }
  }
  printMisses(cells.flatMap(({ misses }) => misses));
  const least = (valueOf: (cell: Cell) => number): number => Math.min(...cells.map(valueOf));
  return {
    figures: {
      inPromptPercent10: round(least(({ inPrompt }) => inPrompt[LAST_ROUND] ?? 0)),
      reachablePercent10: round(least(({ reachable }) => reachable)),
      fabricatedUnmarked: cells.reduce((sum, { unmarked }) => sum + unmarked.length, 0),
      inPromptPercent1: round(least(({ inPrompt }) => inPrompt[1] ?? 0)),
      inPromptPercent5: round(least(({ inPrompt }) => inPrompt[5] ?? 0)),
      inSummariesPercent10: round(least(({ inSummaries }) => inSummaries)),
      directivesReachablePercent: round(least(({ directivesReachable }) => directivesReachable)),
      directivesInPromptPercent: round(least(({ directivesInPrompt }) => directivesInPrompt)),
      summarySizePercentMax: round(Math.max(...cells.map(({ sizePercent }) => sizePercent))),
      plantedFactsMin: least(({ planted }) => planted),
      inventions: cells.reduce((sum, { inventions }) => sum + inventions, 0),
    },
  };
}

function printCell(cell: Cell | undefined): void {
  if (cell === undefined) return;
  const { policy, summarizer, inPrompt, planted } = cell;
  const rounds = ROUNDS.map((wanted) => (inPrompt[wanted] ?? 0).toFixed(1).padStart(6)).join("");
  console.log(
    `${policy.padEnd(10)} ${summarizer.padEnd(10)} in prompt${rounds} %, of summarized ${cell.inSummaries.toFixed(1).padStart(5)} %,` +
      ` rules ${cell.directivesInPrompt.toFixed(1).padStart(5)} %, reachable ${cell.reachable.toFixed(1)} %, size ${cell.sizePercent.toFixed(1)} %,` +
      ` ${String(planted)} facts, ${String(cell.inventions)} inventions, ${String(cell.unmarked.length)} unmarked`,
  );
  for (const { kind, text } of cell.unmarked.slice(0, 5)) console.log(`  not marked: ${kind} ${text}`);
}

/** Which facts are missed, by type and style, the most frequent first. */
function printMisses(misses: readonly PlantedFact[]): void {
  const byKind = new Map<string, PlantedFact[]>();
  for (const fact of misses) {
    const kind = `${fact.type}, ${fact.style}, said by the ${fact.voice}`;
    byKind.set(kind, [...(byKind.get(kind) ?? []), fact]);
  }
  const sorted = [...byKind].sort(([, one], [, other]) => other.length - one.length);
  console.log(`missed in prompts: ${String(misses.length)}`);
  for (const [kind, facts] of sorted.slice(0, MOST_MISSES_SHOWN)) {
    console.log(`  ${String(facts.length).padStart(4)}  ${kind}: ${facts[0]?.text ?? ""}`);
  }
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
