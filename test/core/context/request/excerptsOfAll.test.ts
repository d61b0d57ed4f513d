/** Spec §4.1: whatever the newest messages are, a request that does not fit has excerpts of them, and then fits. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { messageId, toolCallId } from "../../../../src/core/ids.ts";
import type { HistoryEntry, Message, Part } from "../../../../src/core/message.ts";
import { TokenCosts } from "../../../../src/core/context/tokenCosts.ts";
import { wellFormed, wellFormedJson } from "../../../../src/core/wellFormed.ts";
import { TestConversation, type ConversationOptions } from "../../../support/session/conversation.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

const counter = testTokenCounter();
const user = (...texts: readonly string[]): Message => ({
  role: "user",
  parts: texts.map((text) => ({ kind: "text", text })),
});
const answer = (...parts: readonly (string | Part)[]): Message => ({
  role: "assistant",
  parts: parts.map((part) => (typeof part === "string" ? { kind: "text", text: part } : part)),
});
const call = (id: string, input: object): Part => ({
  kind: "toolCall",
  callId: toolCallId(id),
  name: "write_file",
  inputJson: JSON.stringify(input),
});
const result = (id: string, text: string): Part => ({
  kind: "toolResult",
  callId: toolCallId(id),
  outcome: "ok",
  text,
});
const paste = (text: string): Part => ({ kind: "attachment", label: "Pasted text", text });
const long = (words: number): string => "word ".repeat(words);

function talkOf(messages: readonly Message[], options: ConversationOptions = {}): TestConversation {
  const talk = new TestConversation(options);
  for (const message of messages) {
    const tokens = counter.countMessage(message);
    talk.store(talk.manager.record(message, { state: "complete", createdAtMs: 1, tokens }));
  }
  return talk;
}

async function sentBy(talk: TestConversation): Promise<readonly Message[]> {
  const read = await talk.ready().apiMessages();
  assert.ok(read.ok);
  return read.value;
}

function textIn({ parts }: Message): string {
  return parts.map((part) => (part.kind === "toolCall" ? part.inputJson : "text" in part ? part.text : "")).join("|");
}

describe("newest messages larger than the budget", () => {
  const check = (
    title: string,
    messages: readonly Message[],
    expected: string,
    options?: ConversationOptions,
  ): void => {
    it(title, () => {
      assert.equal(talkOf(messages, options).sent(), expected);
    });
  };
  const batch = (words: number, resultWords = words): readonly Message[] => [
    answer(call("c", { path: "a.ts", content: long(words) })),
    { role: "user", parts: [result("c", long(resultWords))] },
  ];
  check("are excerpts of results before answers", [user("Go"), answer(long(1_500)), ...batch(1_500)], "0 1 2 3~");
  check(
    "are excerpts of answers before inputs of calls",
    [user("Go"), answer(long(2_500)), ...batch(1_200, 1_800)],
    "0 1~ 2 3~",
  );
  check("are excerpts of inputs before pastes", [user(long(2_500)), ...batch(4_000), user("Go on")], "0 1~ 2~ 3");
  check(
    "are excerpts of pastes before the newest question",
    [user(long(3_000)), answer("Yes"), user(long(3_000))],
    "0~ 1 2",
  );
  check(
    "are an excerpt of the newest question last",
    [user(long(3_000)), answer(long(900)), user(long(6_000))],
    "0~ 1~ 2~",
  );
  check(
    "are excerpts of the largest of a kind first",
    [user("Go"), answer(long(2_000)), answer(long(2_500))],
    "0 1 2~",
  );

  it("give the newest question all the room that is left", async () => {
    const talk = talkOf([user(long(6_000))]);
    const [sent] = await sentBy(talk);
    assert.ok(sent !== undefined);
    assert.match(textIn(sent), /^word .*\n… 6,001 tokens kept in the history, ask `recall_history` …\n.*word $/s);
    assert.equal(talk.ready().usage().usedTokens, talk.manager.budgetTokens);
  });

  it("retain the fields of a call's input, and its short values", async () => {
    const [, sent] = await sentBy(talkOf([user("Go"), ...batch(4_000)]));
    assert.ok(sent?.parts[0]?.kind === "toolCall");
    const { content, ...rest } = JSON.parse(sent.parts[0].inputJson) as Record<string, string>;
    assert.deepEqual(rest, { path: "a.ts" });
    assert.match(content ?? "", /^word .*… ask `recall_history` for message 2 ….*word $/s);
  });

  it("retain pictures beside a paste where there is room", async () => {
    const image = { kind: "image", mediaType: "image/png", dataBase64: "AAAA", widthPx: 800, heightPx: 800 } as const;
    const given: Message = { role: "user", parts: [image, paste(long(9_000))] };
    const [sent] = await sentBy(talkOf([given]));
    assert.deepEqual(sent?.parts[0], image);
    const [small] = await sentBy(talkOf([given], { model: "tiny" }));
    assert.deepEqual(small?.parts[0], { kind: "text", text: "[picture]" });
  });

  it("stay the same while the conversation goes on", async () => {
    const talk = talkOf([user("Go"), answer(long(4_500))]);
    const before = await sentBy(talk);
    talk.say("user", 20);
    assert.deepEqual((await sentBy(talk)).slice(0, 2), before);
  });

  describe("of any kind", () => {
    const words = fc.constantFrom("x", "é", "漢字", "😀😀", "a word ", '{"a":[]};\n', "\ud800", "0123456789", "\u0000");
    const text = fc.tuple(words, fc.integer({ min: 0, max: 900 })).map(([word, times]) => word.repeat(times));
    const spoken = fc.oneof(
      { weight: 4, arbitrary: text.map((said): Part => ({ kind: "text", text: said })) },
      text.map((said): Part => ({ kind: "attachment", label: said.slice(0, 12), text: said })),
      fc.constantFrom<Part>(
        { kind: "image", mediaType: "image/png", dataBase64: "AAAA" },
        { kind: "image", mediaType: "image/png", dataBase64: "AAAA", widthPx: 20, heightPx: 20 },
      ),
      text.map((said): Part => ({ kind: "thinking", text: said, signature: "s" })),
    );
    const said = fc.array(spoken, { minLength: 1, maxLength: 6 });
    const input = fc.oneof(
      text.map((value) => JSON.stringify({ path: "a", value })),
      fc.dictionary(text, text, { maxKeys: 5 }).map((fields) => JSON.stringify(fields)),
      text.map((incomplete) => incomplete.replaceAll("\ud800", "[")),
    );
    const calls = fc.array(fc.tuple(input, text), { minLength: 1, maxLength: 8 });
    const step = fc.oneof(
      said.map((parts): readonly Message[] => [{ role: "user", parts }]),
      said.map((parts): readonly Message[] => [{ role: "assistant", parts }]),
      fc.tuple(said, calls).map(([parts, each]): readonly Message[] => {
        const ids = each.map((_, at) => toolCallId(`c${String(at)}`));
        const made = each.map(([inputJson], at): Part => {
          return { kind: "toolCall", callId: ids[at] ?? toolCallId("c"), name: "run", inputJson };
        });
        const results = each.map(([, told], at): Part => {
          return { kind: "toolResult", callId: ids[at] ?? toolCallId("c"), outcome: "ok", text: told };
        });
        return [
          { role: "assistant", parts: [...parts, ...made] },
          { role: "user", parts: results },
        ];
      }),
    );

    /** No request of these messages can be smaller, and none needs to be larger. */
    const leastOf = (entry: HistoryEntry, { parts }: Message, costs: TokenCosts): number => {
      const results = parts.filter(({ kind }) => kind === "toolResult").length;
      const made = parts.filter(({ kind }) => kind === "toolCall").length;
      const least = results > 0 ? 36 * results : 36 + 100 * made;
      return Math.min(costs.ofEntry(entry), Math.ceil(least * costs.ratioOf(entry)) + costs.framingOf(entry));
    };

    it("fit as counted, in whole pairs, wherever their shortest excerpts fit", async function () {
      this.timeout(60_000);
      let excerpts = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 7 }).map((steps) => steps.flat()),
          fc.constantFrom("tiny", "small", "claude-odd"),
          async (messages, model) => {
            const talk = talkOf([user("Begin"), ...messages], { model, settings: { preserveRecent: 99 } });
            const { budgetTokens, history } = talk.manager;
            const costs = new TokenCosts(talk.manager.model);
            const { formula } = costs;
            const least = history.entries.reduce((sum, each) => sum + leastOf(each, talk.message(each.id), costs), 0);
            const prepared = talk.manager.prepare();
            assert.equal(prepared.kind === "ready", least + formula.perRequestTokens <= budgetTokens);
            if (prepared.kind !== "ready") return;
            const sent = await sentBy(talk);
            const total = sent.reduce((sum, each, at) => {
              return sum + costs.ofEntry({ ...history.entry(messageId(at)), tokens: counter.countMessage(each) });
            }, 0);
            const { usedTokens } = prepared.context.usage();
            assert.ok(total + formula.perRequestTokens <= usedTokens, `${String(total)} of ${String(usedTokens)}`);
            assert.ok(usedTokens <= budgetTokens);
            if (prepared.context.segments.some(({ kind }) => kind === "excerpt")) excerpts++;
            assert.deepEqual(
              sent.map(({ role, parts }) => [role, parts.flatMap((part) => ("callId" in part ? [part.callId] : []))]),
              [user("Begin"), ...messages].map(({ role, parts }) => [
                role,
                parts.flatMap((part) => ("callId" in part ? [part.callId] : [])),
              ]),
            );
            for (const segment of prepared.context.segments) {
              if (segment.kind !== "excerpt") continue;
              const { parts } = talk.message(segment.id);
              const given = parts.map((part) =>
                part.kind === "toolCall" ? wellFormedJson(wellFormed(part.inputJson)) : "",
              );
              for (const part of sent[segment.id]?.parts ?? []) {
                if (part.kind !== "toolCall" || given.includes(part.inputJson)) continue;
                assert.equal(typeof JSON.parse(part.inputJson), "object");
              }
            }
          },
        ),
        { seed: 30, numRuns: 300 },
      );
      assert.ok(excerpts > 100, String(excerpts));
    });
  });
});
