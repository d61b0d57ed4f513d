import assert from "node:assert/strict";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { CompactionReceipt, UsageRecord } from "../../../src/core/history/records.ts";
import { messageId, modelId } from "../../../src/core/ids.ts";

const BILL: UsageRecord = {
  kind: "usage",
  message: messageId(1),
  model: modelId("m"),
  inputTokens: 1_000,
  outputTokens: 50,
  cacheReadTokens: 800,
  cacheWriteTokens: 0,
  costUsd: 0.25,
  atMs: 1,
};
const RECEIPT: CompactionReceipt = {
  summaries: [],
  span: { start: messageId(0), end: messageId(1) },
  strategy: "threshold",
  trigger: "manual",
  tokensBefore: 10,
  tokensAfter: 5,
  billedInputTokens: 300,
  billedOutputTokens: 30,
  model: "m",
  calls: 2,
  costUsd: 0.5,
  durationMs: 1,
  factsKept: 0,
  factsTotal: 0,
  atMs: 2,
};

describe("what a conversation has cost", () => {
  it("is the sum of its answers and of the making of its summaries", () => {
    const history = new FullHistory();
    const { costUsd, ...unknown } = BILL;
    assert.equal(costUsd, 0.25);
    for (const record of [BILL, BILL, { ...unknown, message: messageId(3) }]) history.apply(record);
    history.apply({ kind: "receipt", receipt: RECEIPT });
    history.apply({ kind: "receipt", receipt: { ...RECEIPT, calls: 0 } });
    const { spending, revision } = history;
    assert.deepEqual(spending.total, {
      usd: 1,
      unknownCount: 1,
      inputTokens: 3_300,
      outputTokens: 180,
      cacheReadTokens: 2_400,
    });
    assert.deepEqual(spending.of(messageId(1))?.usd, 0.5);
    assert.deepEqual(spending.of(messageId(3)), {
      usd: 0,
      unknownCount: 1,
      inputTokens: 1_000,
      outputTokens: 50,
      cacheReadTokens: 800,
    });
    assert.equal(spending.of(messageId(5)), undefined);
    assert.equal(revision, 0, "a bill changes nothing that is sent");
    const copy = history.copy();
    assert.deepEqual([copy.spending.total, copy.receipts.length], [spending.total, 2]);
    copy.apply(BILL);
    assert.equal(spending.total.usd, 1, "a copy goes its own way");
  });
});
