/**
 * What a conversation still knows after 1, 5 and 10 compactions: facts planted in it by seed, in several ways of talking,
 * are looked for word for word in what is sent, and by one search over the originals; with every strategy that keeps the
 * story, and with good and bad models. And whether what a lying model makes up is marked.
 */

import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { isPassive } from "../src/core/context/compactionPlanner.ts";
import { CONTEXT_POLICIES, type ContextPolicy } from "../src/core/context/contextSettings.ts";
import type { PlantedFact } from "../test/support/talk/plantedSession.ts";
import { percent } from "./support/directivesLeft.ts";
import {
  LAST_ROUND,
  ROUNDS,
  type Cell,
  type CellRequest,
  type Summarizer,
  type Talk,
} from "./support/retentionCell.ts";
import { retentionCells } from "./support/retentionThreads.ts";

const POLICIES = CONTEXT_POLICIES.filter((policy) => !isPassive(policy));
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

/** What is held with the styles that nothing was improved on. */
const HELD_OUT: readonly (readonly [policy: ContextPolicy, summarizer: Summarizer])[] = [
  ["pipeline", "good"],
  ["pipeline", "none"],
  ["archive", "terse"],
];

const UNSEEN: readonly { readonly talk: Talk; readonly heading: string }[] = [
  { talk: "heldOut", heading: ", of styles that nothing was improved on at first" },
  { talk: "laterHeldOut", heading: ", of styles that were written later" },
  { talk: "newestHeldOut", heading: ", of styles whose misses have been read since" },
  { talk: "fresh", heading: ", of styles that nothing was improved on" },
];

/** Runs every combination; with `full` in several windows, with several seeds, and with more models. */
export async function run({ full }: BenchOptions): Promise<BenchReport> {
  const summarizers = full ? [...SUMMARIZERS, ...MORE_SUMMARIZERS] : SUMMARIZERS;
  const seeds = full ? SEEDS_IN_FULL : [SEED];
  const usual = (full ? WINDOWS_IN_FULL : [WINDOW]).flatMap((window) =>
    seeds.flatMap((seed) =>
      POLICIES.flatMap((policy) =>
        summarizers.map((summarizer): CellRequest => ({ policy, summarizer, seed, window, talk: "usual" })),
      ),
    ),
  );
  const unseen = UNSEEN.flatMap(({ talk }) =>
    seeds.flatMap((seed) =>
      HELD_OUT.map(([policy, summarizer]): CellRequest => ({ policy, summarizer, seed, window: WINDOW, talk })),
    ),
  );
  const all = await retentionCells([...usual, ...unseen], printCell);
  const cells = all.slice(0, usual.length);
  const talks = UNSEEN.map((unseenTalk) => ({
    ...unseenTalk,
    cells: all.filter(({ talk }) => talk === unseenTalk.talk),
  }));
  for (const { heading, cells: of } of [{ heading: "", cells }, ...talks]) {
    printMisses(`missed in prompts${heading}`, of);
    printDirectives(`directives${heading}`, of);
  }
  return {
    figures: {
      ...leastOf(cells),
      fabricatedUnmarked: sum(all, ({ unmarked }) => unmarked.length),
      summarySizePercentMax: round(Math.max(...all.map(({ sizePercent }) => sizePercent))),
      plantedFactsMin: Math.min(...cells.map(({ planted }) => planted)),
      inventions: sum(all, ({ inventions }) => inventions),
      ...Object.fromEntries(talks.flatMap(({ talk, cells: of }) => Object.entries(named(talk, leastOf(of))))),
    },
  };
}

