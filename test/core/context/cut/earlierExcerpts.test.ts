/** Tool results in histories of an earlier version, whose entries have no number of results. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { ConversationRecord } from "../../../../src/core/history/records.ts";
import { toolCallId } from "../../../../src/core/ids.ts";
import type { Message } from "../../../../src/core/message.ts";
import { countingFormula, tokensOf } from "../../../../src/core/tokens/countingFormula.ts";
import { TestConversation } from "../../../support/session/conversation.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

const counter = testTokenCounter();

class EarlierConversation extends TestConversation {
  override store(record: ConversationRecord): void {
    if (record.kind !== "message") super.store(record);
    else {
      const { partCount, ...entry } = record.entry;
      assert.ok(partCount === undefined || partCount > 0);
      super.store({ ...record, entry: { ...entry, tokens: counter.countMessage(record.message) } });
    }
  }
}

/** A question, an answer with text followed by one call per result, and the results in one message. */
function afterCalls(model: string, said: string, texts: readonly string[]): TestConversation {
  const conversation = new EarlierConversation({ model });
  const callIds = texts.map((_, index) => toolCallId(`c${String(index)}`));
  const calls = callIds.map((callId) => ({ kind: "toolCall", callId, name: "ls", inputJson: "{}" }) as const);
  const results = callIds.map((callId, index) => {
    return { kind: "toolResult", callId, outcome: "ok", text: texts[index] ?? "" } as const;
  });
  conversation.add({ role: "user", parts: [{ kind: "text", text: "What do these files do?" }] }, 0);
  conversation.add({ role: "assistant", parts: [{ kind: "text", text: said }, ...calls] }, 0);
  conversation.add({ role: "user", parts: results }, 0);
  return conversation;
}

/** Token counts: of the sent messages, and as reported by the usage. */
async function sentAndCounted(conversation: TestConversation): Promise<readonly [number, number]> {
  const context = conversation.ready();
  const read = await context.apiMessages();
  assert.ok(read.ok);
  const formula = countingFormula(conversation.manager.model);
  const costOf = (message: Message): number => tokensOf(counter.countMessage(message), formula);
  const sent = read.value.reduce((sum, message) => sum + costOf(message), formula.perRequestTokens);
  return [sent, context.usage().usedTokens];
}

describe("truncated tool results of an earlier version", () => {
  const file = 'export const value = compute(12, "alpha");\n'.repeat(200);

  for (const count of [2, 3, 12, 40, 120]) {
    it(`take no more tokens than counted when there are ${String(count)}`, async () => {
      const conversation = afterCalls("small", "I look.", Array<string>(count).fill(file));
      assert.equal(conversation.ready().segments.at(-1)?.kind, "excerpt");
      const [sent, counted] = await sentAndCounted(conversation);
      assert.ok(sent <= counted, `${String(sent)} of ${String(counted)}`);
    });
  }

  it("take no more tokens than counted for any texts", async () => {
    const words = fc.constantFrom("x", "é", "漢字", "😀😀", "a word ", "{}[];\n", "0123456789");
    const text = fc.tuple(words, fc.integer({ min: 0, max: 400 })).map(([word, times]) => word.repeat(times));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 90 }),
        fc.integer({ min: 0, max: 200 }),
        fc.constantFrom("tiny", "small", "claude-odd"),
        async (texts, words, model) => {
          const conversation = afterCalls(model, "word ".repeat(words), texts);
          if (conversation.manager.prepare().kind !== "ready") return;
          const [sent, counted] = await sentAndCounted(conversation);
          assert.ok(sent <= counted, `${String(sent)} of ${String(counted)}`);
        },
      ),
      { seed: 3, numRuns: 150 },
    );
  });
});
