import assert from "node:assert/strict";
import fc from "fast-check";
import { directivesOf } from "../../../../src/core/summary/facts/directives.ts";
import { extractFacts } from "../../../support/session/extractFacts.ts";
import { assertInProportion, assertLinearTime } from "../../../support/linearTime.ts";
import { sourcesOf, user } from "../../../support/session/summarySources.ts";

/** Openings of directives in several scripts, and other parts of a line. */
const PIECES = [
  ..."never|always|do not|must|every|no|if you|before|use|keep|only|not|,|;|:|.|?|!|…".split("|"),
  ..."niemals|bitte|kein|vor jedem|ne|il faut|sans|nunca|no uses|não|sempre|не|必须|不要|に|ないでください|반드시".split(
    "|",
  ),
  ...'"|“|„|«|`|```|~~~|- |> |# |1. |\n|\t| |\u0000|\ud800|\u202e|é|ﬁ|👩‍👩‍👧'.split("|"),
];
const talk = fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12 })), { maxLength: 80 });

describe("directives in hostile text", function () {
  this.timeout(60_000);

  it("are verbatim parts of the text", () => {
    fc.assert(
      fc.property(talk, fc.constantFrom("", " "), (pieces, blank) => {
        const text = pieces.join(blank);
        for (const directive of directivesOf(text)) assert.ok(text.includes(directive), JSON.stringify(directive));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it("become facts of the user's message exactly once each", () => {
    fc.assert(
      fc.property(talk, (pieces) => {
        const facts = extractFacts(sourcesOf([user(`Never stop. ${pieces.join(" ")}`)]));
        const directives = facts.filter(({ kind }) => kind === "directive").map(({ text }) => text);
        assert.ok(directives.includes("Never stop."));
        assert.equal(new Set(directives).size, directives.length);
      }),
      { numRuns: 100, seed: 8 },
    );
  });

  const lines = ["a", "never use it, ", "if before after only ", " ", '"„«“`', ",", "a. ", "不要，", "ne jamais "];
  for (const unit of lines) {
    it(`are searched in linear time in a line of ${JSON.stringify(unit)}`, () => {
      assertLinearTime(directivesOf, { unit, longestUnits: 1_000_000 });
    });
  }

  it("are found in linear time in 100,000 bullets", () => {
    const bulletsOf = (count: number): string =>
      Array.from(
        { length: count },
        (_, index) => `- never call function ${index}\n- it was called ${index} times\n`,
      ).join("");
    const [short, long] = [bulletsOf(6_250), bulletsOf(50_000)];
    const startMs = performance.now();
    assert.equal(directivesOf(short).length, 6_250);
    const betweenMs = performance.now();
    assert.equal(directivesOf(long).length, 50_000);
    assertInProportion(betweenMs - startMs, performance.now() - betweenMs);
  });
});
