/** How well a path fits what the user typed. Pure. */

/** Bonus of a letter that begins a word, of one right behind the last one, and of one in the file's own name. */
const WORD = 8;
const NEXT = 5;
const NAME = 3;

/**
 * A score for `query`, whose letters must stand in `path` in their order, whatever the case: higher is better, `undefined`
 * where they do not. Letters in the file's name, at the beginnings of words and side by side count more; long paths less.
 */
export function fuzzyScore(query: string, path: string): number | undefined {
  if (query === "") return 0;
  const nameAt = path.lastIndexOf("/") + 1;
  const name = path.slice(nameAt);
  // A name that holds the whole query is better than letters scattered over folders.
  const inName = query.includes("/") ? undefined : scored(query, name, 0);
  const score = inName === undefined ? scored(query, path, nameAt) : inName + query.length * NAME;
  return score === undefined ? undefined : score - path.length / 50;
}

function scored(query: string, text: string, nameAt: number): number | undefined {
  const [wanted, lower] = [query.toLowerCase(), text.toLowerCase()];
  const whole = lower.indexOf(wanted);
  if (whole >= 0) return wanted.length * (WORD + NAME) + (isWordStart(text, whole) ? WORD : 0);
  let score = 0;
  let last = -2;
  for (const letter of wanted) {
    const at = lower.indexOf(letter, last + 1);
    if (at < 0) return undefined;
    score += 1 + (isWordStart(text, at) ? WORD : 0) + (at === last + 1 ? NEXT : 0) + (at >= nameAt ? NAME : 0);
    last = at;
  }
  return score;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) return true;
  const [before, here] = [text.charAt(at - 1), text.charAt(at)];
  return /[^\p{L}\p{N}]/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(here));
}

/** The `most` best of `items`, best first; those of one score stay in their order. */
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
