/** Spec §10: the figures of the meter, their formats and their precision. */

import assert from "node:assert/strict";
import { ContextUsage, formatTokens } from "../../../../src/core/context/usage/contextUsage.ts";
import { estimateUsage, type UsageEstimate } from "../../../../src/core/context/usage/usageOfCut.ts";
import { UsageCalibrations } from "../../../../src/core/context/usage/usageCalibrations.ts";
import { modelId } from "../../../../src/core/ids.ts";
import type { CountedRequest } from "../../../../src/core/tokens/calibrator.ts";
import { NO_CONTENT, type ClassCounts } from "../../../../src/core/tokens/contentClass.ts";
import { textMessage } from "../../../../src/core/message.ts";
import { counts, TestConversation } from "../../../support/session/conversation.ts";

describe("§10 ContextUsage", () => {
  describe("formatTokens", () => {
    const check = (tokens: number, expected: string): void => {
      it(`formats ${String(tokens)} as ${expected}`, () => {
        assert.equal(formatTokens(tokens), expected);
      });
    };
    check(0, "0");
    check(999, "999");
    check(1_000, "1k");
    check(1_049, "1k");
    check(1_050, "1.1k");
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
    check(69_500, 100_000, 0, "70k / 100k (70%)");
    check(1_200_000, 1_200_000, 12, "1.2M / 1.2M (100%) [12S]");
  });

  describe("severity, by the exact ratio,", () => {
    const check = (usedTokens: number, expected: number): void => {
      it(`of ${String(usedTokens)} tokens of 100,000 is ${String(expected)}`, () => {
        assert.equal(
          new ContextUsage({ usedTokens, budgetTokens: 100_000, summarizedSegments: 0 }).severity(),
          expected,
        );
      });
    };
    check(0, 0);
    check(69_500, 0);
    check(69_999, 0);
    check(70_000, 1);
    check(90_000, 1);
    check(90_001, 2);
    check(130_000, 2);
  });

  it("returns the exact percentage", () => {
    assert.equal(new ContextUsage({ usedTokens: 1, budgetTokens: 8, summarizedSegments: 0 }).percentage(), 12.5);
  });
});

describe("§10 estimateUsage, from the provider's last report,", () => {
  const request = (prose: number): CountedRequest => ({
    content: { ...NO_CONTENT, prose },
    messages: 0,
    fixedTokens: 0,
  });
  /** `learned`: billed tokens per counted one, from a reply for 10,000 tokens. */
  const check = (
    title: string,
    input: { now: number; last?: readonly [counted: number, reported: number]; learned?: number; model?: string },
    expected: UsageEstimate,
  ): void => {
    it(title, () => {
      const { now, last, learned, model = "some-model" } = input;
      const calibrator = new UsageCalibrations().of(modelId(model));
      if (learned !== undefined) calibrator.learn(request(10_000), 10_000 * learned);
      const measurement = last && { counted: request(last[0]), reportedTokens: last[1] };
      assert.deepEqual(estimateUsage(request(now), calibrator, measurement), expected);
    });
  };
  const exact = "gpt-4o";
  check("is the counted size without a report", { now: 1_000 }, { usedTokens: 1_000, plusMinusTokens: 413 });
  check(
    "is exact when the counting formula is known",
    { now: 1_000, model: exact },
    { usedTokens: 1_000, plusMinusTokens: 0 },
  );
  check(
    "is the reported size without a change",
    { now: 1_000, last: [1_000, 1_300] },
    { usedTokens: 1_300, plusMinusTokens: 0 },
  );
  check(
    "adds new content as counted, with an error margin",
    { now: 1_200, last: [1_000, 1_300] },
    { usedTokens: 1_500, plusMinusTokens: 83 },
  );
  check(
    "adds new content at the learned ratio, with a smaller error margin",
    { now: 1_200, last: [1_000, 1_300], learned: 1.3 },
    { usedTokens: 1_560, plusMinusTokens: 76 },
  );
  check(
    "is the learned ratio of the counted size without a report",
    { now: 1_000, learned: 1.3 },
    { usedTokens: 1_299, plusMinusTokens: 380 },
  );
  check(
    "subtracts removed content in proportion",
    { now: 500, last: [1_000, 1_300], model: exact },
    { usedTokens: 650, plusMinusTokens: 0 },
  );
  check("is never negative", { now: 0, last: [1_000, 0] }, { usedTokens: 0, plusMinusTokens: 0 });
});

