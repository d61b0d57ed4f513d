import assert from "node:assert/strict";
import { StemCache } from "../../../../src/core/search/ranking/terms.ts";

/** More than are remembered. */
const WORDS = Array.from({ length: 120_000 }, (_, at) => {
  const letters = Array.from(String(at), (digit) => "abcdefghij".charAt(Number(digit)));
  return `word${letters.join("")}`;
});

describe("the cache of stems", () => {
  it("does not stem anew what is used again and again among very many words", () => {
    const stemmed = new Map<string, number>();
    const stems = new StemCache({
      stem: (word, language) => {
        stemmed.set(word, (stemmed.get(word) ?? 0) + 1);
        return `${word.slice(0, -1)} ${language}`;
      },
    });
    for (const [at, word] of WORDS.entries()) {
      assert.equal(stems.stem(word, "english"), `${word.slice(0, -1)} english`);
      if (at % 5_000 === 0) assert.ok(stems.isForm("pools", { english: "pools", german: "pool german" }));
    }
    assert.deepEqual([stemmed.get("pools"), stemmed.size], [2, WORDS.length + 1]);
    assert.equal(stems.stem(WORDS[0] ?? "", "english"), "word english");
    assert.equal(stemmed.get(WORDS[0] ?? ""), 2);
  });
});
