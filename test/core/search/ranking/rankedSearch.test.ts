import assert from "node:assert/strict";
import fc from "fast-check";
import { snowballStemmer } from "../../../../src/adapters/stemmers/snowballStemmer.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { toolCallId, type MessageId } from "../../../../src/core/ids.ts";
import type { Message } from "../../../../src/core/message.ts";
import { parseRankedQuery } from "../../../../src/core/search/ranking/rankedQuery.ts";
import { rankedSearch, type RankedHit, type RankedRequest } from "../../../../src/core/search/ranking/rankedSearch.ts";
import { StemCache } from "../../../../src/core/search/ranking/terms.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";

function said(text: string): Message {
  return { role: "user", parts: [{ kind: "text", text }] };
}

function read(text: string): Message {
  return { role: "user", parts: [{ kind: "toolResult", callId: toolCallId("c"), outcome: "ok", text }] };
}

function hits(
  question: string,
  messages: readonly Message[],
  limit = 10,
  more: Pick<RankedRequest, "known"> = {},
): readonly RankedHit[] {
  const stems = new StemCache(snowballStemmer);
  const query = parseRankedQuery(question, stems);
  const source = {
    end: messages.length,
    read: (id: MessageId) => messages[id],
    indexedCount: 0,
    named: () => undefined,
  };
  return query === undefined ? [] : runSync(rankedSearch({ query, limit, ...more }, source, stems));
}

/** Without the numbers by which they are ordered. */
function shown(found: readonly RankedHit[]): readonly Partial<RankedHit>[] {
  return found.map(({ id, excerpt, words, hasAll }) => ({ id, excerpt, words, hasAll }));
}

/** Indexes of the messages found, best first. Texts are what tools returned, so that neighbours do not matter. */
function ranked(question: string, texts: readonly string[]): readonly number[] {
  return hits(question, texts.map(read)).map(({ id }) => Number(id));
}

