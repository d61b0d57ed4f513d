/** Detects during streaming that an answer is too long to be used, to save the time and cost of the rest. */

import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import { notesIn } from "./acceptance.ts";
import { redact } from "../../secrets/redact.ts";
import { sizeUpTo } from "./textSize.ts";

/** Shorter texts, in UTF-16 units per token, need no count. */
const FEWEST_UNITS_A_TOKEN = 2;
/** Allows for text that is trimmed from the end of an answer, such as a closing fence. */
const MARGIN_TOKENS = 16;
const SMALLEST_STEP_UNITS = 256;
/** Unclosed reasoning tags: the notes have not begun. */
const OPEN_REASONING = /^<(?:think|thinking|reasoning|analysis)>/i;

/**
 * Makes a check whether the notes of a growing answer exceed `mostTokens`. Counts only at intervals that grow with the
 * limit, for a few milliseconds each time.
 */
export function answerTooLongCheck(mostTokens: number, counter: TokenCounter): (text: string) => boolean {
  const limitTokens = mostTokens + MARGIN_TOKENS;
  let nextUnits = limitTokens * FEWEST_UNITS_A_TOKEN;
  return (text) => {
    if (text.length < nextUnits) return false;
    nextUnits = text.length + Math.max(SMALLEST_STEP_UNITS, Math.floor(limitTokens / 2));
    const notes = notesIn(text);
    return !OPEN_REASONING.test(notes) && sizeUpTo(redact(notes).text, limitTokens, counter) > limitTokens;
  };
}
