import assert from "node:assert/strict";
import type { CompactionReceipt, NotesReport } from "../../../../src/core/history/records.ts";
import { messageId, modelId } from "../../../../src/core/ids.ts";
import { SummarizerRecord } from "../../../../src/core/summary/quality/summarizerRecord.ts";

const MODEL = modelId("small");

function receipt(trigger: CompactionReceipt["trigger"], ...notes: readonly NotesReport[]): CompactionReceipt {
  return {
    ...{ summaries: [], span: { start: messageId(0), end: messageId(1) }, strategy: "threshold", trigger },
    ...{ tokensBefore: 2, tokensAfter: 1, model: MODEL, calls: 1, durationMs: 1, factsKept: 0, factsTotal: 0, atMs: 1 },
    notes,
  };
}

function report(answers: number, refused: number): NotesReport {
  return { model: MODEL, answers, refused, ...(refused > 0 ? { why: "repeats" } : {}), lengthPercent: 150 };
}

describe("what was learned of a summarizer", () => {
  const check = (title: string, receipts: readonly CompactionReceipt[], expected: unknown): void => {
    it(title, () => {
      const { isStopped, refused, why } = SummarizerRecord.of(receipts, MODEL);
      assert.deepEqual({ isStopped, refused, why }, expected);
    });
  };
  check("nothing at first", [], { isStopped: false, refused: 0, why: undefined });
  check("one answer of no use", [receipt("threshold", report(2, 1))], { isStopped: false, refused: 1, why: "repeats" });
  check("L5 two of them stop it", [receipt("threshold", report(1, 1)), receipt("overflow", report(1, 1))], {
    isStopped: true,
    refused: 2,
    why: "repeats",
  });
  check("L5 two in thirty do not", [receipt("threshold", report(28, 0), report(2, 2))], {
    isStopped: false,
    refused: 2,
    why: "repeats",
  });
  check("an order of the user is their word", [receipt("threshold", report(2, 2)), receipt("manual", report(1, 0))], {
    isStopped: false,
    refused: 0,
    why: "repeats",
  });
  check("another model's answers are not counted", [receipt("threshold", { ...report(2, 2), model: modelId("b") })], {
    isStopped: false,
    refused: 0,
    why: undefined,
  });

  it("asks a model that writes too much for less", () => {
    const record = new SummarizerRecord();
    record.note(undefined, 250, 100);
    assert.equal(record.askedTokens(500), 200);
    record.note("tooLong", 100, 200);
    assert.equal(record.askedTokens(500), 285);
    record.note("repeats", 9_000, 200);
    assert.equal(record.askedTokens(500), 285, "a loop tells nothing about length");
  });

  it("learns from parts that are written side by side as if they had been written in order", () => {
    const together = new SummarizerRecord();
    const inOrder = new SummarizerRecord();
    const parts = [together.fork(true), together.fork(false)] as const;
    parts[1].note("repeats", 100, 100); // ends first
    parts[0].note(undefined, 250, 100);
    parts[0].noteUnused("tellsLess", 1);
    together.join(parts[0], true);
    together.join(parts[1], false);
    inOrder.note(undefined, 250, 100);
    inOrder.noteUnused("tellsLess", 1);
    inOrder.note("repeats", 100, 100);
    const before = { answers: 0, refused: 0 };
    assert.deepEqual(together.since(before, MODEL), inOrder.since(before, MODEL));
    assert.equal(together.askedTokens(500), inOrder.askedTokens(500));
  });

  it("lets only the first of the parts ask a second time", () => {
    const record = new SummarizerRecord();
    const [first, second] = [record.fork(true), record.fork(false)];
    assert.deepEqual([second.takeSecondQuestion(), first.takeSecondQuestion()], [false, true]);
    record.join(second, false);
    record.join(first, true);
    assert.equal(record.takeSecondQuestion(), false);
  });

  it("asks a second time once", () => {
    const record = new SummarizerRecord();
    assert.deepEqual([record.takeSecondQuestion(), record.takeSecondQuestion()], [true, false]);
  });

  it("counts every answer that notes were made of when they are left out", () => {
    const record = new SummarizerRecord();
    for (let part = 0; part < 3; part++) record.note(undefined, 100, 100);
    record.noteUnused("tellsLess", 3);
    record.noteUnused("tooLong", 1);
    assert.deepEqual([record.refused, record.why, record.isStopped], [3, "tooLong", true], "no more than were given");
  });

  it("reports what happened since, and goes on from the report", () => {
    const record = new SummarizerRecord();
    record.note(undefined, 100, 100);
    const before = record.tally;
    record.note("invents", 100, 100);
    record.note(undefined, 100, 100);
    record.noteUnused("tellsLess", 1);
    const report = record.since(before, MODEL);
    assert.deepEqual(report, { model: MODEL, answers: 2, refused: 2, why: "tellsLess", lengthPercent: 100 });
    assert.equal(record.since(record.tally, MODEL), undefined);
  });
});
