import assert from "node:assert/strict";
import fc from "fast-check";
import { CORPUS } from "../../support/texts/corpus.ts";
import { testTokenCounter } from "../../support/models/tokenCounter.ts";

const PIECES = [
  ..."'s|'LL|'|re|a|Z|Hello|WORLD|é|日本|ア|123|1|!|/|//|😀|\ud83d|\ude00|𝒜|ʰ|क|ा|{\n".split("|"),
  ...[
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    "   \n  ",
    "\u0301",
    "\u3000",
    "ab".repeat(600),
    "A".repeat(1023),
    "=".repeat(1025),
  ],
];

describe("LiveCounter", function () {
  this.timeout(60_000);
  const counter = testTokenCounter();
  for (const encoding of ["cl100k", "o200k"] as const) {
    it(`equals a full count after every piece (${encoding})`, () => {
      fc.assert(
        fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }), (pieces) => {
          const live = counter.live(encoding);
          let text = "";
          for (const piece of pieces) {
            text += piece;
            assert.equal(live.push(piece), counter.countText(text, encoding), JSON.stringify(text));
          }
        }),
        { seed: 3, numRuns: 1500 },
      );
    });

    it(`equals a full count of each kind of text, added five characters at a time (${encoding})`, () => {
      for (const [name, text] of Object.entries(CORPUS)) {
        const live = counter.live(encoding);
        for (let at = 0; at < text.length; at += 5) live.push(text.slice(at, at + 5));
        assert.equal(live.total, counter.countText(text, encoding), name);
      }
    });
  }

  it("is 0 initially and after an empty text", () => {
    const live = counter.live("o200k");
    assert.deepEqual([live.total, live.push(""), live.total], [0, 0, 0]);
  });
});
