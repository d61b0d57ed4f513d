/** What holds for every compaction: a bound on its calls, and that doing it again does nothing. */

import type { TimedSession } from "./timedSession.ts";

/** How many compactions of a session took more calls than they may. */
export function callsOverBound({ compactions, talk }: TimedSession, summarizerWindow: number): number {
  return compactions.filter(({ receipt: { calls, summaries, span } }) => {
    const tokens = talk.manager.history.tokensIn(span).o200k;
    return calls > mostCallsOf(summaries.length, tokens, summarizerWindow);
  }).length;
}

/**
 * The stated bound of a compaction: each of its summaries is read in pieces that fit the summarizer's window, each piece is
 * asked for twice at most, and so is each merge of two or more.
 */
function mostCallsOf(summaries: number, sourceTokens: number, summarizerWindow: number): number {
  const pieces = summaries + Math.ceil(sourceTokens / (summarizerWindow / 2));
  return 2 * (2 * pieces - 1);
}

/** Compacting again, with nothing said in between, finds nothing to do. */
export async function isNoop(session: TimedSession): Promise<boolean> {
  const first = await session.compactNow();
  if (!first.ok) return first.error.code === "SERVICE_UNAVAILABLE";
  const again = await session.compactNow();
  return again.ok && again.value === undefined;
}
