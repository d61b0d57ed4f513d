import assert from "node:assert/strict";
import fc from "fast-check";
import type { MessageRange } from "../../../../src/core/history/summaries/summary.ts";
import { TEST_MODELS, TestConversation } from "../../../support/session/conversation.ts";
import { operations, perform, type Operation } from "../../../support/storage/randomOperations.ts";

const strategies = fc.constantFrom(
  ...(["pipeline", "toolCalls", "threshold", "goalBatch", "sandwich", "archive", "tree"] as const),
);
/** A turn too long for one summary, with summaries of parts of it and little text between them. */
const LONG_TURN: readonly Operation[] = [
  { kind: "turns", count: 2, question: 1, answer: 1 },
  { kind: "attach", tokens: 1 },
  { kind: "turns", count: 6, question: 1, answer: 1 },
  { kind: "toolBatch", results: [1, 107, 51] },
  { kind: "toolBatch", results: [1, 1, 1] },
  { kind: "toolBatch", results: [1] },
  { kind: "answer", tokens: 167 },
  { kind: "compact", trigger: "manual", percent: 20 },
  { kind: "toolBatch", results: [4415] },
  { kind: "toolBatch", results: [624, 2814] },
  { kind: "toolBatch", results: [6299, 700, 58] },
  { kind: "toolBatch", results: [3936, 141, 695] },
  { kind: "turns", count: 2, question: 1, answer: 1 },
  { kind: "summarize", start: 26, length: 2, percent: 31 },
];
const RUNS = { numRuns: 1_000, seed: 20_261_121 };
/** A strategy that summarizes automatically, unlike some others. */
const SUMMARIZES: Operation = { kind: "strategy", name: "pipeline" };

describe("§6 a compaction after any operations", function () {
  this.timeout(120_000);

  const hostile = fc.array(fc.constantFrom("empty", "long", "same", "good", "short"), { minLength: 1, maxLength: 6 });

  it("fits after one plan, however bad the summaries are", () => {
    fc.assert(
      fc.property(operations, fc.constantFrom(...Object.keys(TEST_MODELS)), hostile, (all, model, answers) => {
        const conversation = new TestConversation();
        for (const operation of [...all, SUMMARIZES]) perform(operation, conversation);
        conversation.switchTo(model);
        if (conversation.manager.prepare().kind === "tooLarge") return;
        let call = 0;
        const planned = (conversation.manager.planCompaction("overflow")?.steps ?? []).flatMap(({ spans }) => spans);
        conversation.compactWith("overflow", (pending) => {
          const answer = answers[call++ % answers.length];
          const size = {
            empty: 0,
            long: pending.sourceTokens * 3,
            same: pending.sourceTokens,
            good: pending.targetTokens,
            short: 1,
          };
          return size[answer ?? "empty"];
        });
        assert.equal(conversation.manager.prepare().kind, "ready");
        assert.ok(call <= planned.length, "no more calls than the plan has summaries");
      }),
      RUNS,
    );
  });

  it("fits after one plan, whatever the ratio of billed to counted tokens", () => {
    let compacted = 0;
    fc.assert(
      fc.property(
        operations,
        fc.constantFrom("tiny", "small"),
        fc.integer({ min: 50, max: 250 }),
        (all, model, percent) => {
          const conversation = new TestConversation({ model });
          for (const operation of [...all, SUMMARIZES]) {
            perform(operation, conversation);
            const prepared = conversation.manager.prepare();
            if (prepared.kind !== "ready") continue;
            const counted = prepared.context.segments.reduce((sum, { tokens }) => sum + tokens, 0);
            conversation.manager.recordReportedUsage({ inputTokens: Math.round((counted * percent) / 100) });
          }
          if (conversation.manager.prepare().kind !== "summarizationNeeded") return;
          conversation.compact("overflow");
          assert.equal(conversation.manager.prepare().kind, "ready");
          compacted++;
        },
      ),
      RUNS,
    );
    assert.ok(compacted > 100, String(compacted));
  });

  it("reads every message that its summaries cover, including those sent as originals", () => {
    fc.assert(
      fc.property(operations, fc.constantFrom(...Object.keys(TEST_MODELS)), (all, model) => {
        const conversation = new TestConversation();
        for (const operation of [...all, SUMMARIZES]) perform(operation, conversation);
        conversation.switchTo(model);
        const { history } = conversation.manager;
        conversation.compactWith("overflow", ({ covers, sources, targetTokens }) => {
          const read = new Set<number>();
          const readAll = ({ start, end }: MessageRange): void => {
            for (let id: number = start; id < end; id++) read.add(id);
          };
          for (const source of sources) {
            if (source.kind === "message") read.add(source.id);
            else readAll(history.summary(source.id).covers);
          }
          const unread = history.entries
            .slice(covers.start, covers.end)
            .filter((entry) => history.isVisible(entry) && !read.has(entry.id));
          assert.deepEqual(unread, []);
          return targetTokens;
        });
      }),
      RUNS,
    );
  });

  it("plans nothing when repeated without a change", () => {
    const triggers = fc.constantFrom("manual" as const, "overflow" as const, "threshold" as const);
    fc.assert(
      fc.property(operations, triggers, strategies, (all, trigger, strategy) => {
        const conversation = new TestConversation({ settings: { strategy } });
        for (const operation of all) perform(operation, conversation);
        conversation.compact(trigger);
        assert.equal(conversation.manager.planCompaction(trigger), undefined);
      }),
      { ...RUNS, examples: [[LONG_TURN, "manual", "pipeline"]] },
    );
  });

  it("only appends to the request with new messages below 60 %", () => {
    fc.assert(
      fc.property(
        operations,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        (all, talk) => {
          const conversation = new TestConversation({ model: "large" });
          for (const operation of [...all, SUMMARIZES]) perform(operation, conversation);
          if (conversation.manager.usage().percentage() > 60) return;
          const before = conversation.sent();
          for (const tokens of talk) {
            conversation.say("user", tokens);
            assert.ok(conversation.sent().startsWith(before));
          }
        },
      ),
      RUNS,
    );
  });
});
