import assert from "node:assert/strict";
import fc from "fast-check";
import { Tiktoken, type TiktokenBPE } from "js-tiktoken/lite";
import cl100kRanks from "js-tiktoken/ranks/cl100k_base";
import o200kRanks from "js-tiktoken/ranks/o200k_base";
import type { EncodingName } from "../../../../src/core/tokens/bpe/preTokenizer.ts";
import { CORPUS, hardTexts } from "../../../support/texts/corpus.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

const RANKS: Readonly<Record<EncodingName, TiktokenBPE>> = { cl100k: cl100kRanks, o200k: o200kRanks };

/** Text that split patterns or libraries treat differently: contractions, marks, title case, rare spaces, markers. */
const PIECES = [
  ..."'s|'LL|'re|' |a|Z|Hello|WORLD|été|ß|日本|ー|ア|한국|١٢٣|12345|½|²|ा|क|!|...|/|//|😀|👩‍👩‍👧|𝒜|𝟘|𐐀|𐐨|ǅ|ʰ|{|}|_|'|ſ|İ".split(
    "|",
  ),
  ...["<|endoftext|>", "<|im_start|>", "__proto__", "toString", "propertyIsEnumerable", "constructor", '"'],
  ...[" ", "  ", "\n", "\r\n", "\t", "\u0301", "\u0308", "\u00a0", "\u3000", "\u2028", "\u200b", "\u0000"],
];

describe("BpeCounter", function () {
  this.timeout(60_000);
  for (const encoding of ["cl100k", "o200k"] as const) {
    describe(encoding, () => {
      const counter = testTokenCounter();
      let oracle: Tiktoken;
      before(() => (oracle = new Tiktoken(RANKS[encoding])));
      const right = (text: string): number => oracle.encode(text, [], []).length;

      for (const [name, text] of Object.entries(CORPUS)) {
        it(`counts ${name} as js-tiktoken does`, () => {
          assert.equal(counter.countText(text, encoding), right(text));
        });
      }

      it("counts any mix of difficult pieces as js-tiktoken does", () => {
        const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(""));
        // After an apostrophe the providers' tokenizer treats the long s as an "s"; js-tiktoken does not.
        const known = text.filter((value) => !value.includes("'ſ"));
        fc.assert(
          fc.property(known, (value) => {
            assert.equal(counter.countText(value, encoding), right(value));
          }),
          { seed: 1, numRuns: 3000 },
        );
      });

      it("counts any characters as js-tiktoken does", () => {
        const text = fc.string({ unit: "binary", maxLength: 30 }).filter((value) => !value.includes("'ſ"));
        fc.assert(
          fc.property(text, (value) => {
            // JavaScript's \s and js-tiktoken treat a byte order mark as white space; the providers do not.
            const plain = value.replaceAll(/[\ufeff\u0085]/g, "");
            assert.equal(counter.countText(plain, encoding), right(plain));
          }),
          { seed: 2, numRuns: 2000 },
        );
      });
    });
  }

  const check = (text: string, cl100k: number, o200k: number): void => {
    const counter = testTokenCounter();
    const name = JSON.stringify(text.length > 40 ? `${text.slice(0, 20)}… (${text.length})` : text);
    it(`counts ${name}: ${cl100k}, ${o200k}`, () => {
      assert.deepEqual([counter.countText(text, "cl100k"), counter.countText(text, "o200k")], [cl100k, o200k]);
    });
  };

  describe("text that libraries often miscount, as tiktoken does,", () => {
    check("", 0, 0);
    check("see <|endoftext|> here", 8, 9);
    check("\ufeffhello", 2, 2);
    check("a\u0085b", 4, 4);
    check("\ud800", 1, 1);
    check("\ud800abc\udfff", 3, 3);
    check("__proto__", 3, 3);
    check("don'ſ", 4, 3);
    check("\u0000\u0000", 2, 1);
    check("\u2028", 2, 1);
  });

  it("counts a lone surrogate as U+FFFD", () => {
    const counter = testTokenCounter();
    for (const encoding of ["cl100k", "o200k"] as const) {
      assert.equal(counter.countText("x\ud83dy", encoding), counter.countText("x\ufffdy", encoding));
    }
  });

  describe("runs without a boundary longer than 1,024 characters", () => {
    const uncut = testTokenCounter(1 << 30);
    for (const [name, text] of Object.entries(hardTexts(20_000))) {
      it(`moves the count of ${name} by at most 0.1 %`, () => {
        for (const encoding of ["cl100k", "o200k"] as const) {
          const exact = uncut.countText(text, encoding);
          const error = Math.abs(testTokenCounter().countText(text, encoding) - exact) / exact;
          assert.ok(error <= 0.001, `${encoding}: ${error}`);
        }
      });
    }

    it("takes time linear in the length of the run", () => {
      const counter = testTokenCounter();
      const letters = hardTexts(50_000)["random letters"] ?? "";
      const cpuMs = (times: number): number => {
        const text = letters.repeat(times);
        const before = process.cpuUsage();
        counter.countText(text);
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      };
      cpuMs(1);
      // Quadratic time would grow by a factor of 400, linear time by 20.
      assert.ok(cpuMs(20) < 80 * Math.max(10, cpuMs(1)));
    });
  });
});
