/**
 * Room for the answer in a small window. A quarter of it, as is assumed where a server tells no limit, is more than most
 * answers need, and what is reserved is lost to the conversation. So less is reserved where answers are short. The answer
 * may still be as long as the window has room: what the request leaves is its limit.
 */

import type { FullHistory } from "../history/fullHistory.ts";
import { messageId } from "../ids.ts";
import type { ModelLimits } from "../models/modelLimits.ts";

/** Tokens of a window from which on the whole limit is reserved. */
const LEAST_FULL_WINDOW = 24_000;
/** The newest answers, of which the longest counts. */
const ANSWERS = 20;
const FEWEST_ANSWERS = 4;
/** Of the longest answer. */
const SPARE_FACTOR = 2;
/** Of the window: the reserve is a multiple of it, so that it seldom changes. */
const STEP_SHARE = 1 / 16;

/** Tokens of the longest of the newest answers; `undefined` while there are too few to go by. */
export function longestAnswer(history: FullHistory): number | undefined {
  let longest = 0;
  let answers = 0;
  for (let id = history.length - 1; id >= 0 && answers < ANSWERS; id--) {
    const { role, tokens } = history.entry(messageId(id));
    if (role !== "assistant") continue;
    const billed = history.spending.of(messageId(id))?.outputTokens ?? 0; // with thoughts, which are not sent back
    longest = Math.max(longest, tokens.cl100k, tokens.o200k, billed);
    answers++;
  }
  return answers < FEWEST_ANSWERS ? undefined : longest;
}

/** The limits with what is reserved for an answer as `maxOutput`. */
export function withReserve(limits: ModelLimits, longestTokens: number | undefined): ModelLimits {
  const { contextWindow, maxOutput } = limits;
  if (longestTokens === undefined || contextWindow >= LEAST_FULL_WINDOW) return limits;
  const step = Math.max(1, Math.floor(contextWindow * STEP_SHARE));
  const reserve = Math.ceil((SPARE_FACTOR * longestTokens) / step) * step;
  return { contextWindow, maxOutput: Math.min(maxOutput, Math.max(step, reserve)) };
}

/** Limit of the answer to a request: the model's, or what such a request leaves of the window. */
export function answerLimit(
  { contextWindow, maxOutput: reserved }: ModelLimits,
  { maxOutput, usedTokens }: { readonly maxOutput: number; readonly usedTokens: number },
): number {
  const withMargin = Math.ceil((usedTokens * 20) / 19);
  return Math.max(reserved, Math.min(maxOutput, contextWindow - withMargin));
}
