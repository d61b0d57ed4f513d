import assert from "node:assert/strict";
import { ContextUsage, formatTokens } from "../../../src/core/context/contextUsage.ts";
import { measuredUse } from "../../../src/core/context/measuredUse.ts";
import { counts, TestConversation } from "../../support/conversation.ts";

describe("ContextUsage", () => {
  describe("formatTokens", () => {
    const check = (tokens: number, expected: string): void => {
      it(`${String(tokens)} is ${expected}`, () => {
        assert.equal(formatTokens(tokens), expected);
      });
    };
    check(0, "0");
    check(999, "999");
    check(1_000, "1k");
    check(2_100, "2.1k");
    check(2_049, "2k");
    check(9_949, "9.9k");
    check(9_950, "10k");
    check(50_000, "50k");
    check(129_200, "129k");
    check(200_000, "200k");
    check(999_499, "999k");
    check(999_500, "1M");
    check(1_200_000, "1.2M");
    check(12_400_000, "12M");
  });

  describe("formatCompact", () => {
    const check = (usedTokens: number, budgetTokens: number, summarizedSegments: number, expected: string): void => {
      it(expected, () => {
        assert.equal(new ContextUsage({ usedTokens, budgetTokens, summarizedSegments }).formatCompact(), expected);
      });
    };
    check(2_100, 200_000, 0, "2.1k / 200k (1%)");
    check(50_000, 200_000, 2, "50k / 200k (25%) [2S]");
    check(2_100, 129_200, 0, "2.1k / 129k (2%)");
    check(0, 3_892, 0, "0 / 3.9k (0%)");
    check(5_000, 3_892, 1, "5k / 3.9k (128%) [1S]");
  });

  describe("severity goes by the exact ratio", () => {
    const check = (usedTokens: number, expected: number): void => {
      it(`${String(usedTokens)} of 100,000 is ${String(expected)}`, () => {
        assert.equal(
          new ContextUsage({ usedTokens, budgetTokens: 100_000, summarizedSegments: 0 }).severity(),
          expected,
        );
      });
    };
    check(0, 0);
    check(69_999, 0);
    check(70_000, 1);
    check(90_000, 1);
    check(90_001, 2);
    check(130_000, 2);
  });

  it("gives the exact percentage", () => {
    assert.equal(new ContextUsage({ usedTokens: 1, budgetTokens: 8, summarizedSegments: 0 }).percentage(), 12.5);
  });
});

describe("measuredUse", () => {
  const check = (
    title: string,
    estimated: number,
    last: readonly [estimated: number, reported: number] | undefined,
    expected: number,
  ): void => {
    it(title, () => {
      const measurement = last && { estimatedTokens: last[0], reportedTokens: last[1] };
      assert.equal(measuredUse(estimated, measurement), expected);
    });
  };
  check("is the estimate while nothing is reported", 1_000, undefined, 1_000);
  check("is what was reported while nothing changes", 1_000, [1_000, 1_300], 1_300);
  check("adds what is new as it is counted", 1_200, [1_000, 1_300], 1_500);
  check("takes away what went in proportion", 500, [1_000, 1_300], 650);
  check("never goes below nothing", 0, [1_000, 0], 0);
});

describe("ContextManager.usage", () => {
  const overhead = {
    systemPrompt: "Be brief.",
    systemTokens: counts(96),
    tools: [{ name: "read", description: "", inputSchemaJson: "{}" }],
    toolsTokens: counts(196),
  };

  it("says what the tokens are spent on", () => {
    const conversation = new TestConversation({ overhead }).play("8*96/96 S0-7:100 pin8");
    const { usedTokens, budgetTokens, summarizedSegments, parts, reservedTokens, isMeasured } =
      conversation.manager.usage();
    assert.deepEqual(
      { usedTokens, budgetTokens, summarizedSegments, parts, reservedTokens, isMeasured },
      {
        usedTokens: 1_228,
        budgetTokens: 3_892,
        summarizedSegments: 1,
        parts: { system: 100, tools: 200, priming: 0, pins: 100, summaries: 128, recent: 400, older: 300 },
        reservedTokens: 4_300,
        isMeasured: false,
      },
    );
  });

  it("takes the provider's figure, until the next cut", () => {
    const conversation = new TestConversation({ overhead }).play("4*96/96");
    conversation.ready();
    conversation.manager.noteReportedUsage({ inputTokens: 1_650 });
    const first = conversation.manager.usage();
    assert.ok(first.parts !== undefined);
    const { system, tools, priming, pins, summaries, recent, older } = first.parts;
    const sum = system + tools + priming + pins + summaries + recent + older;
    assert.deepEqual([first.usedTokens, first.isMeasured, sum], [1_650, true, 1_650]);
    conversation.play("u96");
    assert.deepEqual([conversation.manager.usage().usedTokens, conversation.manager.usage().isMeasured], [1_750, true]);
    conversation.play("S0-3:100");
    assert.deepEqual(
      [conversation.manager.usage().usedTokens, conversation.manager.usage().isMeasured],
      [1_392, false],
    );
  });

  it("plans by what the provider reported", () => {
    const conversation = new TestConversation().play("6*200/200");
    conversation.ready();
    assert.equal(conversation.manager.compactionStage(), "none");
    conversation.manager.noteReportedUsage({ inputTokens: 3_300 });
    assert.equal(conversation.manager.compactionStage(), "apply");
    assert.notEqual(conversation.manager.planCompaction("threshold"), undefined);
  });

  it("tells whether the next request fits", () => {
    const kinds = ["2*50/50", "12*200/200", "u3000 a3000"].map((script) => {
      const status = new TestConversation().play(script).manager.usageStatus();
      return [status.kind, status.usage.severity()];
    });
    assert.deepEqual(kinds, [
      ["ready", 0],
      ["needsSummarization", 2],
      ["tooLarge", 2],
    ]);
  });
});
