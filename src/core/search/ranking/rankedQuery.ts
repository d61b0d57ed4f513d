/**
 * A question in plain words, as the ranking reads it: a text need not have all of its words. What is quoted, and what is
 * written as only code is (`src/db/pool.ts`, `retry()`), comes first where a text has it as it stands.
 */

import type { SearchPhrase } from "../phrasePlaces.ts";
import { parseQuery } from "../searchQuery.ts";
import { searchWords } from "../searchWords.ts";
import type { StemLanguage } from "./stemmer.ts";
import { isStopWord, languageOf } from "./stopWords.ts";
import { partsOf, type StemCache } from "./terms.ts";

export interface QueryTerm {
  /** Before stemming. */
  readonly folded: string;
  /** A text has the term by the stem of its own language. */
  readonly stems: Readonly<Record<StemLanguage, string>>;
  /** Words that only begin so have it too: it is still being typed, or one character of a script without spaces. */
  readonly isOpen?: true;
  /** Two characters of a script without spaces: each of them is in two such terms. */
  readonly isPair?: true;
}

export interface RankedQuery {
  /** At least one. */
  readonly terms: readonly QueryTerm[];
  /** Indexes of terms that follow each other, stop words between them aside. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Quotes, code, and last the query as a whole. */
  readonly exact: readonly SearchPhrase[];
  /** The query as a whole with its own marks, where it has several words. */
  readonly asTyped?: RegExp;
}

/** A shorter beginning names too much. */
export const SHORTEST_PREFIX = 3;
/** More terms than a question has; the rest of a pasted page is ignored. */
const MOST_TERMS = 48;
const LONGEST_QUERY = 2_000;
const QUOTED = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|`([^`]*)`/gu;
/** A last word that is complete. */
const ENDED = /[\s"”»`]$/u;
/** Marks inside a word that prose does not have, humps of an identifier, and calls. */
const CODE = /[\p{L}\p{N}][_./\\:#@=<>[\]$]+[\p{L}\p{N}]|^\p{Ll}{2}[\p{Ll}\p{N}]*\p{Lu}|^[.$@#_/~-]+\p{L}|\(\)/u;

/** `undefined` for a text without words. With `isOpen`, its last word may be the beginning of one. */
export function parseRankedQuery(typed: string, stems: StemCache, isOpen = false): RankedQuery | undefined {
  const text = typed.slice(0, LONGEST_QUERY);
  const language = languageOf([...searchWords(text)]);
  const found = termsOf(text, stems, (folded) => !isStopWord(folded, language));
  const { terms, pairs } = found.terms.length > 0 ? found : termsOf(text, stems, () => true);
  const { asTyped } = parseQuery(text) ?? {};
  if (terms.length === 0) return undefined;
  const last = terms.at(-1);
  const isBeginning = isOpen && last !== undefined && last.folded.length >= SHORTEST_PREFIX && !ENDED.test(text);
  return {
    terms: isBeginning ? [...terms.slice(0, -1), { ...last, isOpen: true }] : terms,
    pairs,
    exact: exactPhrases(text, language),
    ...(asTyped && { asTyped }),
  };
}

/** With which all forms of a term begin: "happ" of `happiness`, whose stem is happi. */
export function commonBeginning({ folded, stems: { english, german } }: QueryTerm): string {
  const stem = english !== folded && english.endsWith("i") ? english.slice(0, -1) : english;
  let length = 0;
  while (
    length < Math.min(stem.length, german.length) &&
    folded[length] === stem[length] &&
    folded[length] === german[length]
  ) {
    length++;
  }
  return folded.slice(0, length);
}

function termsOf(
  text: string,
  stems: StemCache,
  isTerm: (folded: string) => boolean,
): Pick<RankedQuery, "terms" | "pairs"> {
  const terms = new Map<string, QueryTerm & { readonly index: number }>();
  const pairs = new Map<string, readonly [number, number]>();
  let before: number | undefined;
  for (const word of searchWords(text)) {
    for (const { folded, isWhole } of partsOf(word)) {
      if (!isTerm(folded) || terms.size >= MOST_TERMS || (word.isRun && isWhole)) continue;
      const [english, german] = [stems.stem(folded, "english"), stems.stem(folded, "german")];
      const key = `${english} ${german}`;
      const { index } = terms.get(key) ?? { index: terms.size };
      const isSingle = word.isRun && Array.from(folded).length === 1;
      terms.set(key, {
        folded,
        stems: { english, german },
        index,
        ...(isSingle && { isOpen: true }),
        ...(word.isRun && { isPair: true }),
      });
      if (isWhole) continue;
      if (before !== undefined && before !== index) pairs.set(`${before} ${index}`, [before, index]);
      before = index;
    }
  }
  return {
    terms: [...terms.values()].map(({ folded, stems: both, isOpen, isPair }) => ({
      folded,
      stems: both,
      ...(isOpen === true && { isOpen }),
      ...(isPair === true && { isPair }),
    })),
    pairs: [...pairs.values()],
  };
}

function exactPhrases(text: string, language: StemLanguage): readonly SearchPhrase[] {
  const quotes = [...text.matchAll(QUOTED)].map(([, ...groups]) => groups.join(""));
  const code = text.split(/[\s"“”„«»`]+/u).filter((piece) => CODE.test(piece));
  const phrases = [...quotes, ...code, text].map((verbatim) =>
    [...searchWords(verbatim)].map(({ folded, isRun }) => ({ folded, isRun })),
  );
  const distinct = new Map(phrases.map((words) => [words.map(({ folded }) => folded).join(" "), words]));
  return [...distinct.values()]
    .filter((words) => words.some(({ folded }) => !isStopWord(folded, language)))
    .map((words) => ({ words, isOpen: false }));
}
