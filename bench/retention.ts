/**
 * Retention after 1, 5 and 10 compactions: facts planted by seed, in several styles, are searched word for word in the
 * prompt, and by one recall over the originals; with every summarizing strategy, and good and bad models. Also checks
 * that inventions of a lying model are marked.
 */

import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import type { PlantedFact } from "../test/support/texts/talk/plantedSession.ts";
import { percent } from "./support/directivesLeft.ts";
import { LAST_ROUND, ROUNDS, type Cell, type Left, type Talk } from "./support/retentionCell.ts";
import { retentionReal } from "./support/real/retentionReal.ts";
import { retentionDesign } from "./support/retentionDesign.ts";
import { retentionCells } from "./support/retentionThreads.ts";

const MOST_MISSES_SHOWN = 40;

const UNSEEN: readonly { readonly talk: Talk; readonly heading: string }[] = [
  { talk: "heldOut", heading: ", of styles that nothing was improved on at first" },
  { talk: "laterHeldOut", heading: ", of styles that were written later" },
  { talk: "newestHeldOut", heading: ", of styles whose misses have been read since" },
  { talk: "fresh", heading: ", of styles that nothing was improved on" },
  { talk: "sealed", heading: ", of styles whose kinds of misses have been read since" },
  { talk: "unheard", heading: ", of styles that were only looked at in the end" },
];

/** Runs the conversations; with `full` in several windows, with several seeds and more models. */
export async function run({ full, real, data }: BenchOptions): Promise<BenchReport> {
  if (real === true) {
    if (data === undefined) throw new Error("--real needs --data DIR, a directory with recorded conversations");
    return retentionReal(data, full);
  }
  const { usual, unseen, words } = retentionDesign(
    full,
    UNSEEN.map(({ talk }) => talk),
  );
  console.log(words);
  const all = await retentionCells([...usual, ...unseen], printCell);
  const cells = all.slice(0, usual.length);
  const talks = UNSEEN.map((unseenTalk) => ({
    ...unseenTalk,
    cells: all.filter(({ talk }) => talk === unseenTalk.talk),
  }));
  for (const { heading, cells: of } of [{ heading: "", cells }, ...talks]) {
    printMisses(
      `missed in prompts${heading}`,
      of.flatMap(({ left }) => left.misses),
    );
    printMisses(
      `neither in prompts nor found by one recall${heading}`,
      of.flatMap(({ left, leftAtEnd }) => [...left.unreachable, ...leftAtEnd.unreachable]),
    );
    printDirectives(
      `directives${heading}`,
      of.map(({ left }) => left),
    );
  }
  return {
    figures: {
      ...leastOf(cells),
      fabricatedUnmarked: sum(all, ({ unmarked }) => unmarked.length),
      summarySizePercentMax: round(
        Math.max(...all.flatMap(({ left, leftAtEnd }) => [left.sizePercent, leftAtEnd.sizePercent])),
      ),
      plantedFactsMin10: Math.min(...cells.map(({ left }) => left.planted)),
      plantedFactsMin: Math.min(...cells.map(({ leftAtEnd }) => leftAtEnd.planted)),
      roundsMax: Math.max(...cells.map(({ rounds }) => rounds)),
      inPromptPercentAtEnd: leastLeft(
        cells.map(({ leftAtEnd }) => leftAtEnd),
        ({ inPrompt }) => inPrompt,
      ),
      reachablePercentAtEnd: leastLeft(
        cells.map(({ leftAtEnd }) => leftAtEnd),
        ({ reachable }) => reachable,
      ),
      ...byWindow(cells),
      inventions: sum(all, ({ inventions }) => inventions),
      conversations: all.length,
      ...Object.fromEntries(talks.flatMap(({ talk, cells: of }) => Object.entries(named(talk, leastOf(of))))),
    },
  };
}

/**
 * Least share of facts in prompts by window, after the last round and at the end: a small window soon has room for a
 * small part of a long conversation only, and the rest is left to recall. Empty if there is only one window.
 */
function byWindow(cells: readonly Cell[]): Readonly<Record<string, number>> {
  const windows = [...new Set(cells.map(({ window }) => window.contextWindow))].toSorted((one, other) => one - other);
  if (windows.length < 2) return {};
  const figures = windows.flatMap((contextWindow) => {
    const of = cells.filter(({ window }) => window.contextWindow === contextWindow);
    const least = (looks: readonly Left[]): number => leastLeft(looks, ({ inPrompt }) => inPrompt);
    const name = `${String(contextWindow / 1_000)}k`;
    return [
      [`inPromptPercent10Of${name}`, least(of.map(({ left }) => left))],
      [`inPromptPercentAtEndOf${name}`, least(of.map(({ leftAtEnd }) => leftAtEnd))],
    ] as const;
  });
  return Object.fromEntries(figures);
}

