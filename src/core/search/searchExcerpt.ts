/** Excerpts for a list of search results. */

import { placeAfter, placeBefore } from "../cutText.ts";
import type { SearchMatch } from "./phrasePlaces.ts";

/** Longest excerpt in UTF-16 units, without the ellipses. */
export const EXCERPT_LENGTH = 160;
/** Share of the excerpt before the match. */
const SHARE_BEFORE = 0.3;
/** Words are not cut, unless they are longer than this. */
const LONGEST_WORD = 24;

/** The text around a match, verbatim except that runs of white space are one space. */
export function searchExcerpt(
  text: string,
  { start }: Pick<SearchMatch, "start">,
  lengthUnits: number = EXCERPT_LENGTH,
): string {
  const before = Math.floor(lengthUnits * SHARE_BEFORE);
  const from = start <= before ? 0 : edgeNear(text, start - before, 1);
  const to = from + lengthUnits >= text.length ? text.length : edgeNear(text, from + lengthUnits, -1);
  const words = text.slice(from, to).replace(/\s+/gu, " ").trim();
  return `${from > 0 ? "…" : ""}${words}${to < text.length ? "…" : ""}`;
}

/** The nearest word boundary from `at` in the direction of `step`; else a place between two characters. */
function edgeNear(text: string, at: number, step: 1 | -1): number {
  for (let moved = 0; moved < LONGEST_WORD; moved++) {
    const edge = at + moved * step;
    if (/\s/u.test(text.charAt(step === 1 ? edge - 1 : edge))) return edge;
  }
  return step === 1 ? placeAfter(text, at) : placeBefore(text, at);
}
