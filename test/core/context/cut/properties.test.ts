import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { MessageId } from "../../../../src/core/ids.ts";
import type { HistoryEntry } from "../../../../src/core/message.ts";
import type { ContextManager } from "../../../../src/core/context/contextManager.ts";
import type { PreparedContext } from "../../../../src/core/context/request/preparedContext.ts";
import { TestConversation } from "../../../support/session/conversation.ts";
import { operations, perform, type Operation } from "../../../support/storage/randomOperations.ts";

const RUNS = { numRuns: 1_000, seed: 20_261_121 };

describe("§4 a context after any operations", function () {
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
    assert.equal(sum, messages.pins + messages.summaries + messages.recalled + messages.recent + messages.older);
    assert.equal(sum + system + tools + priming, usedTokens);
    assert.ok(usedTokens <= budgetTokens && budgetTokens === conversation.manager.budgetTokens);
  });

  always(
    "represents every visible message exactly once, in order, or names the messages to summarize",
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

  always("sends the originals of pinned and recent messages", (conversation) => {
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

  it("never loses or changes a message", () => {
    fc.assert(
      fc.property(operations, (all) => {
        const conversation = new TestConversation();
        const { history } = conversation.manager;
        let before: readonly HistoryEntry[] = [];
        for (const operation of all) {
          perform(operation, conversation);
          assert.ok(before.every((entry, id) => isSameMessage(history.entries[id], entry)));
          before = [...history.entries];
        }
        const stored = conversation.records.flatMap((record) => (record.kind === "message" ? [record.entry] : []));
        assert.deepEqual(history.entries.map(asStored), stored.map(asStored));
      }),
      RUNS,
    );
  });

  it("gives the same bytes in two conversations with the same operations", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("tiny", "small", "middle"), operations, async (model, all) => {
        const [one = "", other] = await Promise.all(
          [0, 1].map(async (which) => {
            const conversation = new TestConversation({ model });
            for (const operation of all) {
              perform(operation, conversation);
              // Reading the usage changes nothing.
              if (which === 1) conversation.manager.usageStatus();
            }
            return bytesOf(conversation);
          }),
        );
        assert.equal(other, one);
      }),
      RUNS,
    );
  });

  it("never sends a tool call without its result, or part of a batch", async () => {
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

  it("is the same when reopened from the store after any operation", () => {
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

  it("is the same in a copy, made after any operation, that receives the later records", () => {
    fc.assert(
      fc.property(operations, fc.nat(40), (all, copiedAt) => {
        const conversation = new TestConversation();
        for (const operation of all.slice(0, copiedAt)) perform(operation, conversation);
        const copy = conversation.manager.copy();
        const { length } = conversation.records;
        for (const operation of all.slice(copiedAt)) perform(operation, conversation);
        for (const record of conversation.records.slice(length)) copy.apply(record);
        const { history } = conversation.manager;
        assert.deepEqual(copy.history.summaries, history.summaries);
        assert.deepEqual(copy.history.usableSummaries(), history.usableSummaries());
        assert.deepEqual(segmentsOf(copy), segmentsOf(conversation.manager));
      }),
      RUNS,
    );
  });

  it("gives the first request again, byte for byte, after a switch to a smaller model and back", async () => {
    await fc.assert(
      fc.asyncProperty(operations, fc.constantFrom("tiny", "small", "middle"), async (all, smaller) => {
        const conversation = new TestConversation({ model: "large" });
        for (const operation of all) if (operation.kind !== "switch") perform(operation, conversation);
        const first = await bytesOf(conversation);
        conversation.switchTo(smaller);
        conversation.compact("modelSwitch");
        conversation.sent();
        conversation.switchTo("large");
        assert.equal(await bytesOf(conversation), first);
      }),
      RUNS,
    );
  });
});

function segmentsOf(manager: ContextManager): unknown {
  const prepared = manager.prepare();
  return prepared.kind === "ready" ? prepared.context.segments : prepared;
}

async function bytesOf(conversation: TestConversation): Promise<string> {
  const prepared = conversation.manager.prepare();
  if (prepared.kind !== "ready") return JSON.stringify(prepared);
  return JSON.stringify([await prepared.context.apiMessages(), prepared.context.segments, prepared.context.usage()]);
}

function visible({ manager: { history } }: TestConversation): readonly MessageId[] {
  return history.entries.filter((entry) => history.isVisible(entry)).map(({ id }) => id);
}

/** The messages represented by a request; one represented twice is listed twice. */
function standsFor(conversation: TestConversation, { segments }: PreparedContext): readonly MessageId[] {
  const own = new Set<MessageId>();
  for (const segment of segments) {
    if (segment.kind === "original" || segment.kind === "excerpt") own.add(segment.id);
  }
  const ids = segments.flatMap((segment): readonly MessageId[] => {
    if (segment.kind === "original" || segment.kind === "excerpt") return [segment.id];
    if (segment.kind === "recalled") return [];
    const { start, end } = segment.covers;
    return visible(conversation).filter((id) => start <= id && id < end && !own.has(id));
  });
  const firsts = segments.map((segment) => {
    if (segment.kind === "recalled") return segment.beside;
    return segment.kind === "summary" || segment.kind === "omitted" ? segment.covers.start : segment.id;
  });
  assert.deepEqual(
    firsts,
    firsts.toSorted((one, other) => one - other),
    "oldest first",
  );
  return ids.toSorted((one, other) => one - other);
}

/** The entry without the fields that change when attachments are excluded or included again. */
function asStored(entry: HistoryEntry): unknown {
  return { ...entry, sentTokens: undefined, leftOut: undefined };
}

function isSameMessage(now: HistoryEntry | undefined, before: HistoryEntry): boolean {
  return now === before || (now !== undefined && isDeepStrictEqual(asStored(now), asStored(before)));
}
