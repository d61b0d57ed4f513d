import assert from "node:assert/strict";
import fc from "fast-check";
import type { MessageId } from "../../../src/core/ids.ts";
import type { PreparedContext } from "../../../src/core/context/preparedContext.ts";
import { TEST_MODELS, TestConversation } from "../../support/conversation.ts";
import { operations, perform, type Operation } from "../../support/randomOperations.ts";

const strategies = fc.constantFrom(
  ...(["pipeline", "toolCalls", "threshold", "goalBatch", "sandwich", "archive", "tree"] as const),
);
const RUNS = { numRuns: 1_000, seed: 20_261_121 };

describe("a context, whatever happens to its conversation", function () {
  this.timeout(120_000);

  const always = (title: string, holds: (conversation: TestConversation, done: readonly Operation[]) => void): void => {
    it(title, () => {
      fc.assert(
        fc.property(fc.constantFrom("tiny", "small", "middle"), operations, (model, all) => {
          const conversation = new TestConversation({ model });
          all.forEach((operation, index) => {
            perform(operation, conversation);
            holds(conversation, all.slice(0, index + 1));
          });
        }),
        RUNS,
      );
    });
  };

  always("never exceeds its budget, and its segments add up", (conversation) => {
    const prepared = conversation.manager.prepare();
    if (prepared.kind !== "ready") return;
    const { usedTokens, budgetTokens, parts } = prepared.context.usage();
    assert.ok(parts !== undefined);
    const { system, tools, priming, ...messages } = parts;
    const sum = prepared.context.segments.reduce((total, { tokens }) => total + tokens, 0);
    assert.equal(sum, messages.pins + messages.summaries + messages.recent + messages.older);
    assert.equal(sum + system + tools + priming, usedTokens);
    assert.ok(usedTokens <= budgetTokens && budgetTokens === conversation.manager.budgetTokens);
  });

  always(
    "stands for every visible message exactly once, in order, or names what has to be summarized",
    (conversation) => {
      const prepared = conversation.manager.prepare();
      if (prepared.kind === "ready") assert.deepEqual(standsFor(conversation, prepared.context), visible(conversation));
      if (prepared.kind === "summarizationNeeded") {
        const { messagesToSummarize, excessTokens } = prepared.needed;
        const sorted = [...new Set(messagesToSummarize)].sort((one, other) => one - other);
        assert.deepEqual(messagesToSummarize, sorted);
        assert.ok(sorted.length > 0 && excessTokens > 0);
        assert.ok(sorted.every((id) => visible(conversation).includes(id)));
      }
      if (prepared.kind === "tooLarge") {
        const { parts, requiredTokens, budgetTokens } = prepared.error;
        assert.equal(
          parts.reduce((total, { tokens }) => total + tokens, 0),
          requiredTokens,
        );
        assert.ok(requiredTokens > budgetTokens);
      }
    },
  );

  always("sends pinned, recent and asked messages themselves", (conversation) => {
    const prepared = conversation.manager.prepare();
    if (prepared.kind !== "ready") return;
    const sent = new Set(
      prepared.context.segments.flatMap((each) => ("id" in each && each.kind !== "summary" ? [each.id] : [])),
    );
    const all = visible(conversation);
    const { history } = conversation.manager;
    const kept = [...all.slice(-4), ...all.filter((id) => history.pins.has(id))];
    assert.deepEqual(
      kept.filter((id) => !sent.has(id)),
      [],
    );
  });

  it("never sends a tool call without its result, nor a part of a batch", async () => {
    await fc.assert(
      fc.asyncProperty(operations, async (all) => {
        const conversation = new TestConversation();
        for (const operation of all) perform(operation, conversation);
        const prepared = conversation.manager.prepare();
        if (prepared.kind !== "ready") return;
        const read = await prepared.context.apiMessages();
        assert.ok(read.ok);
        const parts = read.value.flatMap((message) => message.parts);
        const calls = parts.flatMap((part) => (part.kind === "toolCall" ? [part.callId] : []));
        const results = parts.flatMap((part) => (part.kind === "toolResult" ? [part.callId] : []));
        assert.deepEqual(results, calls);
      }),
      RUNS,
    );
  });

  it("is the same when it is read from the store, whenever it was looked at", () => {
    fc.assert(
      fc.property(operations, (all) => {
        const conversation = new TestConversation();
        for (const operation of all) {
          perform(operation, conversation);
          assert.equal(conversation.reopened().sent(), conversation.sent());
        }
      }),
      RUNS,
    );
  });

  it("goes from large to small to large with the first request again", () => {
    fc.assert(
      fc.property(operations, fc.constantFrom("tiny", "small", "middle"), (all, smaller) => {
        const conversation = new TestConversation({ model: "large" });
        for (const operation of all) if (operation.kind !== "switch") perform(operation, conversation);
        const first = conversation.sent();
        conversation.switchTo(smaller);
        conversation.compact("modelSwitch");
        conversation.sent();
        conversation.switchTo("large");
        assert.equal(conversation.sent(), first);
      }),
      RUNS,
    );
  });

  const hostile = fc.array(fc.constantFrom("empty", "long", "same", "good", "short"), { minLength: 1, maxLength: 6 });

  it("fits after one plan, however bad the summaries are", () => {
    fc.assert(
      fc.property(operations, fc.constantFrom(...Object.keys(TEST_MODELS)), hostile, (all, model, answers) => {
        const conversation = new TestConversation();
        for (const operation of all) perform(operation, conversation);
        conversation.switchTo(model);
        if (conversation.manager.prepare().kind === "tooLarge") return;
        let call = 0;
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
      }),
      RUNS,
    );
  });

  it("has nothing to do when it was compacted and nothing changed", () => {
    const triggers = fc.constantFrom("manual" as const, "overflow" as const, "threshold" as const);
    fc.assert(
      fc.property(operations, triggers, strategies, (all, trigger, strategy) => {
        const conversation = new TestConversation({ settings: { strategy } });
        for (const operation of all) perform(operation, conversation);
        conversation.compact(trigger);
        assert.equal(conversation.manager.planCompaction(trigger), undefined);
      }),
      RUNS,
    );
  });

  it("only appends while people talk", () => {
    fc.assert(
      fc.property(
        operations,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        (all, talk) => {
          const conversation = new TestConversation({ model: "large" });
          for (const operation of all) perform(operation, conversation);
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

function visible({ manager: { history } }: TestConversation): readonly MessageId[] {
  return history.entries.filter((entry) => history.isVisible(entry)).map(({ id }) => id);
}

/** The messages that a request stands for, each as often as it is represented. */
function standsFor(conversation: TestConversation, { segments }: PreparedContext): readonly MessageId[] {
  const own = new Set<MessageId>();
  for (const segment of segments) {
    if (segment.kind === "original" || segment.kind === "excerpt") own.add(segment.id);
  }
  const ids = segments.flatMap((segment): readonly MessageId[] => {
    if (segment.kind === "original" || segment.kind === "excerpt") return [segment.id];
    const { start, end } = segment.covers;
    return visible(conversation).filter((id) => start <= id && id < end && !own.has(id));
  });
  const firsts = segments.map((segment) =>
    segment.kind === "summary" || segment.kind === "omitted" ? segment.covers.start : segment.id,
  );
  assert.deepEqual(
    firsts,
    firsts.toSorted((one, other) => one - other),
    "oldest first",
  );
  return ids.toSorted((one, other) => one - other);
}