describe("§10 ContextManager.usage", () => {
  const overhead = {
    systemPrompt: "Be brief.",
    systemTokens: counts(96),
    tools: [{ name: "read", description: "", inputSchemaJson: "{}" }],
    toolsTokens: counts(196),
  };

  it("divides the tokens by their use", () => {
    const conversation = new TestConversation({ overhead }).play("8*96/96 S0-7:100 pin8");
    const { usedTokens, budgetTokens, summarizedSegments, parts, reservedTokens, isMeasured } =
      conversation.manager.usage();
    assert.deepEqual(
      { usedTokens, budgetTokens, summarizedSegments, parts, reservedTokens, isMeasured },
      {
        usedTokens: 1_228,
        budgetTokens: 3_892,
        summarizedSegments: 1,
        parts: { system: 100, tools: 200, priming: 0, pins: 100, summaries: 128, recalled: 0, recent: 400, older: 300 },
        reservedTokens: 4_300,
        isMeasured: false,
      },
    );
  });

  it("L3 gives the tools their own share of a bill, and nothing where a bill shows that they were dropped", () => {
    const partsAfter = (...bills: readonly number[]) => {
      const conversation = new TestConversation({
        overhead: { ...overhead, toolsTokens: counts(1_596) },
        calibrations: new UsageCalibrations(),
      }).play("96/96");
      for (const inputTokens of bills) {
        conversation.ready();
        conversation.manager.recordReportedUsage({ inputTokens });
      }
      return conversation.manager.usage().parts;
    };
    const none = { priming: 0, pins: 0, summaries: 0, recalled: 0, older: 0 };
    assert.deepEqual(partsAfter(), { ...none, system: 100, tools: 1_600, recent: 200 });
    assert.deepEqual(partsAfter(1_100), { ...none, system: 100, tools: 800, recent: 200 });
    assert.deepEqual(partsAfter(1_100, 1_400), { ...none, system: 200, tools: 800, recent: 400 });
    assert.deepEqual(partsAfter(270), { ...none, system: 90, tools: 0, recent: 180 });
  });

  it("uses the provider's figure until the next cut", () => {
    const conversation = new TestConversation({ overhead }).play("4*96/96");
    conversation.ready();
    conversation.manager.recordReportedUsage({ inputTokens: 1_650 });
    const first = conversation.manager.usage();
    assert.ok(first.parts !== undefined);
    const { system, tools, priming, pins, summaries, recalled, recent, older } = first.parts;
    const sum = system + tools + priming + pins + summaries + recalled + recent + older;
    assert.deepEqual([first.usedTokens, first.isMeasured, sum], [1_650, true, 1_650]);
    conversation.play("u96");
    // The 750 tokens beyond 900 of text are the tools', so text is billed as counted and 100 more are 100 more.
    assert.deepEqual([conversation.manager.usage().usedTokens, conversation.manager.usage().isMeasured], [1_750, true]);
    conversation.play("S0-3:100");
    // 750 for tools, 100 for instructions, 128 for the summary, 500 for five messages.
    assert.deepEqual(
      [conversation.manager.usage().usedTokens, conversation.manager.usage().isMeasured],
      [1_478, false],
    );
  });

  it("learns per content class, for all conversations, and reduces the error margin", () => {
    const calibrations = new UsageCalibrations();
    const data = textMessage("user", "[12,34,56],".repeat(40));
    const talk = (): TestConversation => {
      const conversation = new TestConversation({ model: "claude-odd", calibrations });
      conversation.add(data, 1_000);
      return conversation;
    };
    const before = talk().manager.usage();
    assert.deepEqual([before.usedTokens, before.isMeasured], [1_408, false]);
    for (let reply = 0; reply < 12; reply++) {
      const conversation = talk();
      conversation.ready();
      conversation.manager.recordReportedUsage({ inputTokens: 1_100 });
      const { usedTokens, isMeasured, plusMinusTokens } = conversation.manager.usage();
      assert.deepEqual([usedTokens, isMeasured, plusMinusTokens], [1_100, true, 0]);
    }
    const after = talk().manager.usage();
    assert.ok(Math.abs(after.usedTokens - 1_100) < 15 && !after.isMeasured, String(after.usedTokens));
    assert.ok(after.plusMinusTokens < before.plusMinusTokens / 2, String(after.plusMinusTokens));
    const prose = new TestConversation({ model: "claude-odd", calibrations }).play("u1000").manager.usage();
    assert.ok(Math.abs(prose.usedTokens - 1_408) < 15, "what was learned of data says little about prose");
  });

  it("plans by the provider's figure", () => {
    const conversation = new TestConversation().play("6*200/200");
    conversation.ready();
    assert.equal(conversation.manager.compactionStage(), "none");
    conversation.manager.recordReportedUsage({ inputTokens: 3_300 });
    assert.equal(conversation.manager.compactionStage(), "apply");
    assert.notEqual(conversation.manager.planCompaction("threshold"), undefined);
  });

  it("estimates per content class also when the request does not fit", () => {
    const calibrations = new UsageCalibrations();
    const some = modelId("small");
    const request = (content: Partial<ClassCounts>): CountedRequest => {
      return { content: { ...NO_CONTENT, ...content }, messages: 0, fixedTokens: 0 };
    };
    calibrations.learn(some, request({ data: 10_000 }), 14_000);
    const conversation = new TestConversation({ calibrations }).play("8*96/96 S0-3:100");
    conversation.add(textMessage("user", "[12,34,56],".repeat(40)), 2_996);
    const { kind, usage } = conversation.manager.usageStatus();
    const expected = calibrations.of(some).predict(request({ prose: 128 + 1_200, data: 3_000 })).tokens;
    assert.deepEqual([kind, usage.usedTokens], ["needsSummarization", expected]);
    assert.ok(expected > 1_328 + 1.39 * 3_000);
  });

  it("tells whether the next request fits", () => {
    const kinds = ["2*50/50", "12*200/200", `u10 t20:${Array<number>(100).fill(60).join(",")}`].map((script) => {
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
