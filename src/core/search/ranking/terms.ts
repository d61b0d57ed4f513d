/**
 * The terms of a text, by which it is ranked: stems of its words, of identifiers also of their parts (`parseHttpDate` is
 * parsehttpdate, parse, http and date), and each two neighbours of a script without spaces. Stop words are no terms.
 */

import { LONGEST_TERM } from "../searchTerms.ts";
import type { SearchWord } from "../searchWords.ts";
import type { StemLanguage, Stemmer } from "./stemmer.ts";

/** A part of a word before stemming. Single letters and digits of an identifier are none. */
export interface WordPart {
  readonly folded: string;
  /** An identifier whose parts follow, or the end of a run: it is no term of its own. */
  readonly isWhole: boolean;
}

export type Splittable = Pick<SearchWord, "folded" | "isRun" | "beginnings">;

export function partsOf({ folded, isRun, beginnings }: Splittable): Iterable<WordPart> {
  if (isRun) return pairsOf(folded);
  if (beginnings.length < 2) return [{ folded, isWhole: false }];
  const parts: WordPart[] = [{ folded, isWhole: true }];
  for (const [index, { at }] of beginnings.entries()) {
    const part = folded.slice(at, beginnings[index + 1]?.at);
    if (part.length > 1) parts.push({ folded: part, isWhole: false });
  }
  return parts;
}

/** The last character too: a single one is sought as the beginning of a pair. */
function* pairsOf(run: string): Generator<WordPart, void> {
  const characters = Array.from(run);
  for (const [at, character] of characters.entries()) {
    const next = characters[at + 1];
    yield { folded: character + (next ?? ""), isWhole: next === undefined && at > 0 };
  }
}

/** Words of letters only: numbers and encoded data have no endings. */
const STEMMED = /^\p{L}{3,}$/u;
/** Stems remembered before the older ones are forgotten: a few thousand words are most of a conversation, and a search of
 * a million messages looks at as many. */
const MOST_STEMS = 50_000;

type Stems = Partial<Record<StemLanguage, string>>;

export class StemCache {
  readonly #stemmer: Stemmer;
  /** The {@link MOST_STEMS} words used last, or fewer, and as many used before. */
  #recent = new Map<string, Stems>();
  #older: ReadonlyMap<string, Stems> = new Map();

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer;
  }

  /** The term of a folded word. */
  stem(folded: string, language: StemLanguage): string {
    if (folded.length > LONGEST_TERM) return folded.slice(0, LONGEST_TERM);
    const stems = this.#stemsOf(folded);
    return (stems[language] ??= this.#stemOf(folded, language));
  }

  /** It has the same stem in one of the languages. */
  isForm(folded: string, of: Readonly<Record<StemLanguage, string>>): boolean {
    return this.stem(folded, "english") === of.english || this.stem(folded, "german") === of.german;
  }

  #stemsOf(folded: string): Stems {
    let stems = this.#recent.get(folded);
    if (stems !== undefined) return stems;
    stems = this.#older.get(folded) ?? {};
    if (this.#recent.size >= MOST_STEMS) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(folded, stems);
    return stems;
  }

  #stemOf(folded: string, language: StemLanguage): string {
    return STEMMED.test(folded) ? this.#stemmer.stem(folded, language) : folded;
  }
}
