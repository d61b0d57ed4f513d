/** Lines of "Find in All Conversations". */

import assert from "node:assert/strict";
import type { ConversationListing } from "../../../../src/adapters/node/conversationFolders.ts";
import { messageId, parseConversationId, type ConversationId } from "../../../../src/core/ids.ts";
import type { EverywhereContent } from "../../../../src/host/conversations/list/everywhereLines.ts";
import type { SearchGaps } from "../../../../src/host/conversations/list/searchConversations.ts";
import type { IndexHit } from "../../../../src/host/search/searchIndexProtocol.ts";
import { withQuestions } from "../../../support/editor/fakeQuestions.ts";

const load = () => withQuestions(async () => import("../../../../src/host/conversations/list/everywhereLines.ts"));

const NOW_MS = 1_800_000_000_000;
const NO_GAPS: SearchGaps = { elsewhere: 0, unreadable: 0, isMore: false };

function idOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(id);
  return id;
}

function listing(number: number, title: string, isArchived = false): ConversationListing {
  const meta = { title, isArchived };
  const given: unknown = { id: idOf(number), meta, lastUsedAtMs: NOW_MS - number * 60_000 };
  return given as ConversationListing;
}

function hit(id: number, excerpt: string, more: Partial<IndexHit> = {}): IndexHit {
  const entry = { role: "assistant", createdAtMs: Number.NaN } as const;
  return { id: messageId(id), excerpt, words: [], hasAll: true, exact: 0, score: 1, entry, ...more };
}

describe("the lines of Find in All Conversations", () => {
  let everywhereLines: Awaited<ReturnType<typeof load>>["everywhereLines"];
  before(async () => {
    ({ everywhereLines } = await load());
  });

  const shown = (
    hits: Readonly<Record<number, readonly IndexHit[]>>,
    content: Partial<EverywhereContent> = {},
  ): readonly string[] => {
    const lines = everywhereLines(
      {
        listings: [listing(1, "One"), listing(2, "Two", true), listing(3, "What does $(pwd) print?")],
        current: idOf(1),
        typed: "retry delay",
        query: "retry delay",
        hits: new Map(Object.entries(hits).map(([number, some]) => [idOf(Number(number)), some])),
        gaps: NO_GAPS,
        ...content,
      },
      NOW_MS,
    );
    for (const { alwaysShow } of lines) assert.equal(alwaysShow, true);
    return lines.map(({ label, description = "" }) => `${label}${description.replaceAll(", at an unknown time", "")}`);
  };

  it("put the conversation with the best hit first, whatever came first, and its hits below it", () => {
    const worse = [hit(4, "the retry delay", { score: 9 })];
    const better = [hit(7, "a retry delay", { exact: 1, score: 2 }), hit(2, "more retry delay", { score: 1 })];
    const expected = [
      "$(comment) Two · 2 min ago · 2 messages · archived",
      "$(sparkle) Model: a retry delay",
      "$(sparkle) Model: more retry delay",
      "$(comment-discussion) One · 1 min ago · 1 message · open here",
      "$(sparkle) Model: the retry delay",
    ];
    assert.deepEqual(shown({ 1: worse, 2: better }), expected);
    const hits = new Map([
      [idOf(2), better],
      [idOf(1), worse],
    ]);
    assert.deepEqual(shown({}, { hits }), expected);
  });

  it("put the conversation that was used last first among equals", () => {
    const [first = "", , second = ""] = shown({ 3: [hit(0, "retry delay")], 2: [hit(0, "retry delay")] });
    assert.match(first, /Two/);
    assert.match(second, /What does \$\u2060\(pwd\) print\?/);
  });

  for (const [excerpt, words, line] of [
    // The editor marks what is typed by itself.
    ["The Retry delay is 250 ms", ["Retry", "delay"], "The Retry delay is 250 ms"],
    ["Delays of each retry", ["Delays", "retry"], "‹Delays› of each ‹retry›"],
    ["no log in a dialog", ["log"], "no ‹log› in a dialog"],
    ["parseHttpDate", ["Date"], "parseHttp‹Date›"],
    ["我们的重试延迟", ["重试延迟"], "我们的‹重试延迟›"],
    ["$(trash) retries", ["retries"], "$\u2060(trash) ‹retries›"],
    ["a=>b", [], "a=>b"],
  ] as const)
    it(`mark the words of ${JSON.stringify(excerpt)}`, () => {
      assert.equal(shown({ 1: [hit(0, excerpt, { words })] })[1], `$(sparkle) Model: ${line}`);
    });

  it("mark the words of an excerpt where the editor would mark who said it", () => {
    const user = { entry: { role: "user", createdAtMs: Number.NaN }, words: ["you"] } as const;
    const own = { 1: [hit(0, "I told you", user)] };
    assert.equal(shown(own, { query: "you", typed: "you" })[1], "$(account) You: I told ‹you›");
  });

  it("name who spoke", () => {
    const of = (entry: Partial<IndexHit["entry"]>): IndexHit =>
      hit(0, "retry delay", { entry: { role: "user", createdAtMs: Number.NaN, ...entry } });
    const [, ...lines] = shown({ 1: [of({}), of({ role: "assistant" }), of({ batch: messageId(1) })] });
    assert.deepEqual(
      lines.map((line) => line.replace(/:.*/, "")),
      ["$(account) You", "$(sparkle) Model", "$(tools) Tool"],
    );
  });

  for (const [count, last] of [
    [5, "$(sparkle) Model: retry delay"],
    [6, "$(ellipsis) 1 further message"],
    [19, "$(ellipsis) 14 further messages"],
    [20, "$(ellipsis) 15 or more further messages"],
  ] as const)
    it(`say in a line what they leave out of ${count} hits`, () => {
      const hits = Array.from({ length: count }, (_, id) => hit(id, "retry delay"));
      assert.equal(shown({ 1: hits }).at(-1), last);
    });

  for (const [content, note] of [
    [{ typed: " " }, "Type words, a sentence or code that was said in any conversation"],
    [{ typed: "r" }, "Type more: this is too short to search for"],
    [{ gaps: undefined }, "Searching…"],
    [{}, "No conversation holds “retry delay”"],
    [{ typed: "$(x) y" }, "No conversation holds “$\u2060(x) y”"],
  ] as const)
    it(`say ${JSON.stringify(note)}`, () => {
      assert.deepEqual(shown({}, content), [`$(info) ${note}`]);
    });

  it("say after the hits what was not searched, and that more match", () => {
    const some = { 1: [hit(0, "retry delay")] };
    assert.deepEqual(shown(some, { gaps: { elsewhere: 1, unreadable: 2, isMore: true } }).slice(2), [
      "$(info) More than 100 conversations match: add a word to find the others",
      "$(info) 1 conversation was not searched: it is open in another window",
      "$(info) 2 conversations were not searched: they cannot be read",
    ]);
    assert.equal(shown(some, { gaps: undefined }).length, 2);
  });
});
