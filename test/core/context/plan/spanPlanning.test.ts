/** Spec §5: target size of a summary, the size above which it is rejected, and when it would save nothing. */

import assert from "node:assert/strict";
import { withLargerTarget, spanSize } from "../../../../src/core/context/plan/spanPlanning.ts";
import { TokenCosts } from "../../../../src/core/context/tokenCosts.ts";
import { messageId, modelId } from "../../../../src/core/ids.ts";

describe("§5 the target size of a summary is", () => {
  /** Tokens: `source` are replaced, `originals` are covered, and the frame takes 28. */
  const check = (
    title: string,
    given: { source: number; originals?: number; level?: number; ratio?: number; user?: number; planned?: number },
    expected: readonly [target: number, most: number] | undefined,
  ): void => {
    it(title, () => {
      const { source, originals = source, level = 1, ratio = 0.15, user = 0, planned = 0 } = given;
      const size = spanSize(
        {
          ...{ sourceTokens: source, originalTokens: originals, level },
          ...{ userTokens: user, plannedUserTokens: planned },
        },
        { summaryRatio: ratio, frameTokens: 28 },
      );
      assert.deepEqual(size && [size.targetTokens, size.maxTokens], expected);
    });
  };
  check("15 % of the originals, with a limit of twice that and 400 for directives", { source: 1_000 }, [150, 700]);
  check("rounded down", { source: 1_006 }, [150, 700]);
  check("the user's ratio of the originals", { source: 1_000, ratio: 0.3 }, [300, 971]);
  check("64 when the ratio gives less", { source: 426 }, [64, 397]);
  check("65 when the ratio gives 65", { source: 434 }, [65, 405]);
  check("limited to less than its source, including the frame", { source: 200 }, [64, 171]);
  check("64 for the smallest source that saves a token", { source: 93 }, [64, 64]);
  check("undefined when the summary would save nothing", { source: 92 }, undefined);
  check("at most 65 % of the summaries it replaces", { source: 400, originals: 4_000, level: 2 }, [260, 371]);
  check(
    "the ratio of the originals when that is less than 65 % of the summaries",
    { source: 4_000, originals: 8_000, level: 2 },
    [1_200, 2_800],
  );
  check("with a limit above that by the user's messages", { source: 4_000, level: 2, user: 500 }, [600, 2_100]);
  check(
    "limited to less than its source, of which planned summaries grow by the user's messages",
    { source: 1_000, originals: 20_000, level: 2, user: 5_000, planned: 4_000 },
    [650, 4_971],
  );
  check("at least 64 for summaries", { source: 98, originals: 4_000, level: 3 }, [64, 69]);
});

describe("a merged summary that frees more than the target needs", () => {
  /** Merges summaries of 2,000 tokens, which cover 40,000, into at least 1,000. */
  const check = (title: string, roomTokens: number, expected: readonly [target: number, most: number]): void => {
    it(title, () => {
      const covers = { start: messageId(0), end: messageId(100) };
      const span = { covers, level: 2, from: "coarsest", sourceTokens: 2_000, originalTokens: 40_000 } as const;
      const size = { targetTokens: 1_000, maxTokens: 1_100 };
      const given = withLargerTarget({ ...span, ...size }, roomTokens, { summaryRatio: 0.15, frameTokens: 28 });
      assert.deepEqual([given.targetTokens, given.maxTokens], expected);
    });
  };
  check("is larger by the room there is", 200, [1_200, 1_200]);
  check("is at most 70 % of its source", 900, [1_400, 1_400]);
  check("is not larger when more has to be freed", -300, [1_000, 1_100]);
});

describe("TokenCosts.summaryTextWithin", () => {
  const check = (model: string, modelTokens: number, expected: object): void => {
    it(`${model}: ${modelTokens}`, () => {
      const costs = new TokenCosts(modelId(model));
      const most = costs.summaryTextWithin(modelTokens);
      assert.deepEqual(most, expected);
      const { encoding } = costs.formula;
      const costOf = (tokens: number): number =>
        costs.ofSummary({ cl100k: tokens, o200k: tokens }) - costs.summaryFrame;
      assert.ok(costOf(most[encoding]) <= modelTokens && costOf(most[encoding] + 2) > modelTokens);
    });
  };
  check("some-model", 100, { cl100k: 100, o200k: Infinity });
  check("gpt-5", 100, { cl100k: Infinity, o200k: 100 });
  check("claude-sonnet-5-5", 100, { cl100k: 72, o200k: Infinity });
  check("gemini-2.5-pro", 64, { cl100k: 64, o200k: Infinity });
  check("grok-4", 93, { cl100k: 100, o200k: Infinity });
  check("some-model", 0, { cl100k: 0, o200k: Infinity });
});
