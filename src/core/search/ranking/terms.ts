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
  /** An identifier whose parts follow. */
  readonly isWhole: boolean;
}

export function* partsOf({ folded, isRun, beginnings }: SearchWord): Generator<WordPart, void> {
  if (isRun) yield* pairsOf(folded);
  else if (beginnings.length < 2) yield { folded, isWhole: false };
  else {
    yield { folded, isWhole: true };
    for (const [index, { at }] of beginnings.entries()) {
      const part = folded.slice(at, beginnings[index + 1]?.at);
      if (part.length > 1) yield { folded: part, isWhole: false };
    }
  }
}

function* pairsOf(run: string): Generator<WordPart, void> {
  const characters = Array.from(run);
  for (let at = 0; at < Math.max(1, characters.length - 1); at++) {
    yield { folded: characters.slice(at, at + 2).join(""), isWhole: false };
  }
}

/** Words of letters only: numbers and encoded data have no endings. */
const STEMMED = /^\p{L}{3,}$/u;
/** Stems remembered: a few thousand words are most of a conversation. */
const MOST_STEMS = 20_000;

export class StemCache {
  readonly #stemmer: Stemmer;
  readonly #stems = { english: new Map<string, string>(), german: new Map<string, string>() };

  constructor(stemmer: Stemmer) {
    this.#stemmer = stemmer;
  }

  /** The term of a folded word. */
  stem(folded: string, language: StemLanguage): string {
    if (folded.length > LONGEST_TERM) return folded.slice(0, LONGEST_TERM);
    const stems = this.#stems[language];
    const known = stems.get(folded);
    if (known !== undefined) return known;
    const stem = STEMMED.test(folded) ? this.#stemmer.stem(folded, language) : folded;
    if (stems.size >= MOST_STEMS) stems.clear();
    stems.set(folded, stem);
    return stem;
  }
}
