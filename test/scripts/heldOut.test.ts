import assert from "node:assert/strict";
import { fit, halvesOf, heldOutCheck } from "../../scripts/counting/heldOut.ts";
import { countingErrors, countRecording, type CountedRecording } from "../../scripts/counting/recordedRequests.ts";
import { testTokenCounter } from "../support/models/tokenCounter.ts";

/** A request of `words` words, billed by the rule `billed`. */
function recording(source: string, words: number, billed: (tokens: number) => number): CountedRecording {
  const messages = [{ role: "user", content: `${source} ${"word ".repeat(words)}` }];
  const request = { source, model: "grok-4", family: "grok", host: "h", system: null, messages, input_tokens: 1 };
  const counted = countRecording(request, testTokenCounter());
  const tokens = counted.tokens.reduce((sum, each) => sum + each, 0);
  return { ...counted, request: { ...request, input_tokens: billed(tokens) } };
}

const many = (billed: (tokens: number) => number): readonly CountedRecording[] =>
  Array.from({ length: 40 }, (_, at) => recording(`repo@c:file-${at}.yaml#${at % 3}`, 30 + at * 13, billed));

describe("held-out check of counting constants", () => {
  it("recovers the constants that produced a bill", () => {
    const all = many((tokens) => Math.round(tokens * 1.17) + 4 + 31);
    const { ratio, perRequestTokens } = fit(all, all[0]?.formula ?? assert.fail());
    assert.deepEqual([ratio, perRequestTokens], [1.17, 31]);
  });

  it("measures errors on recordings that it did not fit, with a deterministic split", () => {
    const all = many((tokens) => Math.round(tokens * 1.17) + 4 + 31);
    const halves = halvesOf(all);
    assert.deepEqual(halves, halvesOf(all));
    assert.equal(halves.fitted.length + halves.heldOut.length, all.length);
    assert.ok(halves.fitted.length > 10 && halves.heldOut.length > 10);
    const check = heldOutCheck(halves, all[0]?.formula ?? assert.fail()) ?? assert.fail();
    assert.deepEqual(
      [check.fitted.count, check.fitted.median, check.fitted.exact],
      [halves.heldOut.length, 0, halves.heldOut.length],
    );
    assert.ok(check.shipped.median > 0.1);
  });

  it("assigns recordings with the same file or text to the same half", () => {
    const one = recording("repo@c:one.yaml#0", 9, () => 20);
    const again = { ...one, request: { ...one.request, source: "repo@c:other.yaml#0" } };
    const sameFile = recording("repo@c:other.yaml#7", 50, () => 80);
    for (const order of [
      [one, again, sameFile],
      [sameFile, again, one],
      [one, sameFile, again],
    ]) {
      const { fitted, heldOut } = halvesOf(order);
      assert.deepEqual([fitted.length, heldOut.length].toSorted(), [0, 3]);
    }
  });

  it("returns undefined when all recordings are in one half", () => {
    const one = recording("repo@c:one.yaml#0", 9, () => 20);
    assert.equal(heldOutCheck(halvesOf([one]), one.formula), undefined);
  });

  it("measures errors as fractions of the bill", () => {
    const { count, exact, median, p90 } = countingErrors(many((tokens) => (Math.round(tokens * 0.93) + 4) * 2));
    assert.deepEqual([count, exact, median, p90], [40, 0, 0.5, 0.5]);
  });
});
