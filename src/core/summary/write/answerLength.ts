/** Notices while an answer is being written that it is too long to be used, so that nobody waits and pays for the rest. */

import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import { notesIn } from "./acceptance.ts";
import { redact } from "../../redact.ts";
import { sizeUpTo } from "./textSize.ts";

/** A shorter text than this many UTF-16 units for each token is not worth counting. */
const FEWEST_UNITS_A_TOKEN = 2;
/** What may still be taken off the end of an answer, such as the end of a fence. */
const MARGIN_TOKENS = 16;
const SMALLEST_STEP_UNITS = 256;
/** Reasoning in tags is no part of the notes; as long as it goes on, nothing is known of them. */
const OPEN_REASONING = /^<(?:think|thinking|reasoning|analysis)>/i;

/**
 * Whether the notes in an answer have more than `tokenUpperBound`, asked of the text so far, again and again as it grows. Counts
 * now and then, in all no more than some milliseconds at a time.
 */
export function tooLongFor(mostTokens: number, counter: TokenCounter): (text: string) => boolean {
  const limitTokens = mostTokens + MARGIN_TOKENS;
  let nextUnits = limitTokens * FEWEST_UNITS_A_TOKEN;
  return (text) => {
    if (text.length < nextUnits) return false;
    nextUnits = text.length + Math.max(SMALLEST_STEP_UNITS, Math.floor(limitTokens / 2));
    const notes = notesIn(text);
    return !OPEN_REASONING.test(notes) && sizeUpTo(redact(notes).text, limitTokens, counter) > limitTokens;
  };
}
