import assert from "node:assert/strict";
import fc from "fast-check";
import { phrasePlaces, type SearchPhrase } from "../../../src/core/search/phrasePlaces.ts";
import { matchQuery, parseQuery } from "../../../src/core/search/searchQuery.ts";
import { searchWords, type SearchWord } from "../../../src/core/search/searchWords.ts";
import { assertLinearTime } from "../../support/linearTime.ts";

/** All places of a phrase, by naive comparison at every word. */
function comparedPlaces(words: readonly SearchWord[], { words: wanted, isOpen }: SearchPhrase): readonly number[] {
  const stands = (at: number): boolean =>
    wanted.every(({ folded, isRun }, index) => {
      const word = words[at + index];
      if (word?.isRun !== isRun) return false;
      const inRun = Array.from({ length: word.folded.length }, (_, from) => from);
      const starts = index > 0 ? [0] : isRun ? inRun : word.beginnings.map(({ at: from }) => from);
      const mayGoOn = isOpen && index === wanted.length - 1;
      return starts.some((from) =>
        mayGoOn ? word.folded.startsWith(folded, from) : word.folded.slice(from) === folded,
      );
    });
  return words.flatMap((_, at) => (stands(at) ? [at] : []));
}

describe("phrasePlaces", () => {
  it("finds the same places as a naive comparison, even for repeated words", () => {
    const letters = fc
      .array(fc.constantFrom("a", "b", "aB", "中", "-", " "), { maxLength: 40 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(letters, letters, (typed, text) => {
        const words = [...searchWords(text)];
        for (const phrase of parseQuery(typed)?.phrases ?? []) {
          const places = [...phrasePlaces(words, phrase)].map(({ at }) => at);
          assert.deepEqual(places, comparedPlaces(words, phrase));
        }
      }),
      { numRuns: 5_000, seed: 20_261_122 },
    );
  });

  for (const unit of ["a-", "中a", "é-", "1."]) {
    it(`takes time linear in text and query for a repeated ${JSON.stringify(unit)}`, () => {
      for (const end of [unit, "b"]) {
        const read = (text: string): void => {
          const query = parseQuery(text.slice(0, text.length / 16) + end);
          assert.ok(query);
          matchQuery(query, text);
        };
        assertLinearTime(read, { unit, longestUnits: 30_000 });
      }
    });
  }
});
