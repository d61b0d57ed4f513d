/** Truncated tool results: the excerpt of each of many, which takes no more tokens than counted. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { excerptMessage } from "../../../../src/core/context/request/excerptMessage.ts";
import { planExcerpts } from "../../../../src/core/context/cut/plannedExcerpts.ts";
import { messageRecord } from "../../../../src/core/context/messageRecord.ts";
import { TokenCosts } from "../../../../src/core/context/tokenCosts.ts";
import { FullHistory } from "../../../../src/core/history/fullHistory.ts";
import { messageId, modelId, toolCallId } from "../../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../../src/core/message.ts";
import { TalkSession } from "../../../support/session/talkSession.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

const resultsOf = (...texts: readonly string[]): Message => ({
  role: "user",
  parts: texts.map((text, index) => ({ kind: "toolResult", callId: toolCallId(`c${index}`), outcome: "ok", text })),
});
const textsOf = ({ parts }: Message): readonly string[] => parts.map((part) => ("text" in part ? part.text : ""));

async function afterCalls(...texts: readonly string[]): Promise<TalkSession> {
  const session = new TalkSession({ policy: "pipeline", contextWindow: 8_192, maxOutput: 4_096 });
  await session.add(textMessage("user", "What do these files do?"));
  const calls = texts.map(
    (_, index) => ({ kind: "toolCall", callId: toolCallId(`c${index}`), name: "read", inputJson: "{}" }) as const,
  );
  await session.add({ role: "assistant", parts: calls });
  await session.add(resultsOf(...texts));
  return session;
}

describe("§4.1 excerpts of many results in one message", () => {
  const file = 'export const value = compute(12, "alpha");\n'.repeat(400);

  for (const count of [1, 2, 3, 5, 12, 20, 40, 80]) {
    it(`say for each of ${count} how to read it whole, and take no more tokens than counted`, async () => {
      const session = await afterCalls(...Array<string>(count).fill(file));
      const prepared = session.manager.prepare();
      assert.ok(prepared.kind === "ready", prepared.kind);
      const read = await prepared.context.apiMessages();
      assert.ok(read.ok);
      const sentTokens = read.value.reduce((sum, message) => sum + session.tokensOf(message), 0);
      const { usedTokens } = prepared.context.usage();
      assert.ok(sentTokens <= usedTokens, `${sentTokens} of ${usedTokens}`);
      const said = read.value.slice(2).flatMap(textsOf);
      assert.equal(said.length, count);
      for (const text of said) assert.match(text, /ask `recall_history`|^export const value = compute/);
    });
  }

  it("preserve short results whole and divide the remaining room among the others", async () => {
    const session = await afterCalls("done", "no matches", file, file, file);
    const prepared = session.manager.prepare();
    assert.ok(prepared.kind === "ready", prepared.kind);
    const read = await prepared.context.apiMessages();
    assert.ok(read.ok);
    const cut = 'export\n… ask `recall_history` for message 3 …\nha");\n';
    assert.deepEqual(read.value.slice(2).flatMap(textsOf), ["done", "no matches", cut, cut, cut]);
  });

  it("are too large when a hint for each result does not fit", async () => {
    const prepared = (await afterCalls(...Array<string>(120).fill(file))).manager.prepare();
    assert.equal(prepared.kind, "tooLarge");
  });

  it("take at most the planned tokens for any results, budget and model", () => {
    const counter = testTokenCounter();
    const words = fc.constantFrom("x", "é", "漢字", "😀😀", "a word ", "{}[];\n", "\ud800", "0123456789", "\u0000");
    const text = fc.tuple(words, fc.integer({ min: 0, max: 400 })).map(([word, times]) => word.repeat(times));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 90 }),
        fc.integer({ min: 500, max: 40_000 }),
        fc.constantFrom("any", "claude-opus-4-7", "gpt-5.2", "gemini-3"),
        fc.integer({ min: 1, max: 900_000_000 }),
        (texts, budgetTokens, model, at) => {
          const message = resultsOf(...texts);
          const costs = new TokenCosts(modelId(model));
          const meta = { state: "complete", createdAtMs: 1, tokens: counter.countMessage(message) } as const;
          const made = messageRecord(message, { ...meta, batch: messageId(at) }, new FullHistory());
          const entry = { ...made.entry, id: messageId(at + 1) };
          const planned = planExcerpts([entry], costs, { excessTokens: Infinity, budgetTokens }).tokensOf.get(entry.id);
          if (planned === undefined) return;
          const sent = excerptMessage(message, entry, { contentTokens: planned - costs.withFraming(0), costs });
          assert.ok(costs.ofMessage(counter.countMessage(sent)) <= planned);
          textsOf(sent).forEach((said, index) => {
            assert.ok(said === texts[index] || said.includes("ask `recall_history`"), said);
          });
        },
      ),
      { seed: 7, numRuns: 200 },
    );
  });
});
