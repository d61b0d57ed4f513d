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
