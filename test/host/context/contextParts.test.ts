import assert from "node:assert/strict";
import { summarizesFromPercent } from "../../../src/core/context/contextSettings.ts";
import { contextParts, shareText, type NextRequestFacts } from "../../../src/host/context/contextParts.ts";
import { receiptTotalsLines } from "../../../src/host/context/contextTotals.ts";
import { applyTrial, trialNote } from "../../../src/host/context/contextTrial.ts";
import type { CompactionReceipt } from "../../../src/core/history/records.ts";
import { modelId, summaryId } from "../../../src/core/ids.ts";
import { NO_OVERHEAD } from "../../../src/core/context/request/requestOverhead.ts";
import { counts, range, TestConversation } from "../../support/session/conversation.ts";

const around: NextRequestFacts = {
  instructionCount: 1,
  toolCount: 0,
  draftTokens: 40,
  summarizesAtPercent: 80,
  preserveRecent: 4,
};
const overhead = { ...NO_OVERHEAD, systemPrompt: "Be brief.", systemTokens: counts(100) };

function labelled(conversation: TestConversation, surroundings = around): readonly string[] {
  return contextParts(conversation.manager, surroundings).map(
    ({ kind, label, tokens }) => `${kind} ${String(tokens)}: ${label}`,
  );
}

describe("contextParts", () => {
  it("lists the parts in request order with their tokens, then the draft and the free space", () => {
    const conversation = new TestConversation({ model: "middle", overhead }).play("6*96/196");
    assert.deepEqual(labelled(conversation), [
      "system 104: Instructions",
      "older 1200: 8 earlier messages",
      "recent 600: 4 newest messages",
      "draft 40: What you are typing",
      "free 17056: Free; summarizing starts at 80%",
    ]);
  });

  for (const [strategy, percent, label] of [
    ["pipeline", 80, "Free; summarizing starts at 80%"],
    ["sandwich", 70, "Free; summarizing starts at 70%"],
    ["archive", 85, "Free; summarizing starts at 85%"],
    ["tree", 100, "Free; summarizing starts when nothing more fits"],
    ["slidingWindow", null, "Free; nothing is summarized automatically"],
    ["fullHistory", null, "Free; nothing is summarized automatically"],
  ] as const) {
    it(`says from when ${strategy} summarizes`, () => {
      const { manager } = new TestConversation({ settings: { strategy } });
      const summarizesAtPercent = summarizesFromPercent(manager.settings);
      assert.equal(summarizesAtPercent, percent);
      assert.equal(contextParts(manager, { ...around, summarizesAtPercent }).at(-1)?.label, label);
    });
  }

  it("adds up to the used tokens and to the budget, whatever the meter measured", () => {
    const conversation = new TestConversation({ model: "middle", overhead }).play("6*96/196");
    assert.equal(conversation.manager.prepare().kind, "ready");
    conversation.manager.recordReportedUsage({ inputTokens: 2_347 });
    const parts = contextParts(conversation.manager, around);
    const sum = (kinds: readonly string[]): number =>
      parts.reduce((total, { kind, tokens }) => (kinds.includes(kind) ? total + tokens : total), 0);
    assert.equal(sum(["system", "older", "recent"]), 2_347);
    assert.equal(sum(["system", "older", "recent", "draft", "free"]), conversation.manager.budgetTokens);
    for (const { kind, tokens, segments } of parts) {
      if (kind !== "older" && kind !== "recent") continue;
      assert.equal(
        segments.reduce((total, segment) => total + segment.tokens, 0),
        tokens,
        kind,
      );
    }
  });

  it("shows pins and summaries as separate parts", () => {
    const conversation = new TestConversation({ model: "small" }).play("10*96/196");
    conversation.pin(1);
    conversation.summarize(2, 12, 60);
    const parts = contextParts(conversation.manager, around);
    assert.deepEqual(
      parts.map(({ kind, label }) => `${kind}: ${label}`).filter((line) => !/^(draft|free)/.test(line)),
      [
        "pins: 1 pinned message",
        "summaries: 1 summary for 10 messages",
        "older: 5 earlier messages",
        "recent: 4 newest messages",
      ],
    );
  });

  it("shows a tiny share as less than 1%", () => {
    assert.deepEqual([shareText(1, 1_000), shareText(0, 1_000), shareText(435, 1_000)], ["<1%", "0%", "44%"]);
  });
});

describe("a trial of a model or strategy", () => {
  it("predicts the result and changes nothing", async () => {
    const conversation = new TestConversation({ model: "large" }).play("30*200/200");
    const { manager } = conversation;
    const before = [manager.revision, manager.model, manager.usage().formatCompact()];
    const provider = { name: "x", label: "X", stream: () => assert.fail(), listModels: () => assert.fail() };
    const connection = {
      providerName: "anthropic",
      provider,
      model: modelId("small"),
      isLanguageModel: true,
      why: "",
    } as const;
    const inTrial = await applyTrial(manager, { connection });
    assert.match(await trialNote(manager, inTrial), /^Will be summarized: 12k → [\d.]+k tokens, about 1 call\.$/);
    assert.equal(inTrial.model, "small");
    const window = await applyTrial(manager, { policy: "slidingWindow" });
    assert.equal(window.policy, "slidingWindow");
    assert.ok(window.usage().usedTokens < manager.usage().usedTokens);
    assert.deepEqual([manager.revision, manager.model, manager.usage().formatCompact()], before);
    assert.equal(await trialNote(manager, await applyTrial(manager, {})), "");
  });
});

describe("receiptTotalsLines", () => {
  const unpriced: CompactionReceipt = {
    summaries: [summaryId(0)],
    span: range(0, 4),
    strategy: "threshold",
    trigger: "threshold",
    tokensBefore: 61_000,
    tokensAfter: 24_000,
    billedInputTokens: 40_000,
    billedOutputTokens: 2_000,
    model: "gpt-6-luna",
    calls: 2,
    durationMs: 2_800,
    factsKept: 38,
    factsTotal: 38,
    atMs: 7,
  };
  const receipt = { ...unpriced, costUsd: 0.004 };
  const check = (title: string, receipts: readonly CompactionReceipt[], expected: readonly string[]): void => {
    it(title, () => {
      assert.deepEqual(receiptTotalsLines(receipts), expected);
    });
  };
  check("is empty while nothing was summarized", [], []);
  check("excludes summaries that the origin made before the fork", [{ ...receipt, inOrigin: true }], []);
  check(
    "adds up tokens, calls, cost and time",
    [receipt, receipt],
    ["Summarized 2 times: 74k tokens saved", "4 model calls, 84k tokens billed, $0.008, 5.6 s"],
  );
  check(
    "counts unknown prices",
    [receipt, unpriced],
    ["Summarized 2 times: 74k tokens saved", "4 model calls, 84k tokens billed, over $0.004, 1 price unknown, 5.6 s"],
  );
});
