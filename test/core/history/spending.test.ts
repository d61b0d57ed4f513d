import assert from "node:assert/strict";
import { forkOf } from "../../../src/core/history/fork.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import type { CompactionReceipt, UsageRecord } from "../../../src/core/history/records.ts";
import { messageId, modelId, summaryId } from "../../../src/core/ids.ts";
import { range, TestConversation } from "../../support/session/conversation.ts";
import { contentsOf, documentOf, loaded, richConversation } from "../../support/session/savedConversations.ts";
import { forkedRecords } from "../../support/storage/memoryStore.ts";

const ORIGIN = { conversation: "here", title: "", message: 16 };

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

function forkAfter(last: number, { manager, records }: TestConversation): TestConversation {
  const fork = new TestConversation();
  for (const record of forkedRecords(records, forkOf(manager.history, messageId(last), ORIGIN, 1))) fork.store(record);
  return fork;
}

describe("spending of a conversation", () => {
  it("adds up the cost of answers and of summarization", () => {
    const history = new FullHistory();
    const { costUsd, ...unknown } = BILL;
    assert.equal(costUsd, 0.25);
    for (const record of [BILL, BILL, { ...unknown, message: messageId(3) }]) history.apply(record);
    history.apply({ kind: "receipt", receipt: RECEIPT });
    history.apply({ kind: "receipt", receipt: { ...RECEIPT, calls: 0 } });
    const { spending, revision } = history;
    assert.deepEqual(spending.total, {
      usd: 1,
      unpricedRequests: 1,
      inputTokens: 3_300,
      outputTokens: 180,
      cacheReadTokens: 2_400,
    });
    assert.deepEqual(spending.of(messageId(1))?.usd, 0.5);
    assert.deepEqual(spending.of(messageId(3)), {
      usd: 0,
      unpricedRequests: 1,
      inputTokens: 1_000,
      outputTokens: 50,
      cacheReadTokens: 800,
    });
    assert.equal(spending.of(messageId(5)), undefined);
    assert.equal(revision, 0, "a bill changes nothing that is sent");
    const copy = history.copy();
    assert.deepEqual([copy.spending.total, copy.spending.receipts.length], [spending.total, 2]);
    copy.apply(BILL);
    assert.equal(spending.total.usd, 1, "a copy goes its own way");
  });

  it("shows the copied costs in a fork, but counts them only in the origin", async () => {
    const rich = richConversation();
    const { history } = rich.manager;
    const fork = forkAfter(16, rich).manager.history;
    const copied = loaded(await documentOf(fork, contentsOf(rich))).manager.history;
    for (const { spending } of [fork, copied]) {
      assert.deepEqual(spending.receipts, [{ ...history.spending.receipts[0], inOrigin: true }]);
      assert.deepEqual(spending.of(messageId(16)), history.spending.of(messageId(16)));
      assert.equal(spending.records.length, 1);
      assert.deepEqual(spending.total, new FullHistory().spending.total);
    }
    copied.apply({ ...BILL, message: messageId(17) });
    assert.equal(copied.spending.total.usd, 0.25);
    const short = forkAfter(3, rich).manager.history;
    assert.deepEqual([short.spending.receipts, short.spending.records], [[], []]);
  });

  it("keeps the receipts of copied summaries in a fork, under their new ids", () => {
    const conversation = new TestConversation().play("10*90/90 S0-9:100 S0-3:50");
    const receipt = { ...RECEIPT, summaries: [summaryId(0), summaryId(1)], span: range(0, 10) };
    conversation.store({ kind: "receipt", receipt });
    const { summaries, spending } = forkAfter(5, conversation).manager.history;
    assert.deepEqual(
      [summaries.length, spending.receipts[0]?.summaries, spending.receipts[0]?.span],
      [1, [summaryId(0)], range(0, 6)],
    );
  });
});