describe("the ranking of a question", () => {
  const cases: readonly [what: string, question: string, texts: readonly string[], expected: readonly number[]][] = [
    ["a rare word before a frequent one", "retry budget", ["retry", "retry it", "budget", "retry twice"], [2, 1, 0, 3]],
    ["both words before one", "retry budget", ["retry now", "budget for retry", "budget now"], [1, 2, 0]],
    ["a short text before a long one", "pool", [`pool ${"word ".repeat(90)}`, "pool size"], [1, 0]],
    ["the newer one of equals", "pool", ["the pool", "a pool", "no pool"], [2, 1, 0]],
    ["English words in any form", "connecting databases", ["a connected database", "something else"], [0]],
    ["words whose stem ends in other letters", "happiness", ["she is happy", "it happened"], [0]],
    ["German words in any form", "Welche Verbindungen?", ["Die Verbindung ist offen, und sie bleibt es", "ja"], [0]],
    ["English words in German talk", "retry connection", ["Die Retries sind für die Connections", "und"], [0]],
    ["German words without umlauts", "Haus Losung", ["Das ist eine von den Lösungen für die Häuser", "und"], [0]],
    ["a question in stop words of the other language", "what is der Stand", ["Stand der Dinge", "what is it"], [0]],
    ["stop words where there is nothing else", "what was that", ["something", "what was it"], [1]],
    ["what remains of short forms", "Doesn't Caroline's dog bark?", ["doesn s t", "the dogs barked"], [1]],
    ["parts of an identifier in humps", "parse date", ["parseHttpDate(text)", "a list"], [0]],
    ["parts of an identifier with underscores", "conn reset", ["E_CONN_RESET", "a list"], [0]],
    ["the last part of a name with a single letter in it", "grid", ["a LazyVGrid", "griddle"], [0]],
    ["one character of a script without spaces", "川", ["山川が", "大きな川", "山"], [1, 0]],
    ["capitals at the end of a name", "usd volume", ["sum(volumeUSD)", "volumes"], [0, 1]],
    [
      "a question of one phrase in stop words",
      "where someone is",
      ["if you know where someone is", "where it is"],
      [0],
    ],
    ["a name with an apostrophe of either kind", "NASA", ["NASA’s ship", "NASA's boat", "nasal"], [1, 0]],
    ["a German plural with another vowel", "Rand", ["die Ränder und der Rest", "die Runde"], [0]],
    ["words that end in a double letter", "powells", ["powell", "power"], [0]],
    ["parts of a path", "pool", ["src/db/pool.ts", "src/db/pull.ts"], [0]],
    ["an identifier by its words run together", "filename", ["file_name", "a file", "the name"], [0]],
    ["two words that a text writes as one", "file name", ["filename", "other"], [0]],
    ["an identifier by any spelling", "get_user_id", ["getUserId()", "user"], [0, 1]],
    ["words that stand together", "red car", ["red paint on a car", "car, old and red", "a red car, new"], [2, 1, 0]],
    ["a quote as it stands", 'who said "never again"?', ["again and never again", "again never said said"], [0, 1]],
    [
      "a path as it stands",
      "errors of src/db/pool.ts",
      ["errors errors of db", "pool db ts src", "in src/db/pool.ts"],
      [2, 0, 1],
    ],
    ["a call as it stands", "retry() errors", ["errors errors errors", "retry() it"], [1, 0]],
    [
      "the whole query as it stands",
      "queue sync",
      ["queue-sync sync queue queue-sync", "the queue sync stays"],
      [1, 0],
    ],
    ["Chinese by two characters", "总结历史", ["消息", "对历史的总结"], [1]],
    ["one Chinese character", "请", ["消息", "请"], [1]],
    ["Korean with endings", "데이터", ["데이터를 저장", "문맥"], [0]],
    ["accents", "cafe", ["un café", "un thé"], [0]],
    ["Cyrillic", "пример", ["ПРИМЕР №42", "нет"], [0]],
    ["names that objects have", "constructor __proto__ toString", ["the constructor", "toString()", "none"], [1, 0]],
    ["nothing for other words", "zebra", ["a horse"], []],
    ["nothing for a query without words", "=> {}", ["=> {}"], []],
  ];
  for (const [what, question, texts, expected] of cases) {
    it("keeps no request waiting for thousands of messages that are not indexed", () => {
      const found = (count: number): readonly number[] => {
        const messages = Array.from({ length: count }, (_, id) => said(id === 7 ? "the retry budget" : "nothing"));
        return hits("retry budget", messages, 1, { known: { ids: [], texts: [] } }).map(({ id }) => Number(id));
      };
      assert.deepEqual([found(2_000), found(2_001)], [[7], []]);
    });

    it(`finds ${what}`, () => {
      assert.deepEqual(ranked(question, texts), expected);
    });
  }

  it("lifts what stands next to a hit in a talk, and not in code or what tools returned", () => {
    const asked = "Where did you spend the summer?";
    const answer = "With my aunt, at the lake.";
    const other = "We bought some bread.";
    const ids = (messages: readonly Message[]): readonly number[] =>
      hits("summer spent where", messages).map(({ id }) => Number(id));
    assert.deepEqual(ids([said(other), said(other), said(asked), said(answer), said(other)]), [2, 3, 1]);
    assert.deepEqual(ids([read(other), read(asked), read(answer)]), [1]);
    assert.deepEqual(ids([said("for (;;) {}"), said(asked), said("    return [1];\n    }")]), [1]);
    assert.deepEqual(ids([said("let spent = f(summer); x()"), said(answer)]), [0]);
  });

  it("shows the part of a text that has most of the question, and the words found", () => {
    const text = `A pool. ${"Nothing here. ".repeat(40)}The pools were retried with a budget. ${"More. ".repeat(60)}`;
    const [hit] = shown(hits("retry budget of the pool", [read(text)]));
    assert.deepEqual(hit && { ...hit, excerpt: hit.excerpt?.includes("pools were retried with a budget") }, {
      id: 0,
      excerpt: true,
      words: ["pool", "pools", "retried", "budget"],
      hasAll: true,
    });
    assert.deepEqual(shown(hits("summer", [said("Summer!"), said("Yes, at the lake.")])), [
      { id: 0, excerpt: "Summer!", words: ["Summer"], hasAll: true },
      { id: 1, excerpt: "Yes, at the lake.", words: [], hasAll: false },
    ]);
  });

  it("shows the part of a text that has the words as typed, or else next to each other", () => {
    const far = "Nothing here. ".repeat(40);
    const cases: readonly [question: string, text: string, shown: string][] = [
      ["thread pool", `thread(); runPool(); ${far} the thread pool is 7 ${far}`, "thread pool is 7"],
      ["thread pool", `src/thread-pool/a.ts ${far} the thread pool is 7 ${far}`, "thread pool is 7"],
      ["the pools of threads", `a pool; one thread ${far} pools of threads: 7 ${far}`, "pools of threads: 7"],
      [
        "what does this.el.query do",
        `this query; let el = this.query ${far} this.el.query(7) ${far}`,
        "this.el.query(7)",
      ],
      [
        "SliceBuilder.build",
        `build: SliceBuilder, builder ${far} SliceBuilder.build(7) ${far}`,
        "SliceBuilder.build(7)",
      ],
      ["which thread pool", `let threadSize, xPool; ${far} threadPool = 7 ${far}`, "threadPool = 7"],
    ];
    for (const [question, text, part] of cases) {
      assert.ok(hits(question, [read(text)])[0]?.excerpt.includes(part), `${question}: ${part}`);
    }
  });

  it("finds words that begin as the last word that is typed", () => {
    const texts = ["the happiness of pools", "a pool is happy", "unhappy pool"].map(read);
    const found = (typed: string): readonly number[] => {
      const stems = new StemCache(snowballStemmer);
      const query = parseRankedQuery(typed, stems, true);
      assert.ok(query);
      const source = { end: texts.length, read: (id: MessageId) => texts[id], indexedCount: 0, named: () => undefined };
      return runSync(rankedSearch({ query, limit: 10, needsAll: true }, source, stems)).map(({ id }) => Number(id));
    };
    assert.deepEqual(["pool happine", "pool hap", "pool happine "].map(found), [[0], [1, 0], []]);
  });

  it("finds every text that has a word of the question, each once", () => {
    const word = fc.constantFrom(
      "pool",
      "retry",
      "retries",
      "budget",
      "parseHttpDate",
      "und",
      "the",
      "总结",
      "🙂",
      "=>",
    );
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), text, (texts, question) => {
        const found = ranked(question, texts);
        assert.equal(new Set(found).size, found.length);
        const asked = question.split(" ").filter((one) => !["und", "the", "🙂", "=>", ""].includes(one));
        const isIn = (one: string): boolean => asked.some((each) => each.slice(0, 4) === one.slice(0, 4));
        for (const [id, each] of texts.entries()) {
          if (asked.length > 0 && each.split(" ").some(isIn) && found.length < 10) assert.ok(found.includes(id), each);
        }
      }),
    );
  });

  it("takes any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), (question, texts) => {
        for (const id of ranked(question, [question, ...texts])) assert.ok(id <= texts.length);
      }),
    );
  });

  it("takes time in line with the text", () => {
    for (const unit of ["a b a ", "x", "\u0301", "aB", "_", "   ", "a  b  ", "总", "“", "`a`"]) {
      assertLinearTime((text) => ranked(`a b "a b" a.b a_b 总总 ${unit.repeat(300)}`, [text]), {
        unit,
        longestUnits: 400_000,
      });
    }
  }).timeout(60_000);
});
