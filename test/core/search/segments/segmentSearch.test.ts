import assert from "node:assert/strict";
import { snowballStemmer } from "../../../../src/adapters/stemmers/snowballStemmer.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { parseConversationId, type ConversationId } from "../../../../src/core/ids.ts";
import type { Message } from "../../../../src/core/message.ts";
import { parseRankedQuery } from "../../../../src/core/search/ranking/rankedQuery.ts";
import { StemCache } from "../../../../src/core/search/ranking/terms.ts";
import { indexedWords } from "../../../../src/core/search/segments/indexedWords.ts";
import { Segment } from "../../../../src/core/search/segments/segment.ts";
import { SegmentBuilder } from "../../../../src/core/search/segments/segmentBuilder.ts";
import { searchSegments, type SegmentQuery } from "../../../../src/core/search/segments/segmentSearch.ts";

const stems = new StemCache(snowballStemmer);

function idOf(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  assert.ok(id);
  return id;
}

/** A segment of conversations, each of these texts. */
function segmentOf(conversations: readonly (readonly string[])[], from = 0): Segment {
  const builder = new SegmentBuilder();
  for (const [number, texts] of conversations.entries()) {
    for (const text of texts) {
      const message: Message = { role: "user", parts: [{ kind: "text", text }] };
      builder.addMessage(runSync(indexedWords(message)));
    }
    const conversation = idOf(from + number);
    builder.addRun({ conversation, first: 0, count: texts.length, recordCount: texts.length, mark: 0 });
  }
  const bytes = runSync(builder.toBytes());
  return new Segment({ length: bytes.length, read: (at, length) => bytes.subarray(at, at + length) });
}

/** "conversation:message", best first. */
function found(
  question: string,
  segments: readonly Segment[],
  options: Partial<SegmentQuery> & { readonly isOpen?: boolean } = {},
): readonly string[] {
  const query = parseRankedQuery(question, stems, options.isOpen);
  assert.ok(query);
  const usual = { query, isWanted: () => true, needsAll: false, limit: 10, limitEach: 10 };
  const { messages } = runSync(searchSegments(segments, { ...usual, ...options }, stems));
  return messages.map(({ conversation, id }) => `${Number(conversation.slice(-12))}:${id}`);
}

describe("a search of segments", () => {
  const code = "x = {};".repeat(20);
  const cases: readonly [
    what: string,
    question: string,
    texts: readonly (readonly string[])[],
    expected: readonly string[],
  ][] = [
    [
      "a rare word before a frequent one",
      "retry budget",
      [[`retry ${code}`], [`budget ${code}`], [`retry ${code}`]],
      ["1:0", "0:0", "2:0"],
    ],
    [
      "words in any form, in both languages",
      "connections",
      [["it is connected"], ["Die Connection ist offen"]],
      ["0:0", "1:0"],
    ],
    ["a word whose stem is longer than its beginning", "happiness", [["she is happy"], ["it happened"]], ["0:0"]],
    ["parts of an identifier", "parse date", [["parseHttpDate(text)"], ["else"]], ["0:0"]],
    ["what stands next to a hit in a talk", "summer", [["The summer was long"], ["By the lake"]], ["0:0"]],
    [
      "the neighbour in the same conversation",
      "summer",
      [["The summer was long", "By the lake we sat", "Then we ate"]],
      ["0:0", "0:1"],
    ],
    ["no neighbour of code", "summer", [["summer", `${code} f();`]], ["0:0"]],
    ["one character of a script without spaces", "川", [["山川"], ["川が"], ["山"]], ["0:0", "1:0"]],
    ["a word of a script without spaces", "消息", [["The 消息 is here"], ["消 息"]], ["0:0"]],
    ["nothing", "absent", [["present"]], []],
  ];
  for (const [what, question, texts, expected] of cases) {
    it(`finds ${what}`, () => {
      assert.deepEqual(found(question, [segmentOf(texts)]).toSorted(), [...expected].toSorted());
    });
  }

  it("ranks over all segments alike", () => {
    const segments = [
      segmentOf([[`pool ${code}`], [`budget ${code}`]]),
      segmentOf([[`pool budget ${code}`]], 2),
      segmentOf([[`pool ${code}`]], 3),
    ];
    assert.deepEqual(found("pool budget", segments), ["2:0", "1:0", "0:0", "3:0"]);
  });

  it("finds only what has all words, or is wanted, and so many of each conversation", () => {
    const segments = [
      segmentOf([[`pool ${code}`, `pool budget ${code}`, `budgets of pools ${code}`], [`pool budget ${code}`]]),
    ];
    assert.deepEqual(found("pool budget", segments, { needsAll: true, limitEach: 1 }).length, 2);
    assert.deepEqual(found("pool budget", segments, { needsAll: true }).toSorted(), ["0:1", "0:2", "1:0"]);
    assert.deepEqual(found("pool budget", segments, { isWanted: (id) => id === idOf(1) }), ["1:0"]);
    assert.deepEqual(found("pool bud", segments, { isOpen: true, needsAll: true }).length, 3);
    assert.deepEqual(found("pool bud ", segments, { isOpen: true, needsAll: true }), []);
  });

  it("finds a hit with both neighbours wherever it stands, and passes over conversations that are not wanted", () => {
    const talks = Array.from({ length: 40 }, (_, at) => [
      "By the lake",
      at === 0 ? "We sat" : `summer ${at}`,
      "We ate",
    ]);
    const wanted = (id: ConversationId): boolean => Number(id.slice(-12)) % 3 !== 0;
    const expected = talks.flatMap((_, at) => (at % 3 === 0 ? [] : [`${at}:0`, `${at}:1`, `${at}:2`]));
    const all = found("summer", [segmentOf(talks)], { isWanted: wanted, limit: 1_000 });
    assert.deepEqual(all.toSorted(), expected.toSorted());
  });

  it("reads frequent words only where rarer ones were found", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => [`${at % 2 === 0 ? "common" : "other"} words ${code}`]);
    const segments = [segmentOf([...many, [`quorum common ${code}`]])];
    assert.deepEqual(found("quorum common", segments, { limit: 3 }), ["5000:0"]);
    assert.equal(found("common", segments, { limit: 10_000 }).length, 2_501);
  });
});
