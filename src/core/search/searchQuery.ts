/**
 * Parses what a user types into a search, and matches texts against it. There is no query syntax: no quotes, operators
 * or wildcards.
 *
 * A text matches when it has every piece between spaces: `src/app.ts` is three adjacent words, of which the last may be
 * a prefix, as it is still being typed. A piece without letters or digits, such as `=>`, must be there verbatim.
 */

import { phrasePlaces, type SearchMatch, type SearchPhrase, WHOLE_WORD_SCORE } from "./phrasePlaces.ts";
import { searchWords, type SearchWord } from "./searchWords.ts";

export interface SearchQuery {
  readonly phrases: readonly SearchPhrase[];
  /** Must be there verbatim, ignoring case. */
  readonly literals: readonly string[];
  /** The whole input, ignoring case and amounts of white space; absent for a single piece. */
  readonly asTyped?: RegExp;
}

/** More words than a sentence has; the rest of a pasted page is ignored. */
const MOST_PHRASES = 32;
const LONGEST_QUERY = 2_000;
/** A single letter matches as a word, not as a prefix. */
const SHORTEST_BEGINNING = 2;

/** `undefined` for blank input. */
export function parseQuery(typed: string): SearchQuery | undefined {
  const phrases: SearchPhrase[] = [];
  const literals: string[] = [];
  const pieces = typed
    .slice(0, LONGEST_QUERY)
    .split(/\s+/u)
    .filter((piece) => piece !== "")
    .slice(0, MOST_PHRASES);
  for (const piece of pieces) {
    const words = [...searchWords(piece)].map(({ folded, isRun }) => ({ folded, isRun }));
    const last = words.at(-1);
    if (last === undefined) literals.push(piece.toLowerCase());
    else phrases.push({ words, isOpen: last.isRun || last.folded.length >= SHORTEST_BEGINNING });
  }
  if (pieces.length < 2) return pieces.length === 0 ? undefined : { phrases, literals };
  const escaped = pieces.map((piece) => piece.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return { phrases, literals, asTyped: new RegExp(escaped.join("\\s+"), "iu") };
}

/** `undefined` when `text` does not match. */
export function matchQuery(query: SearchQuery, text: string): SearchMatch | undefined {
  if (!mayMatch(query, text)) return undefined;
  const literals = query.literals.map((literal) => foundLiteral(text, literal));
  const words = query.phrases.length === 0 ? [] : [...searchWords(text)];
  const found = [...query.phrases.map((phrase) => foundPhrase(words, phrase)), ...literals];
  if (found.some((one) => one === undefined)) return undefined;
  const together = query.phrases.length < 2 ? undefined : foundPhrase(words, joined(query.phrases));
  const all = found.filter((one) => one !== undefined);
  const asTyped = together === undefined ? undefined : query.asTyped?.exec(text);
  const bonus = (together === undefined ? 0 : TOGETHER) + (asTyped ? AS_TYPED : 0);
  const score = all.reduce((sum, one) => sum + one.score, 0) / all.length + bonus;
  const best = together ?? all.reduce((one, other) => (other.score > one.score ? other : one));
  return { score, start: asTyped?.index ?? best.start };
}

/** Bonus for words that are adjacent and in order, rather than scattered. */
const TOGETHER = 3;
/** Bonus for input found verbatim: people write "queue import" of what file listings are full of as `queue-import`. */
const AS_TYPED = 1;

function joined(phrases: readonly SearchPhrase[]): SearchPhrase {
  return { words: phrases.flatMap(({ words }) => words), isOpen: phrases.at(-1)?.isOpen ?? false };
}

/** The best place of a phrase. Its score grows with the number of places, with diminishing returns. */
function foundPhrase(words: readonly SearchWord[], phrase: SearchPhrase): SearchMatch | undefined {
  let best: SearchMatch | undefined;
  let count = 0;
  for (const { score, start } of phrasePlaces(words, phrase)) {
    count++;
    if (best === undefined || score > best.score) best = { score, start };
  }
  return best && { ...best, score: best.score + count / (count + 3) };
}

function foundLiteral(text: string, literal: string): SearchMatch | undefined {
  const start = text.toLowerCase().indexOf(literal);
  return start < 0 ? undefined : { score: WHOLE_WORD_SCORE, start: Math.min(start, text.length) };
}

const ASCII = /^[\x00-\x7f]*$/;
/** A letter, digit or mark that folding may change. */
const BEYOND_ASCII = /(?![\x00-\x7f])[\p{L}\p{N}\p{M}]/u;

/** Quick check for ASCII texts: most texts of a long conversation do not match. */
function mayMatch({ phrases }: SearchQuery, text: string): boolean {
  if (!ASCII.test(text) && BEYOND_ASCII.test(text)) return true;
  const letters = foldAscii(text);
  return phrases.every(({ words }) => words.every(({ folded }) => letters.includes(folded)));
}

function foldAscii(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes("_") ? lower.replaceAll("_", "") : lower;
}