function named(styles: string, figures: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${styles}_${name}`, value]));
}

/**
 * The least of each figure; of `toolOrdersPromoted` (orders in tool results mistaken for the user's) the sum.
 *
 * `answeredWithoutToolPercent`: of the planted facts, those that a request has which asks for them in plain words;
 * `…Before`: without what is recalled for the question. `recalledForNothingPercent`: of the next messages of the user,
 * whose topics nobody has named so far, those for which something is recalled.
 *
 * `directivesInPromptPercent`: of all planted rules whose messages are summarized.
 * `directivesWithinAllowanceInPromptPercent`: of the newest directives that fit the allowance of 400 tokens per
 * summary; the others are left to recall. `directivesPrecisionPercent`: share of true directives among the lines listed
 * as such in prompts.
 */
function leastOf(cells: readonly Cell[]): Readonly<Record<string, number>> {
  const afterLastRound = cells.map(({ left }) => left);
  const least = (valueOf: (left: Left) => number): number => leastLeft(afterLastRound, valueOf);
  const leastAt = (wanted: number): number => round(Math.min(...cells.map(({ inPrompt }) => inPrompt[wanted] ?? 0)));
  return {
    inPromptPercent10: leastAt(LAST_ROUND),
    reachablePercent10: least(({ reachable }) => reachable),
    answeredWithoutToolPercent: least(({ answered }) => answered),
    answeredWithoutToolPercentBefore: least(({ inPrompt }) => inPrompt),
    recalledForNothingPercent: round(
      percent(
        sum(cells, ({ forNothing }) => forNothing.recalled),
        sum(cells, ({ forNothing }) => forNothing.asked),
      ),
    ),
    inPromptPercent1: leastAt(1),
    inPromptPercent5: leastAt(5),
    inSummariesPercent10: least(({ inSummaries }) => inSummaries),
    directivesReachablePercent: least(({ directivesReachable }) => directivesReachable),
    directivesInPromptPercent: least(({ directives }) => directives.inPromptPercent),
    directivesWithinAllowanceInPromptPercent: least(({ directives }) => directives.withinAllowanceInPromptPercent),
    directivesPrecisionPercent: least(({ directives: { kept, mistaken } }) => percent(kept - mistaken.length, kept)),
    toolOrdersPromoted: sum(afterLastRound, ({ directives }) => directives.fromTools.length),
  };
}

function leastLeft(looks: readonly Left[], valueOf: (left: Left) => number): number {
  // Rounded down, so that one missing fact of two thousand does not show as 100.
  return Math.floor(Math.min(...looks.map(valueOf)) * 10) / 10;
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

function printCell({ policy, summarizer, seed, window, talk, inPrompt, left, ...cell }: Cell): void {
  const rounds = ROUNDS.map((wanted) => (inPrompt[wanted] ?? 0).toFixed(1).padStart(6)).join("");
  console.log(
    `${String(window.contextWindow / 1_000).padStart(3)}k ${policy.padEnd(10)} ${summarizer.padEnd(10)} ${String(seed)} in prompt${rounds} %,` +
      ` of summarized ${left.inSummaries.toFixed(1).padStart(5)} %, rules ${left.directives.inPromptPercent.toFixed(1).padStart(5)} %,` +
      ` answered ${left.answered.toFixed(1)} %, reachable ${left.reachable.toFixed(1)} %, size ${left.sizePercent.toFixed(1)} %, ${String(left.planted)} facts,` +
      ` ${String(cell.inventions)} inventions, ${String(cell.unmarked.length)} unmarked${talk === "usual" ? "" : ` (${talk})`}`,
  );
  const { rounds: all, leftAtEnd: end } = cell;
  if (all > LAST_ROUND) {
    console.log(
      `     after ${String(all)} rounds: in prompt ${end.inPrompt.toFixed(1)} %, of summarized ${end.inSummaries.toFixed(1)} %,` +
        ` reachable ${end.reachable.toFixed(1)} %, size ${end.sizePercent.toFixed(1)} %, ${String(end.planted)} facts`,
    );
  }
  for (const { kind, text } of cell.unmarked.slice(0, 5)) console.log(`  not marked: ${kind} ${text}`);
}

/** Prints missed facts by type and style, the most frequent first. */
function printMisses(heading: string, misses: readonly PlantedFact[]): void {
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

/** Prints where directives were lost on the way into the prompts, and what was mistaken for one. */
function printDirectives(heading: string, looks: readonly Left[]): void {
  const count = (of: (left: Left) => readonly unknown[]): string => String(sum(looks, (left) => of(left).length));
  console.log(
    `${heading}: of ${count(({ directives }) => directives.rules)} not in prompt:` +
      ` ${count(({ directives }) => directives.unrecognized)} not recognized,` +
      ` ${count(({ directives }) => directives.crowdedOut)} without room in any summary,` +
      ` ${count(({ directives }) => directives.lostBetweenLevels)} lost between levels;` +
      ` ${String(sum(looks, ({ directives }) => directives.kept))} lines kept as directives,` +
      ` ${count(({ directives }) => directives.mistaken)} by mistake`,
  );
  printMostFrequent(
    "not recognized",
    looks.flatMap(({ directives }) => directives.unrecognized.map(({ style, text }) => `${style}: ${text}`)),
  );
  printMostFrequent(
    "by mistake",
    looks.flatMap(({ directives }) => directives.mistaken),
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
