import assert from "node:assert/strict";
import fc from "fast-check";
import type { StorageFailed } from "../../../src/core/errors.ts";
import { messageId, modelId, toolCallId } from "../../../src/core/ids.ts";
import { recoverAnswers, type RecoverableAnswer } from "../../../src/core/journal/recoverAnswers.ts";
import { StreamJournal } from "../../../src/core/journal/streamJournal.ts";
import type { Part } from "../../../src/core/message.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { StreamEvent } from "../../../src/core/stream/streamEvent.ts";
import { MemoryStore, memoryDisk } from "../../support/storage/memoryStore.ts";
import { addMessage, step } from "../../support/storage/storeBuilders.ts";

const clock: Clock = { nowMs: () => 2_000, after: () => () => undefined };
const start = { stepId: step(1), model: modelId("m"), asked: messageId(4), startedAtMs: 1_000 };
const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "full" };
const call = toolCallId("call_1");
const base: Omit<RecoverableAnswer, keyof Ending> = {
  stepId: step(1),
  model: modelId("m"),
  asked: messageId(4),
  startedAtMs: 1_000,
  lastAtMs: 2_000,
};

type Ending = Pick<RecoverableAnswer, "kind" | "message" | "error" | "stopReason">;
const everything: readonly StreamEvent[] = [
  { kind: "thinking", text: "hm" },
  { kind: "thinking", text: "m" },
  { kind: "thinkingSignature", signature: "sig" },
  { kind: "ping" },
  { kind: "text", text: "Hel\ud83d" },
  { kind: "text", text: "\ude00lo" },
  { kind: "toolCallStart", callId: call, name: "read" },
  { kind: "toolCallArgs", callId: call, json: '{"a"' },
  { kind: "toolCallArgs", callId: call, json: ":1}" },
  { kind: "text", text: "after" },
];
const everythingParts: readonly Part[] = [
  { kind: "thinking", text: "hmm", signature: "sig" },
  { kind: "text", text: "Hel😀lo" },
  { kind: "toolCall", callId: call, name: "read", inputJson: '{"a":1}' },
  { kind: "text", text: "after" },
];

