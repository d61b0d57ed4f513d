/**
 * Finds paths as people type them: a part of a name, initials, parts of several folders, with one letter wrong. Pure;
 * runs in a worker, as 100,000 paths take longer than a frame.
 */

/** Points of a match. A name is what people remember; its beginning and the beginnings of words come first. */
const SIDE_BY_SIDE = 12;
const LETTER = 1;
const NEXT_TO_LAST = 6;
const WORD_START = 9;
const IN_NAME = 3;
const WHOLE_IN_NAME = 10;
const NAME_START = 8;
const WHOLE_NAME = 20;
const INITIALS = 20;
/** Points lost where letters lie apart, and for each character of a path. */
const APART = 2;
const PER_CHARACTER = 1 / 40;
/** Longer paths are matched in their beginning only, letter by letter. */
const MOST_ALIGNED = 500;
/** Queries of this length may have one letter wrong. */
const [SHORTEST_MISTYPED, LONGEST_MISTYPED] = [6, 40];

interface Match {
  readonly index: number;
  readonly score: number;
}

export class PathIndex {
  readonly #paths: string[] = [];
  /** Composed and in lower case, as paths are compared. */
  readonly #folded: string[] = [];
  /** Letters of each path, as bits, by which most are passed over. */
  #letters = new Int32Array(1_024);

  get size(): number {
    return this.#paths.length;
  }

