import assert from "node:assert/strict";
import { localModelText, readingText } from "../../../src/host/words/localModelTexts.ts";

describe("29.3 a wait for a local model", () => {
  const reading = (freshTokens: number, readTokens = 0, perSecond?: number) => ({
    freshTokens,
    readTokens,
    ...(perSecond === undefined ? {} : { perSecond }),
  });
  const cases: readonly (readonly [given: ReturnType<typeof reading>, reads: number | undefined, expected: string])[] =
    [
      [reading(3_712), 337.5, "Reading 3,712 tokens, about 11 s."],
      [reading(3_712), undefined, "Reading 3.7k tokens."],
      [reading(3_712, 2_100), 322, "Reading 2,100 of 3,712 tokens, about 5 s."],
      [reading(3_712, 2_100, 161.2), 322, "Reading 2,100 of 3,712 tokens, about 10 s."],
      [reading(3_712, 2_100), undefined, "Reading 2.1k of 3.7k tokens."],
      [reading(100_000), 100, "Reading 100,000 tokens, about 17 min."],
      [reading(400), 9_000, "Reading 400 tokens, about 1 s."],
      [reading(100), undefined, "Reading 100 tokens."],
      [reading(99), 1, ""],
      [reading(3_712, 3_712, 300), 300, ""],
      [reading(0), 300, ""],
    ];
  for (const [given, reads, expected] of cases) {
    it(`says ${expected === "" ? `nothing of ${JSON.stringify(given)}` : `“${expected}”`}`, () => {
      assert.equal(readingText(given, reads === undefined ? {} : { reads }), expected);
    });
  }

  const known = (source: "live" | "fallback") =>
    ({ limits: { contextWindow: 8_192, maxOutput: 2_048 }, source, outputAssumed: true }) as const;
  const models: readonly (readonly [writes: number | undefined, source: "live" | "fallback", expected: unknown])[] = [
    [34.4, "live", "Local model: 34 tokens a second, window 8,192"],
    [3.44, "live", "Local model: 3.4 tokens a second, window 8,192"],
    [4, "live", "Local model: 4 tokens a second, window 8,192"],
    [1_234.5, "fallback", "Local model: 1,235 tokens a second"],
    [undefined, "live", undefined],
  ];
  for (const [writes, source, expected] of models) {
    it(`tells of a model ${String(expected)}`, () => {
      assert.equal(localModelText(writes === undefined ? {} : { writes }, known(source)), expected);
    });
  }
});
