/** Looks for facts and inventions in what is sent, word for word. */

import { UNVERIFIED_MARK } from "../../src/core/summary/fabrication.ts";
import type { TalkSession } from "../../test/support/talkSession.ts";
import type { Invention } from "../../test/support/temperaments.ts";

/** How many of the inventions of a model stand in summaries, and which of those have no mark. */
export function checkedInventions(
  session: TalkSession,
  made: readonly Invention[],
): { readonly inventions: number; readonly unmarked: readonly Invention[] } {
  const contents = session.manager.history.summaries.map(({ content }) => content);
  const kept = made.filter(({ text }) => contents.some((content) => content.includes(text)));
  const unmarked = kept.filter(({ text }) => contents.some((content) => !isMarked(content, text)));
  return { inventions: kept.length, unmarked };
}

/**
 * Whether each place where the text stands has the mark right behind it, or behind what closes around it. The end of a longer
 * hash is another text.
 */
function isMarked(content: string, text: string): boolean {
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    if (/^[\p{L}\p{N}]{2}/u.test(content.slice(Math.max(0, at - 1), at + 1))) continue;
    const behind = content.slice(at + text.length, at + text.length + 8 + UNVERIFIED_MARK.length);
    if (!behind.includes(UNVERIFIED_MARK.trim())) return false;
  }
  return true;
}

/** A text in which blanks and line ends do not matter. */
export function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** Whether a text stands in another, with no letter, digit or part of a number right at its sides. */
export function holds(text: string, fact: string): boolean {
  const wanted = flat(fact);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text.charAt(at - 1);
    const behind = text.slice(at + wanted.length, at + wanted.length + 2);
    if (!/[\p{L}\p{N}]/u.test(before) && !/^(?:[\p{L}\p{N}]|[.,]\d)/u.test(behind)) return true;
  }
  return false;
}
