/** The words of a text that say what it is about: names, nouns, verbs; for scripts without blanks, pairs of characters. */

import { isFunctionWord } from "./languageWords.ts";

/** Letters of a word that are compared: endings differ from sentence to sentence. */
const STEM_UNITS = 5;
const SHORTEST_WORD_UNITS = 4;
/** Words of any notes about any conversation. */
const GENERAL = new Set(
  "about assistant convers decisi design develo differ discus everyt explai findin follow genera goal help import inform item items issue issues made make need notes open part person progre projec reason result some someth state statem summar task things topic usage used user users various want wants work worked workin current several".split(
    " ",
  ),
);
const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
const CHARACTERS = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Thai}]+/gu;
const HAS_CHARACTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

export function contentWordsOf(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (stem: string): void => {
    if (!GENERAL.has(stem)) found.add(stem);
  };
  const lower = text.toLowerCase();
  for (const [word] of lower.matchAll(WORD)) {
    if (HAS_CHARACTERS.test(word)) continue;
    if (word.length >= SHORTEST_WORD_UNITS && !isFunctionWord(word)) add(word.slice(0, STEM_UNITS));
  }
  for (const [run] of lower.matchAll(CHARACTERS)) {
    for (let at = 0; at + 2 <= run.length; at++) found.add(run.slice(at, at + 2));
  }
  return found;
}

/** How many of `words` are in `source`. */
export function sharedWords(words: ReadonlySet<string>, source: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of words) if (source.has(word)) shared++;
  return shared;
}
