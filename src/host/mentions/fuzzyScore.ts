/** Fuzzy matching of paths. Pure. */

import { composed } from "../tools/paths/spelling.ts";

/** Bonus of a letter at the start of a word, of one adjacent to the last match, and of one in the file's name. */
const WORD_START_BONUS = 8;
const ADJACENT_BONUS = 5;
const FILE_NAME_BONUS = 3;

/**
 * Score of `query`, whose letters must be in `path` in their order, ignoring case: higher is better, `undefined`
 * without a match. A query with a blank must be in it as it is: else the words after a mention would match. Letters in the file's name, at word starts and side by side count more; long paths less.
 */
export function fuzzyScore(query: string, path: string): number | undefined {
  if (query === "") return 0;
  return scoreOf(composed(query), composed(path));
}

function scoreOf(query: string, path: string): number | undefined {
  const nameAt = path.lastIndexOf("/") + 1;
  const name = path.slice(nameAt);
  // A name that holds the whole query is better than letters scattered over folders.
  const inName = query.includes("/") ? undefined : scored(query, name, 0);
  const score = inName === undefined ? scored(query, path, nameAt) : inName + query.length * FILE_NAME_BONUS;
  return score === undefined ? undefined : score - path.length / 50;
}

function scored(query: string, text: string, nameAt: number): number | undefined {
  const [wanted, lower] = [query.toLowerCase(), text.toLowerCase()];
  const whole = lower.indexOf(wanted);
  if (whole >= 0)
    return wanted.length * (WORD_START_BONUS + FILE_NAME_BONUS) + (isWordStart(text, whole) ? WORD_START_BONUS : 0);
  if (wanted.includes(" ")) return undefined;
  let score = 0;
  let last = -2;
  for (const letter of wanted) {
    const at = lower.indexOf(letter, last + 1);
    if (at < 0) return undefined;
    score +=
      1 +
      (isWordStart(text, at) ? WORD_START_BONUS : 0) +
      (at === last + 1 ? ADJACENT_BONUS : 0) +
      (at >= nameAt ? FILE_NAME_BONUS : 0);
    last = at;
  }
  return score;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const [before, here] = [text.charAt(at - 1), text.charAt(at)];
  return /[^\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here));
}

/** The `most` best `items`, best first; ties stay in their order. */
export function bestMatches<T>(query: string, items: Iterable<T>, pathOf: (item: T) => string, most: number): T[] {
  const found: { item: T; score: number }[] = [];
  for (const item of items) {
    const score = fuzzyScore(query, pathOf(item));
    if (score !== undefined) found.push({ item, score });
  }
  return found
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ item }) => item);
}