  add(path: string): void {
    const index = this.#paths.length;
    if (index === this.#letters.length) {
      const grown = new Int32Array(2 * index);
      grown.set(this.#letters);
      this.#letters = grown;
    }
    const folded = fold(path);
    this.#paths.push(path);
    this.#folded.push(folded === path ? path : folded); // one string in memory, for most
    this.#letters[index] = lettersOf(folded);
  }

  /** Removes all others; the rest stay in their order. */
  keep(isKept: (path: string) => boolean): void {
    let count = 0;
    for (const [index, path] of this.#paths.entries()) {
      if (!isKept(path)) continue;
      this.#paths[count] = path;
      this.#folded[count] = this.#folded[index] ?? path;
      this.#letters[count] = this.#letters[index] ?? 0;
      count++;
    }
    this.#paths.length = count;
    this.#folded.length = count;
  }

  /**
   * The `most` best paths, best first; equal ones in the order in which they were added. A query with a blank must be
   * in them as it is: else the words behind a mention would be taken for a part of it.
   */
  best(query: string, most: number): readonly string[] {
    const term = fold(query);
    if (term === "") return this.#paths.slice(0, most);
    const letters = lettersOf(term);
    const hasAll = (its: number): boolean => (letters & ~its) === 0;
    let found = this.#matches(term, most, wholeScore, hasAll);
    const isWhole = found.length > 0;
    if (found.length < most && !term.includes(" ")) {
      found = this.#matches(term, most, isWhole ? alignedScore : apartScore, hasAll);
      const isTypable = term.length >= SHORTEST_MISTYPED && term.length <= LONGEST_MISTYPED;
      if (!isWhole && isTypable) {
        const [first, second] = halvesOf(term).map(lettersOf);
        const hasHalf = (its: number): boolean => ((first ?? 0) & ~its) === 0 || ((second ?? 0) & ~its) === 0;
        found = merged(found, this.#matches(term, most, mistypedScore, hasHalf), most);
      }
    }
    return found.map(({ index }) => this.#paths[index] ?? "");
  }

  #matches(term: string, most: number, score: Scoring, fits: (letters: number) => boolean): readonly Match[] {
    const best = new Best(most);
    for (let index = 0; index < this.#paths.length; index++) {
      if (!fits(this.#letters[index] ?? 0)) continue;
      const [path = "", folded = ""] = [this.#paths[index], this.#folded[index]];
      const points = score(term, path, folded);
      if (points > -Infinity) best.add({ index, score: points - path.length * PER_CHARACTER });
    }
    return best.sorted();
  }
}

/** -Infinity without a match. */
type Scoring = (term: string, path: string, folded: string) => number;

/** The best of a long row of matches. */
class Best {
  readonly #most: number;
  #matches: Match[] = [];
  #least = -Infinity;

  constructor(most: number) {
    this.#most = most;
  }

  add(match: Match): void {
    if (match.score <= this.#least) return;
    this.#matches.push(match);
    if (this.#matches.length < 8 * this.#most) return;
    this.#matches = this.sorted();
    this.#least = this.#matches.at(-1)?.score ?? -Infinity;
  }

  sorted(): Match[] {
    return this.#matches.sort((one, other) => other.score - one.score || one.index - other.index).slice(0, this.#most);
  }
}

function merged(matches: readonly Match[], more: readonly Match[], most: number): readonly Match[] {
  const best = new Best(most);
  const seen = new Set<number>();
  for (const match of [...matches, ...more].sort((one, other) => other.score - one.score)) {
    if (!seen.has(match.index)) best.add(match);
    seen.add(match.index);
  }
  return best.sorted();
}

/** The term as it is written. */
function wholeScore(term: string, path: string, folded: string): number {
  const nameAt = path.lastIndexOf("/") + 1;
  let best = -Infinity;
  for (let at = folded.lastIndexOf(term); at >= 0; at = at === 0 ? -1 : folded.lastIndexOf(term, at - 1)) {
    const isInName = at >= nameAt;
    if (!isInName && best > -Infinity) break;
    const next = folded.charAt(at + term.length);
    const points =
      term.length * SIDE_BY_SIDE +
      (isWordStart(path, at) ? WORD_START : 0) +
      (isInName ? WHOLE_IN_NAME : 0) +
      (at === nameAt ? NAME_START : 0) +
      (at === nameAt && (next === "" || next === ".") ? WHOLE_NAME : 0);
    if (points > best) best = points;
  }
  return best;
}

let above = new Float64Array(MOST_ALIGNED);
let below = new Float64Array(MOST_ALIGNED);
/** For each letter of a term, the first and the last place that it can have. */
const earliest = new Int32Array(MOST_ALIGNED);
const latest = new Int32Array(MOST_ALIGNED);

/** The term as it is written, or its letters in their order. */
function alignedScore(term: string, path: string, folded: string): number {
  const whole = wholeScore(term, path, folded);
  return whole > -Infinity ? whole : apartScore(term, path, folded);
}

/** The letters of the term in their order, where they score best: beginnings of words, and side by side. */
function apartScore(term: string, path: string, folded: string): number {
  const length = Math.min(folded.length, MOST_ALIGNED);
  if (!readBounds(term, folded, length)) return -Infinity;
  const nameAt = path.lastIndexOf("/") + 1;
  // above[at]: best score of the letters so far, the last one at `at`.
  for (let letter = 0; letter < term.length; letter++) {
    const code = term.charCodeAt(letter);
    const [from, to] = [earliest[letter] ?? 0, latest[letter] ?? 0];
    const [fromBefore, toBefore] = letter === 0 ? [-1, -1] : [earliest[letter - 1] ?? 0, latest[letter - 1] ?? 0];
    let apart = letter === 0 ? 0 : -Infinity;
    for (let at = fromBefore + 1; at <= to; at++) {
      // The letter before stands two or more places before this one.
      if (letter > 0 && at >= fromBefore + 2 && at - 2 <= toBefore)
        apart = Math.max(apart, (above[at - 2] ?? -Infinity) - APART);
      if (at < from) continue;
      if (folded.charCodeAt(at) !== code) {
        below[at] = -Infinity;
        continue;
      }
      const isAdjacent = letter > 0 && at > fromBefore && at - 1 <= toBefore;
      const adjacent = isAdjacent ? (above[at - 1] ?? -Infinity) + NEXT_TO_LAST : -Infinity;
      below[at] =
        Math.max(apart, adjacent) + LETTER + (isWordStart(path, at) ? WORD_START : 0) + (at >= nameAt ? IN_NAME : 0);
    }
    [above, below] = [below, above];
  }
  let best = -Infinity;
  const last = term.length - 1;
  for (let at = earliest[last] ?? 0; at <= (latest[last] ?? 0); at++) best = Math.max(best, above[at] ?? -Infinity);
  return best + (initialsOf(path, folded, nameAt).includes(term) ? INITIALS : 0);
}

/** False where the letters of the term are not there in their order. */
function readBounds(term: string, folded: string, length: number): boolean {
  if (term.length > length) return false;
  let at = -1;
  for (let letter = 0; letter < term.length; letter++) {
    at = folded.indexOf(term.charAt(letter), at + 1);
    if (at < 0 || at >= length) return false;
    earliest[letter] = at;
  }
  at = length;
  for (let letter = term.length - 1; letter >= 0; letter--) {
    at = folded.lastIndexOf(term.charAt(letter), at - 1);
    latest[letter] = at;
  }
  return true;
}

/** Of the name without what it ends in, as ".ts". */
function initialsOf(path: string, folded: string, from: number): string {
  let initials = "";
  const dot = path.lastIndexOf(".");
  const end = dot > from ? dot : path.length;
  for (let at = from; at < end; at++) if (isWordStart(path, at)) initials += folded.charAt(at);
  return initials;
}

/** The term with one letter missing, too many, another one, or two exchanged; the rest as it is written. */
function mistypedScore(term: string, path: string, folded: string): number {
  const nameAt = path.lastIndexOf("/") + 1;
  let best = -Infinity;
  // One half is right.
  const [first, second] = halvesOf(term);
  const half = first.length;
  for (let at = folded.indexOf(second, half - 1); at >= 0; at = folded.indexOf(second, at + 1)) {
    for (let begin = at - half - 1; begin <= at - half + 1; begin++)
      if (begin >= 0 && isNearly(first, folded.slice(begin, at))) best = Math.max(best, nearScore(begin));
  }
  for (let at = folded.indexOf(first); at >= 0; at = folded.indexOf(first, at + 1)) {
    const from = at + half;
    for (let size = second.length - 1; size <= second.length + 1; size++)
      if (isNearly(second, folded.slice(from, from + size))) best = Math.max(best, nearScore(at));
  }
  // Two letters exchanged in the middle.
  const exchanged = first.slice(0, -1) + second.charAt(0) + first.charAt(half - 1) + second.slice(1);
  const at = folded.indexOf(exchanged);
  return at < 0 ? best : Math.max(best, nearScore(at));

  function nearScore(at: number): number {
    return (
      (term.length - 2) * SIDE_BY_SIDE +
      (isWordStart(path, at) ? WORD_START : 0) +
      (at >= nameAt ? WHOLE_IN_NAME : 0) +
      (at === nameAt ? NAME_START : 0)
    );
  }
}

function halvesOf(term: string): readonly [string, string] {
  const half = term.length >> 1;
  return [term.slice(0, half), term.slice(half)];
}

/** True if two texts differ by one letter, or by two exchanged ones. */
function isNearly(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && start < other.length && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)) end++;
  const [left, right] = [one.length - start - end, other.length - start - end];
  if (left <= 1 && right <= 1) return true;
  if (left !== 2 || right !== 2) return false;
  return one.charAt(start) === other.charAt(start + 1) && one.charAt(start + 1) === other.charAt(start);
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function lettersOf(folded: string): number {
  let letters = 0;
  for (let at = 0; at < folded.length; at++) letters |= bitOf(folded.charCodeAt(at));
  return letters;
}

function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97);
  if (code >= 48 && code <= 57) return 1 << 26;
  return code < 128 ? 1 << 27 : 1 << 28;
}

/** In "srcFile2 name" at s, F, 2 and n. */
function isWordStart(path: string, at: number): boolean {
  if (at === 0) return true;
  const [before, here] = [kindOf(path.charCodeAt(at - 1)), kindOf(path.charCodeAt(at))];
  if (before === "sign") return here !== "sign";
  return (before === "small" && here === "large") || (before !== "digit" && here === "digit");
}

function kindOf(code: number): "small" | "large" | "digit" | "sign" {
  if ((code >= 97 && code <= 122) || code > 127) return "small";
  if (code >= 65 && code <= 90) return "large";
  return code >= 48 && code <= 57 ? "digit" : "sign";
}