function named(styles: string, figures: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${styles}_${name}`, value]));
}

/**
 * The least of each figure, only of `toolOrdersPromoted` the sum: orders in what tools answered that were taken for the user's.
 *
 * `directivesInPromptPercent`: of all planted rules whose messages are summarized. `directivesWithinAllowanceInPromptPercent`:
 * of all directives that their allowance of 400 tokens a summary has room for, the newest first; what it has no room for is a
 * matter of recall. `directivesPrecisionPercent`: of the lines that stand in prompts as the user's directives, those that
 * were meant as such.
 */
function leastOf(cells: readonly Cell[]): Readonly<Record<string, number>> {
  const least = (valueOf: (cell: Cell) => number): number => round(Math.min(...cells.map(valueOf)));
  return {
    inPromptPercent10: least(({ inPrompt }) => inPrompt[LAST_ROUND] ?? 0),
    reachablePercent10: least(({ reachable }) => reachable),
    inPromptPercent1: least(({ inPrompt }) => inPrompt[1] ?? 0),
    inPromptPercent5: least(({ inPrompt }) => inPrompt[5] ?? 0),
    inSummariesPercent10: least(({ inSummaries }) => inSummaries),
    directivesReachablePercent: least(({ directivesReachable }) => directivesReachable),
    directivesInPromptPercent: least(({ directives }) => directives.inPromptPercent),
    directivesWithinAllowanceInPromptPercent: least(({ directives }) => directives.withinAllowanceInPromptPercent),
    directivesPrecisionPercent: least(({ directives: { kept, mistaken } }) => percent(kept - mistaken.length, kept)),
    toolOrdersPromoted: sum(cells, ({ directives }) => directives.fromTools.length),
  };
}

function sum(cells: readonly Cell[], of: (cell: Cell) => number): number {
  return cells.reduce((total, cell) => total + of(cell), 0);
}

function printCell(cell: Cell): void {
  const { policy, summarizer, inPrompt, planted } = cell;
  const rounds = ROUNDS.map((wanted) => (inPrompt[wanted] ?? 0).toFixed(1).padStart(6)).join("");
  console.log(
    `${policy.padEnd(10)} ${summarizer.padEnd(10)} in prompt${rounds} %, of summarized ${cell.inSummaries.toFixed(1).padStart(5)} %,` +
      ` rules ${cell.directives.inPromptPercent.toFixed(1).padStart(5)} %, reachable ${cell.reachable.toFixed(1)} %, size ${cell.sizePercent.toFixed(1)} %,` +
      ` ${String(planted)} facts, ${String(cell.inventions)} inventions, ${String(cell.unmarked.length)} unmarked`,
  );
  for (const { kind, text } of cell.unmarked.slice(0, 5)) console.log(`  not marked: ${kind} ${text}`);
}

/** Which facts are missed, by type and style, the most frequent first. */
function printMisses(heading: string, cells: readonly Cell[]): void {
  const misses = cells.flatMap((cell) => cell.misses);
  const byKind = new Map<string, PlantedFact[]>();
  for (const fact of misses) {
    const kind = `${fact.type}, ${fact.style}, said by the ${fact.voice}`;
    byKind.set(kind, [...(byKind.get(kind) ?? []), fact]);
  }
  const sorted = [...byKind].sort(([, one], [, other]) => other.length - one.length);
  console.log(`${heading}: ${String(misses.length)}`);
  for (const [kind, facts] of sorted.slice(0, MOST_MISSES_SHOWN)) {
    console.log(`  ${String(facts.length).padStart(4)}  ${kind}: ${facts[0]?.text ?? ""}`);
  }
}

/** Where directives were lost on their way into the prompts of the conversations, and what was mistaken for one. */
function printDirectives(heading: string, cells: readonly Cell[]): void {
  const count = (of: (cell: Cell) => readonly unknown[]): string => String(sum(cells, (cell) => of(cell).length));
  console.log(
    `${heading}: of ${count(({ directives }) => directives.rules)} not in prompt:` +
      ` ${count(({ directives }) => directives.unrecognized)} not recognized,` +
      ` ${count(({ directives }) => directives.crowdedOut)} without room in any summary,` +
      ` ${count(({ directives }) => directives.lostBetweenLevels)} lost between levels;` +
      ` ${String(sum(cells, ({ directives }) => directives.kept))} lines kept as directives,` +
      ` ${count(({ directives }) => directives.mistaken)} by mistake`,
  );
  printMostFrequent(
    "not recognized",
    cells.flatMap(({ directives }) => directives.unrecognized.map(({ style, text }) => `${style}: ${text}`)),
  );
  printMostFrequent(
    "by mistake",
    cells.flatMap(({ directives }) => directives.mistaken),
  );
}

function printMostFrequent(heading: string, texts: readonly string[]): void {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  const sorted = [...times].sort(([, one], [, other]) => other - one).slice(0, MOST_MISSES_SHOWN);
  for (const [text, count] of sorted) console.log(`  ${String(count).padStart(4)}  ${heading}: ${text}`);
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
