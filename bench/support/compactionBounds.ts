/** Invariants of every compaction: a bound on its calls, and that repeating it does nothing. */

import type { TimedSession } from "./timedSession.ts";

/** Number of compactions that exceeded their bound of calls. */
export function callsOverBound({ compactions, talk }: TimedSession, summarizerWindow: number): number {
  return compactions.filter(({ receipt: { calls, summaries, span } }) => {
    const tokens = talk.manager.history.tokensIn(span).o200k;
    return calls > mostCallsOf(summaries.length, tokens, summarizerWindow);
  }).length;
}

/**
 * The stated bound of calls: each summary's source is read in pieces that fit the summarizer's window, and each piece
 * and each merge is requested twice at most.
 */
function mostCallsOf(summaries: number, sourceTokens: number, summarizerWindow: number): number {
  const pieces = summaries + Math.ceil(sourceTokens / (summarizerWindow / 2));
  return 2 * (2 * pieces - 1);
}

/** Whether a second compaction, with no message in between, finds nothing to do. */
export async function isNoop(session: TimedSession): Promise<boolean> {
  const first = await session.compactNow();
  if (!first.ok) return first.error.code === "SERVICE_UNAVAILABLE";
  const again = await session.compactNow();
  return again.ok && again.value === undefined;
}
