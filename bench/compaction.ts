/**
 * Sessions of 500 turns in windows of 8,000 to a million tokens, with every scripted model: each ends normally, no
 * request exceeds its budget, no compaction its bound of calls, and the user hardly ever waits. Then what summaries cost
 * in small windows, and how long the summary of a full one takes.
 */

import type { BenchOptions, BenchReport } from "../scripts/benchmark.ts";
import { isPassive } from "../src/core/context/contextSettings.ts";
import { CONTEXT_POLICIES, type ContextPolicy } from "../src/core/context/contextSettings.ts";
import { plantedSession } from "../test/support/texts/talk/plantedSession.ts";
import { TEMPERS, temperament, type Temper } from "../test/support/session/temperaments.ts";
import { callsOverBound, isNoop } from "./support/compactionBounds.ts";
import { fullWindowFigures } from "./support/fullWindow.ts";
import { smallWindowFigures } from "./support/smallWindows.ts";
import { TimedSession } from "./support/timedSession.ts";

const TURNS = 500;
const POLICIES = CONTEXT_POLICIES.filter((policy) => !isPassive(policy));
interface Window {
  readonly contextWindow: number;
  readonly maxOutput: number;
  /** Factor on the size of turns, so that the session exceeds several windows. */
  readonly scale: number;
}
const SMALL: Window = { contextWindow: 8_000, maxOutput: 2_000, scale: 0.4 };
const MIDDLE: Window = { contextWindow: 32_000, maxOutput: 8_000, scale: 0.7 };
const LARGE: Window = { contextWindow: 200_000, maxOutput: 32_000, scale: 2.2 };
const HUGE: Window = { contextWindow: 1_000_000, maxOutput: 64_000, scale: 12 };
/** Context window of the summarizers, in tokens. */
const SUMMARIZER_WINDOW = 128_000;
/** Sessions longer than this must meet the reduction figure. */
const LONG_SESSION_TOKENS = 50_000;

interface Combination {
  readonly window: Window;
  readonly policy: ContextPolicy;
  readonly temper: Temper;
}

/** All strategies and models in one window, and all windows with one of each. With `full`, all combinations. */
export async function run({ full }: BenchOptions): Promise<BenchReport> {
  const sessions: SessionResult[] = [];
  for (const combination of full ? everything() : aFew()) {
    const result = await sessionOf(combination);
    sessions.push(result);
    print(result);
  }
  const costs = { ...(await smallWindowFigures()), ...(await fullWindowFigures()) };
  const compactions = sum(sessions, ({ compactions: count }) => count);
  const long = sessions.filter(({ wholeTokens, compactions: count }) => wholeTokens > LONG_SESSION_TOKENS && count > 0);
  return {
    figures: {
      callsMax: Math.max(...sessions.map(({ callsMax }) => callsMax)),
      reductionPercentMin: round(Math.min(...long.map(({ reductionPercent }) => reductionPercent))),
      userWaitPercent: round((sum(sessions, ({ waited }) => waited) * 100) / Math.max(1, compactions)),
      noopAgain: sessions.every(({ isNoopAgain }) => isNoopAgain),
      callsOverBound: sum(sessions, ({ callsOverBound }) => callsOverBound),
      requestsOverBudget: sum(sessions, ({ overBudget }) => overBudget),
      sessions: sessions.length,
      compactions,
      userWaitPercentMaxOfASession: round(
        Math.max(...sessions.map(({ waited, compactions: c }) => (waited * 100) / Math.max(1, c))),
      ),
      ...costs,
    },
  };
}

function aFew(): readonly Combination[] {
  const tempers = TEMPERS.map((temper): Combination => ({ window: MIDDLE, policy: "pipeline", temper }));
  const policies = POLICIES.slice(1).map((policy): Combination => ({ window: MIDDLE, policy, temper: "good" }));
  const failing = POLICIES.slice(1).map((policy): Combination => ({ window: SMALL, policy, temper: "failing" }));
  const windows = [SMALL, LARGE, HUGE].map((window): Combination => ({ window, policy: "pipeline", temper: "terse" }));
  return [...tempers, ...policies, ...failing, ...windows];
}

function everything(): readonly Combination[] {
  const small = [SMALL, MIDDLE].flatMap((window) =>
    POLICIES.flatMap((policy) => TEMPERS.map((temper): Combination => ({ window, policy, temper }))),
  );
  const large = POLICIES.flatMap((policy) =>
    (["good", "failing"] as const).map((temper): Combination => ({ window: LARGE, policy, temper })),
  );
  const huge = (["pipeline", "archive", "tree"] as const).map((policy): Combination => {
    return { window: HUGE, policy, temper: "terse" };
  });
  return [...small, ...large, ...huge];
}

interface SessionResult extends Combination {
  readonly compactions: number;
  readonly waited: number;
  readonly callsMax: number;
  readonly callsOverBound: number;
  readonly overBudget: number;
  readonly failedRequests: number;
  readonly wholeTokens: number;
  readonly reductionPercent: number;
  readonly isNoopAgain: boolean;
}

async function sessionOf({ window, policy, temper }: Combination): Promise<SessionResult> {
  const session = new TimedSession({
    ...window,
    policy,
    summarizerWindow: SUMMARIZER_WINDOW,
    script: temperament(temper, 7),
    isSlow: temper === "slow",
  });
  const turns = plantedSession({ seed: 31, scale: window.scale });
  for (let turn = 0; turn < TURNS; turn++) await session.turn(turns.next().value);
  await session.settle();
  const receipts = session.compactions.map(({ receipt }) => receipt);
  const { talk, overBudget, failedRequests, sentTokens, wholeTokens } = session;
  return {
    ...{ window, policy, temper, overBudget, failedRequests },
    compactions: receipts.length,
    waited: session.compactions.filter(({ userWaited }) => userWaited).length,
    callsMax: Math.max(0, ...receipts.map(({ calls }) => calls)),
    callsOverBound: callsOverBound(session, SUMMARIZER_WINDOW),
    wholeTokens: talk.originalTokens,
    reductionPercent: 100 - (sentTokens * 100) / Math.max(1, wholeTokens),
    isNoopAgain: await isNoop(session),
  };
}

function print(result: SessionResult): void {
  const { window, policy, temper, compactions, waited, callsMax, reductionPercent, failedRequests } = result;
  console.log(
    `${String(window.contextWindow).padStart(7)} ${policy.padEnd(10)} ${temper.padEnd(10)} ${String(Math.round(result.wholeTokens / 1_000)).padStart(5)}k said,` +
      ` ${String(compactions).padStart(3)} compactions, ${String(waited).padStart(2)} waited for, at most ${String(callsMax)} calls,` +
      ` ${reductionPercent.toFixed(1)} % less sent, ${String(failedRequests)} failed requests, no-op again: ${String(result.isNoopAgain)}`,
  );
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

function round(value: number): number {
  return Number(value.toFixed(1));
}