describe("StreamJournal", () => {
  const cases: readonly [name: string, events: readonly StreamEvent[], expected: Ending][] = [
    ["no events", [], { kind: "incomplete", message: { role: "assistant", parts: [] } }],
    ["all kinds of pieces", everything, { kind: "incomplete", message: { role: "assistant", parts: everythingParts } }],
    [
      "a completed answer",
      [...everything, { kind: "done", stopReason: "toolUse" }],
      { kind: "complete", stopReason: "toolUse", message: { role: "assistant", parts: everythingParts } },
    ],
    [
      "a failed answer",
      [
        { kind: "text", text: "half" },
        { kind: "failed", error: diskFull },
      ],
      { kind: "errored", error: diskFull, message: { role: "assistant", parts: [{ kind: "text", text: "half" }] } },
    ],
  ];
  for (const [name, events, expected] of cases) {
    it(`recovers ${name} as the running process would`, async () => {
      const disk = memoryDisk();
      const store = new MemoryStore(disk);
      const journals = new StreamJournal(store, clock);
      const begun = await journals.beginSession(start);
      assert.ok(begun.ok);
      for (const event of events) assert.ok((await begun.value.append([event])).ok);
      const leftover = { ...base, ...expected, lastAtMs: events.length === 0 ? 1_000 : 2_000 };
      assert.deepEqual(recoverAnswers(new MemoryStore(disk).shape.journal), [leftover]);
      assert.equal(journals.recoverableAnswer(step(1)), undefined, "while it is active");
      assert.deepEqual(begun.value.seal(), expected.message);
      assert.deepEqual(journals.recoverableAnswer(step(1)), leftover);
    });
  }

  it("recovers the same message however the events are split into appends", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { minLength: 1 }), async (sizes) => {
        const disk = memoryDisk();
        const begun = await new StreamJournal(new MemoryStore(disk), clock).beginSession(start);
        assert.ok(begun.ok);
        const left = [...everything];
        for (let turn = 0; left.length > 0; turn++) {
          await begun.value.append(left.splice(0, 1 + (sizes[turn % sizes.length] ?? 0)));
        }
        const [leftover] = recoverAnswers(disk.journal);
        assert.deepEqual(leftover?.message.parts, everythingParts);
      }),
      { seed: 7, numRuns: 50 },
    );
  });

  it("streams one step at a time", async () => {
    const journals = new StreamJournal(new MemoryStore(), clock);
    const first = await journals.beginSession(start);
    assert.ok(first.ok);
    await assert.rejects(journals.beginSession({ ...start, stepId: step(2) }), /one step/);
    first.value.seal();
    assert.throws(() => first.value.append([{ kind: "text", text: "late" }]), /sealed/);
    assert.ok((await journals.beginSession({ ...start, stepId: step(2) })).ok);
  });

  it("stores nothing after a piece that failed to be stored, and allows another step", async () => {
    const disk = memoryDisk();
    const store = new MemoryStore(disk);
    const journals = new StreamJournal(store, clock);
    const begun = await journals.beginSession(start);
    assert.ok(begun.ok);
    await begun.value.append([{ kind: "text", text: "a" }]);
    store.failNext = diskFull;
    const [lost, behind] = await Promise.all([
      begun.value.append([{ kind: "text", text: "b" }]),
      begun.value.append([{ kind: "text", text: "c" }]),
    ]);
    assert.deepEqual(
      [lost, behind, await begun.value.append([{ kind: "text", text: "d" }])],
      Array(3).fill({ ok: false, error: diskFull }),
    );
    assert.deepEqual(begun.value.seal().parts, [{ kind: "text", text: "a" }]);
    assert.deepEqual(recoverAnswers(disk.journal), [journals.recoverableAnswer(step(1))]);
    assert.ok((await journals.beginSession({ ...start, stepId: step(2) })).ok);
  });

  it("forgets a step whose first row failed to be stored", async () => {
    const store = new MemoryStore();
    store.failNext = diskFull;
    const journals = new StreamJournal(store, clock);
    assert.deepEqual(await journals.beginSession(start), { ok: false, error: diskFull });
    assert.equal(journals.active, undefined);
    assert.equal(journals.recoverableAnswer(step(1)), undefined);
  });

  it("drops the rows when the message is committed or the step is discarded", async () => {
    const disk = memoryDisk();
    const store = new MemoryStore(disk);
    const journals = new StreamJournal(store, clock);
    const begun = await journals.beginSession(start);
    assert.ok(begun.ok);
    await begun.value.append([{ kind: "text", text: "a" }]);
    begun.value.seal();
    await store.commit([addMessage(0, "a", step(1)), { kind: "journalDrop", stepId: step(1) }]);
    assert.deepEqual(disk.journal, []);
    const second = await journals.beginSession({ ...start, stepId: step(2) });
    assert.ok(second.ok);
    assert.ok((await second.value.discard()).ok);
    assert.deepEqual(disk.journal, []);
  });
});

describe("recoverAnswers", () => {
  const row = (seq: number, eventType: "begin" | "text" | "done" | "toolCallStart", content: string, of = 1) =>
    ({ stepId: step(of), seq, eventType, content, createdAtMs: seq }) as const;
  const begin = (asked: number, of = 1) => row(0, "begin", JSON.stringify({ model: "m", asked }), of);
  const done = (seq: number) => row(seq, "done", '{"stopReason":"endTurn"}');

  const cases: readonly [name: string, rows: Parameters<typeof recoverAnswers>[0], expected: readonly unknown[]][] = [
    ["no rows", [], []],
    [
      "steps in the order of their questions",
      [begin(8, 1), begin(2, 2)],
      [
        [step(2), "incomplete", []],
        [step(1), "incomplete", []],
      ],
    ],
    ["rows in any order", [done(2), row(1, "text", "a"), begin(0)], [[step(1), "complete", ["a"]]]],
    ["a missing row", [begin(0), row(1, "text", "a"), row(3, "text", "c"), done(4)], [[step(1), "incomplete", ["ac"]]]],
    ["a missing beginning", [row(1, "text", "a"), done(2)], [[step(1), "incomplete", ["a"]]]],
    ["an unreadable beginning", [row(0, "begin", "{"), row(1, "text", "a")], [[step(1), "incomplete", ["a"]]]],
    ["an unreadable call", [begin(0), row(1, "toolCallStart", "null"), done(2)], [[step(1), "incomplete", []]]],
    ["an unreadable end", [begin(0), row(1, "text", "a"), row(2, "done", "?")], [[step(1), "incomplete", ["a"]]]],
  ];
  for (const [name, rows, expected] of cases) {
    it(`reads ${name}`, () => {
      const found = recoverAnswers(rows).map(({ stepId, kind, message }) => {
        return [stepId, kind, message.parts.map((part) => (part.kind === "text" ? part.text : part.kind))];
      });
      assert.deepEqual(found, expected);
    });
  }
});
