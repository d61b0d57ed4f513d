import type { MessageRecord } from "../../../src/core/history/records.ts";
import assert from "node:assert/strict";
import type { StorageFailed } from "../../../src/core/errors.ts";
import { messageId, modelId, toolCallId } from "../../../src/core/ids.ts";
import { recoverAnswers } from "../../../src/core/journal/recoverAnswers.ts";
import { NOT_STARTED_TEXT, recoverToolBatches, resultsOf, UNKNOWN_TEXT } from "../../../src/core/journal/toolBatch.ts";
import { ToolJournal } from "../../../src/core/journal/toolJournal.ts";
import type { Message } from "../../../src/core/message.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { MemoryStore, memoryDisk, type MemoryDisk } from "../../support/storage/memoryStore.ts";
import { addRow, messageRecord, step } from "../../support/storage/storeBuilders.ts";

const clock: Clock = { nowMs: () => 5, after: () => () => undefined };
const [a, b, c] = [toolCallId("a"), toolCallId("b"), toolCallId("c")];
const assistant: Message = {
  role: "assistant",
  parts: [
    { kind: "thinking", text: "hm", signature: "s" },
    { kind: "text", text: "I look." },
    { kind: "toolCall", callId: a, name: "read", inputJson: '{"p":1}' },
    { kind: "toolCall", callId: b, name: "read", inputJson: "{}" },
    { kind: "toolCall", callId: c, name: "write", inputJson: "{}" },
  ],
};
const start = { batchId: step(9), model: modelId("m"), asked: messageId(2) };
const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };

function recordsOf(journal: ToolJournal) {
  assert.ok(journal.batch);
  const [first, second] = [messageRecord(0), messageRecord(1)];
  return [
    { ...first, message: journal.batch.assistant },
    { ...second, message: resultsOf(journal.batch) },
  ] as const;
}

describe("ToolJournal", () => {
  let disk: MemoryDisk;
  let journal: ToolJournal;
  let store: MemoryStore;
  beforeEach(() => {
    disk = memoryDisk();
    store = new MemoryStore(disk);
    journal = new ToolJournal(store, clock);
  });

  const commit = (message: MessageRecord, results: MessageRecord) =>
    journal.commitBatch(results.message, async (end, ended) => {
      const records = [message, results].map((record) => ({ kind: "record", record }) as const);
      const stored = await store.commit([...records, end]);
      if (stored.ok) ended();
      return stored;
    });

  it("distinguishes after a crash between calls not started, done and unknown", async () => {
    await store.commit([addRow(step(1), 0, '{"model":"m","asked":2}', "begin"), addRow(step(1), 1, "{}", "done")]);
    assert.ok((await journal.beginBatch({ ...start, assistant, from: step(1) })).ok);
    await journal.recordRunStart(a);
    const problem = { severity: "error", path: "a.ts", line: 3, column: 5, message: "No b." } as const;
    const problems = { listed: [problem], more: 0 };
    await journal.recordResult({ callId: a, outcome: "ok", text: "found \0", problems });
    await journal.recordRunStart(b);
    const left = new MemoryStore(disk).shape.journal;
    assert.deepEqual(recoverAnswers(left), [], "the streamed step went with the batch's beginning");
    const [batch] = recoverToolBatches(left);
    assert.ok(batch);
    assert.deepEqual(batch, journal.batch);
    assert.deepEqual([batch.assistant, batch.from, batch.asked], [assistant, step(1), 2]);
    assert.deepEqual(
      batch.calls.map(({ callId, state }) => [callId, state]),
      [
        [a, "done"],
        [b, "unknown"],
        [c, "notStarted"],
      ],
    );
    assert.deepEqual(resultsOf(batch), {
      role: "user",
      parts: [
        { kind: "toolResult", callId: a, outcome: "ok", text: "found \0", problems },
        { kind: "toolResult", callId: b, outcome: "interrupted", text: UNKNOWN_TEXT },
        { kind: "toolResult", callId: c, outcome: "interrupted", text: NOT_STARTED_TEXT },
      ],
    });
  });

  it("resumes a batch after a crash without running a call twice", async () => {
    await journal.beginBatch({ ...start, assistant });
    await journal.recordRunStart(a);
    const later = new ToolJournal(store, clock);
    later.resumeBatch(step(9), disk.journal);
    assert.throws(() => later.recordRunStart(a), /notStarted, not unknown/);
    assert.ok((await later.recordResult({ callId: a, outcome: "error", text: "no" })).ok);
    assert.throws(() => later.recordResult({ callId: a, outcome: "ok", text: "yes" }), /one result/);
    assert.deepEqual(recoverToolBatches(disk.journal)[0], later.batch);
  });

  it("commits the message and its results together, with a result for every call", async () => {
    await journal.beginBatch({ ...start, assistant });
    const [first, second] = recordsOf(journal);
    const missing = { ...second, message: { ...second.message, parts: second.message.parts.slice(1) } };
    await assert.rejects(commit(first, missing), /every call/);
    store.failNext = diskFull;
    assert.deepEqual(await commit(first, second), { ok: false, error: diskFull });
    assert.deepEqual([disk.records.length, disk.journal.length], [0, 1]);
    assert.ok((await commit(first, second)).ok);
    assert.deepEqual([disk.records.length, disk.journal.length, journal.batch], [2, 0, undefined]);
  });

  it("allows one open batch at a time", async () => {
    await journal.beginBatch({ ...start, assistant });
    await assert.rejects(journal.beginBatch({ ...start, assistant, batchId: step(8) }), /one batch/);
    const [first, second] = recordsOf(journal);
    await commit(first, second);
    assert.deepEqual(disk.journal, []);
    assert.ok((await journal.beginBatch({ ...start, assistant, batchId: step(8) })).ok);
  });

  it("records nothing after a row that failed to be stored", async () => {
    await journal.beginBatch({ ...start, assistant });
    store.failNext = diskFull;
    assert.deepEqual(await journal.recordRunStart(a), { ok: false, error: diskFull });
    assert.deepEqual(await journal.recordRunStart(b), { ok: false, error: diskFull });
    assert.equal(disk.journal.length, 1);
  });

  it("recreates the durable part of a batch under a new id after a failure", async () => {
    await journal.beginBatch({ ...start, assistant, from: step(1) });
    await journal.recordRunStart(a);
    await journal.recordResult({ callId: a, outcome: "ok", text: "found", title: "Read", durationMs: 3 });
    store.failNext = diskFull;
    assert.equal((await journal.recordRunStart(b)).ok, false);
    const before = journal.batch;
    assert.ok((await journal.recreateBatch(step(7))).ok);
    assert.deepEqual(journal.batch, { ...before, batchId: step(7) });
    assert.ok((await journal.recordRunStart(b)).ok);
    assert.deepEqual(new Set(disk.journal.map(({ stepId }) => stepId)), new Set([step(7)]));
    assert.deepEqual(recoverToolBatches(disk.journal), [journal.batch]);
    assert.deepEqual(
      journal.batch.calls.map(({ state }) => state),
      ["done", "unknown", "notStarted"],
    );
  });

  it("omits a batch without its first row", () => {
    const rows = [addRow(step(9), 1, "{}", "batchRun")].flatMap((write) =>
      write.kind === "journalRow" ? [write.row] : [],
    );
    assert.deepEqual(recoverToolBatches(rows), []);
    assert.deepEqual(recoverAnswers(rows), []);
  });
});
