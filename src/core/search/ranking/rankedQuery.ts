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

/** More terms than a question has; the rest of a pasted page is ignored. */
const MOST_TERMS = 48;
const LONGEST_QUERY = 2_000;
const QUOTED = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|`([^`]*)`/gu;
/** Marks inside a word that prose does not have, humps of an identifier, and calls. */
const CODE = /[\p{L}\p{N}][_./\\:#@=<>[\]$]+[\p{L}\p{N}]|^\p{Ll}{2}[\p{Ll}\p{N}]*\p{Lu}|^[.$@#_/~-]+\p{L}|\(\)/u;

/** `undefined` for a text without words. */
export function parseRankedQuery(typed: string, stems: StemCache): RankedQuery | undefined {
  const text = typed.slice(0, LONGEST_QUERY);
  const language = languageOf([...searchWords(text)]);
  const found = termsOf(text, stems, (folded) => !isStopWord(folded, language));
  const { terms, pairs } = found.terms.length > 0 ? found : termsOf(text, stems, () => true);
  const { asTyped } = parseQuery(text) ?? {};
  if (terms.length === 0) return undefined;
  return { terms, pairs, exact: exactPhrases(text, language), ...(asTyped && { asTyped }) };
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
      if (!isTerm(folded) || terms.size >= MOST_TERMS) continue;
      const [english, german] = [stems.stem(folded, "english"), stems.stem(folded, "german")];
      const key = `${english} ${german}`;
      const { index } = terms.get(key) ?? { index: terms.size };
      terms.set(key, { folded, stems: { english, german }, index });
      if (isWhole) continue;
      if (before !== undefined && before !== index) pairs.set(`${before} ${index}`, [before, index]);
      before = index;
    }
  }
  return {
    terms: [...terms.values()].map(({ folded, stems: both }) => ({ folded, stems: both })),
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
