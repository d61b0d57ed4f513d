/** A few words around what was found, for a list of results. */

import type { SearchMatch } from "./phrasePlaces.ts";

/** Longest excerpt in UTF-16 units, without the signs that say that there is more. */
export const EXCERPT_LENGTH = 160;
/** How much of it stands before what was found. */
const SHARE_BEFORE = 0.3;
/** Words are not cut, unless they are longer than this. */
const LONGEST_WORD = 24;

/** The words around a match, as they stand in `text`; blanks and line breaks in a row are one blank. */
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

/** The nearest place between two words, from `at` on in the direction of `step`; else a place that cuts no character. */
function edgeNear(text: string, at: number, step: 1 | -1): number {
  for (let moved = 0; moved < LONGEST_WORD; moved++) {
    const edge = at + moved * step;
    if (/\s/u.test(text.charAt(step === 1 ? edge - 1 : edge))) return edge;
  }
  const cutsPair = /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
  return cutsPair ? at + step : at;
}
