/** The combinations that the retention benchmark runs. */

import { isPassive } from "../../src/core/context/contextSettings.ts";
import { CONTEXT_POLICIES, type ContextPolicy } from "../../src/core/context/contextSettings.ts";
import type { CellRequest, Summarizer, Talk } from "./retentionCell.ts";

const POLICIES = CONTEXT_POLICIES.filter((policy) => !isPassive(policy));
/** `none`: no model, equivalent to a failing one. A slow one writes the same as a good one. */
const SUMMARIZERS: readonly Summarizer[] = ["good", "terse", "lying", "none"];
const ALL_SUMMARIZERS: readonly Summarizer[] = [...SUMMARIZERS, "rambling", "refusing", "echoing", "injecting"];
const WINDOW = { contextWindow: 46_000, maxOutput: 8_000 };
/** Largest first: their conversations take longest and should not be the last to end. */
const ALL_WINDOWS = [
  { contextWindow: 128_000, maxOutput: 16_000 },
  WINDOW,
  { contextWindow: 16_000, maxOutput: 4_000 },
];
const SEED = 101;
const ALL_SEEDS = [SEED, 202, 303];

/** Combinations for the held-out styles, which were not used for improvements. */
const HELD_OUT: readonly (readonly [policy: ContextPolicy, summarizer: Summarizer])[] = [
  ["pipeline", "good"],
  ["pipeline", "none"],
  ["archive", "terse"],
];

/** Conversations of the usual and of the held-out styles. */
export interface RetentionDesign {
  readonly usual: readonly CellRequest[];
  readonly unseen: readonly CellRequest[];
  /** Description of the coverage. */
  readonly words: string;
}

/**
 * One window and seed, and every strategy with the most different models. With `full` every strategy with every model
 * in every window once; seeds rotate, so that each one meets every strategy, model and window.
 */
export function retentionDesign(full: boolean, talks: readonly Talk[]): RetentionDesign {
  const windows = full ? ALL_WINDOWS : [WINDOW];
  const summarizers = full ? ALL_SUMMARIZERS : SUMMARIZERS;
  const seeds = full ? ALL_SEEDS : [SEED];
  const seedAt = (place: number): number => seeds[place % seeds.length] ?? SEED;
  const usual = windows.flatMap((window, windowPlace) =>
    POLICIES.flatMap((policy, policyPlace) =>
      summarizers.map((summarizer, summarizerPlace): CellRequest => {
        const seed = seedAt(windowPlace + policyPlace + summarizerPlace);
        return { policy, summarizer, seed, window, talk: "usual" };
      }),
    ),
  );
  const unseen = talks.flatMap((talk) =>
    seeds.flatMap((seed) =>
      HELD_OUT.map(([policy, summarizer]): CellRequest => ({ policy, summarizer, seed, window: WINDOW, talk })),
    ),
  );
  const [s, m, w] = [POLICIES, summarizers, windows].map(({ length }) => String(length));
  const seedWords = full
    ? `one of ${String(seeds.length)} seeds each, in turn, so that each meets every strategy, model and window`
    : `seed ${String(SEED)}`;
  const words =
    `${String(usual.length)} conversations: each of ${s ?? ""} strategies with each of ${m ?? ""} models in each of` +
    ` ${w ?? ""} windows (${seedWords}), and ${String(unseen.length)} of styles held back`;
  return { usual, unseen, words };
}
