/** Token sizes that hold in every encoding, because the model may change later. */

import { beginningOf } from "../../cutText.ts";
import type { TokenCounts } from "../../message.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";

/** Tokens in the larger of the two encodings. */
export function sizeOf(text: string, counter: TokenCounter): number {
  return Math.max(counter.countText(text, "cl100k"), counter.countText(text, "o200k"));
}

/** Like {@link sizeOf}; infinite, without counting, for a text too long to fit `mostTokens`. */
export function sizeUpTo(text: string, mostTokens: number, counter: TokenCounter): number {
  return text.length > mostTokens * MOST_UNITS_A_TOKEN ? Infinity : sizeOf(text, counter);
}

/** Far more UTF-16 units per token than notes ever have. */
const MOST_UNITS_A_TOKEN = 16;

/** Whether a text is within `limit` in both encodings. */
export function fits(text: string, limit: TokenCounts, counter: TokenCounter): boolean {
  return counter.countText(text, "cl100k") <= limit.cl100k && counter.countText(text, "o200k") <= limit.o200k;
}

/** A beginning that fits, cut at a word if that costs little; never empty for a limit of at least 1. */
export function beginningThatFits(text: string, limit: TokenCounts, counter: TokenCounter): string {
  let end = text.length;
  while (end > 0) {
    const beginning = end === text.length ? text : `${cutAtWord(text, end)}…`;
    if (fits(beginning, limit, counter)) return beginning;
    end = Math.floor(end * 0.8);
  }
  return "…";
}

/** The leading lines that fit, without a heading at their end; a beginning of the first line where that is too long. */
export function linesWithin(text: string, mostTokens: number, counter: TokenCounter): string {
  const most = Math.floor(mostTokens);
  const lines: string[] = [];
  let left = most;
  for (const line of text.slice(0, most * MOST_UNITS_A_TOKEN).split("\n")) {
    left -= sizeOf(line, counter) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  while (/^\s*(?:#.*)?$/.test(lines.at(-1) ?? "told")) lines.pop();
  if (lines.length > 0) return lines.join("\n");
  return beginningThatFits(text.slice(0, most * MOST_UNITS_A_TOKEN), { cl100k: most, o200k: most }, counter);
}

function cutAtWord(text: string, end: number): string {
  const cut = beginningOf(text, end);
  const blank = cut.lastIndexOf(" ");
  return blank > cut.length * 0.7 ? cut.slice(0, blank) : cut.trimEnd();
}
