import assert from "node:assert/strict";
import fc from "fast-check";
import { EXCERPT_LENGTH, searchExcerpt } from "../../../src/core/search/searchExcerpt.ts";
import { matchQuery, parseQuery } from "../../../src/core/search/searchQuery.ts";
import { requiredTerms, searchTerms } from "../../../src/core/search/searchTerms.ts";
import { searchText } from "../../../src/core/search/searchText.ts";
import { foldText } from "../../../src/core/search/searchWords.ts";
import { toolCallId } from "../../../src/core/ids.ts";
import { CORPUS } from "../../support/texts/corpus.ts";
import { assertLinearTime } from "../../support/linearTime.ts";

/** The text from the start of the match; `undefined` without a match. */
function found(typed: string, text: string): string | undefined {
  const query = parseQuery(typed);
  assert.ok(query);
  const match = matchQuery(query, text);
  return match && text.slice(match.start);
}

function score(typed: string, text: string): number {
  const query = parseQuery(typed);
  return (query && matchQuery(query, text)?.score) ?? 0;
}

/** Whether an index of the text's terms finds the text. */
function isIndexed(typed: string, text: string): boolean {
  const query = parseQuery(typed);
  assert.ok(query);
  const terms = [...searchTerms(text)];
  return requiredTerms(query).every(({ term, isPrefix }) =>
    terms.some((one) => (isPrefix ? one.startsWith(term) : one === term)),
  );
}

describe("a search", () => {
  const finds: readonly [what: string, typed: string, text: string, expected: string][] = [
    ["a word in any case", "HELLO", "Say hello.", "hello"],
    ["the beginning of a word", "conf", "the configuration", "conf"],
    ["a word with its accents", "café", "Un café, un cafe", "café"],
    ["a word without its accents", "cafe", "un CAFÉ", "CAFÉ"],
    ["a combining accent", "café", "un cafe\u0301 noir", "cafe\u0301"],
    ["a letter with a stroke by the plain letter", "gdansk lodz", "Gdańsk, Łódź", "Gdańsk, Łódź"],
    ["a German double s", "strasse", "die Straße", "Straße"],
    ["a Greek word with either final sigma", "οδος", "Η ΟΔΌΣ", "ΟΔΌΣ"],
    ["a Turkish word", "ISTANBUL", "istanbul ve İzmir", "istanbul"],
    ["a Russian word", "ёлка", "Ёлка", "Ёлка"],
    ["an Arabic word without its vowels", "ابدا", "لا تحذف أبدًا".normalize("NFC").replace("أ", "ا"), "ابدًا"],
    ["a Hindi word", "इतिहास", "यह इतिहास है", "इतिहास"],
    ["an ASCII word among other characters", "drain_worker", "  ✓ drainWorker — 3 ms …", "drainWorker"],
    ["a digit in a circle", "1", "step ① of …", "①"],
    ["an identifier by its name", "getUserId", "call getUserId()", "getUserId"],
    ["an identifier in lower case", "getuserid", "call getUserId()", "getUserId"],
    ["an identifier by its parts", "userId", "call getUserId()", "UserId"],
    ["an identifier by its last part", "id", "call getUserId()", "Id"],
    ["an identifier in the other style", "getUserId", "call get_user_id()", "get_user_id"],
    ["an identifier of one style by the other", "user_id", "call getUserId()", "UserId"],
    ["a word after an acronym", "server", "new HTTPServer2024", "Server"],
    ["a number in a name", "2024", "new HTTPServer2024", "2024"],
    ["a number in a lower-case name", "256", "a sha256 of it", "256"],
    ["a constant", "retry", "MAX_RETRY_COUNT = 3", "RETRY"],
    ["a path", "core/ports.ts", "see src/core/ports.ts:12", "core/ports.ts"],
    ["a path with the other separator", "src\\core", "see src/core/ports.ts", "src/core"],
    ["a path that is still being typed", "core/por", "see src/core/ports.ts", "core/por"],
    ["a URL", "example.com/docs", "https://example.com/docs?q=1", "example.com/docs"],
    ["words in any order", "second first", "first … second", "second"],
    ["adjacent words", "quick brown", "brown, then the quick brown fox", "quick brown"],
    ["text without letters", "=>", "const f = (a) => a", "=>"],
    ["an emoji", "👍🏽", "well done 👍🏽!", "👍🏽"],
    ["Chinese words in a run", "总结", "旧的消息会被总结，但是", "总结"],
    ["a single Chinese character", "但", "旧的消息会被总结，但是", "但"],
    ["the last character of a run", "结", "旧的消息会被总结，但是", "结"],
    ["a character outside the basic multilingual plane", "𠮷野", "𠮷野家", "𠮷野"],
    ["Japanese in half width", "ガイド", "ｶﾞｲﾄﾞを読む", "ｶﾞｲ"],
    ["Japanese in full width", "ＡＢＣ", "abc", "abc"],
    ["a Japanese word with a combining voicing mark", "か\u3099", "がくせい", "が"],
    ["a Korean word with its ending", "데이터베이스", "새 데이터베이스를 만든다", "데이터베이스"],
    ["a part of a Korean word", "베이스", "새 데이터베이스를 만든다", "베이스"],
    ["a Thai word in a sentence", "ข้อความ", "ฉันเขียนข้อความนี้", "ข้อความ"],
    ["a word of two scripts", "用getUser", "请用getUserId()", "用getUser"],
  ];
  for (const [what, typed, text, expected] of finds) {
    it(`finds ${what}`, () => {
      assert.equal(found(typed, text)?.slice(0, expected.length), expected);
      assert.ok(isIndexed(typed, text), "an index finds it too");
    });
  }

  const misses: readonly [what: string, typed: string, text: string][] = [
    ["the middle of a word", "figur", "the configuration"],
    ["a longer word by its first letter alone", "c", "configuration"],
    ["one word of two", "hello moon", "hello world"],
    ["a path whose parts are not adjacent", "core/ports", "ports of the core, core of ports"],
    ["characters in another order", "结总", "会被总结"],
    ["words by a wildcard", "conf*tion", "the configuration"],
    ["words by an OR operator", "alpha OR beta", "alpha"],
    ["words by a NOT operator", "NOT alpha", "beta"],
    ["a kana with another voicing", "か", "がくせい"],
  ];
  for (const [what, typed, text] of misses) {
    it(`does not find ${what}`, () => {
      assert.equal(found(typed, text), undefined);
    });
  }

  it("has no query for blank input", () => {
    assert.deepEqual([" ", "", "\n\t"].map(parseQuery), [undefined, undefined, undefined]);
  });

  it("scores better matches higher", () => {
    const ordered = [
      "open file, open file, and open the file",
      "open file",
      "src/open-file.ts ".repeat(40),
      "src/open/file.ts",
      "open the file",
      "open the filesystem",
      "reopenFile then openFiles",
    ].map((text) => score("open file", text));
    assert.deepEqual(
      ordered,
      ordered.toSorted((a, b) => b - a),
    );
    assert.equal(new Set(ordered).size, ordered.length);
  });

  it("starts at the verbatim occurrence, whatever punctuation it has", () => {
    assert.equal(found("open file", "src/open-file.ts, then\nOpen  File again"), "Open  File again");
    assert.equal(found("f(a|b) [x]*", "f a b x, then f(a|b) [x]* here"), "f(a|b) [x]* here");
  });

  it("covers every part of a message, with unescaped tool arguments", () => {
    const text = searchText({
      role: "assistant",
      parts: [
        { kind: "text", text: "words" },
        { kind: "thinking", text: "thoughts" },
        { kind: "toolCall", callId: toolCallId("a"), name: "run", inputJson: '{"code":"one\\ntwo \\u00e9 C:\\\\new"}' },
        { kind: "toolResult", callId: toolCallId("a"), outcome: "ok", text: "result" },
        { kind: "attachment", label: "file.ts", text: "content" },
        { kind: "image", mediaType: "image/png", dataBase64: "AAAA" },
      ],
    });
    assert.equal(text, 'words\nthoughts\nrun {"code":"one two é C:\\new"}\nresult\nfile.ts\ncontent\n');
  });

  it("finds with an index every match it finds without one", () => {
    const letters = fc.constantFrom(
      ..."aAbBcé_1 2./é́結論中データが한국ßİ🙂ﷺ½㈠".split(/(?:)/u),
      "\ud800",
      "HTTP",
      "Id",
    );
    const texts = fc.array(letters, { minLength: 12, maxLength: 40 }).map((all) => all.join(""));
    const cases = fc.record({ text: texts, from: fc.nat(12), length: fc.integer({ min: 1, max: 4 }), other: texts });
    let matches = 0;
    fc.assert(
      fc.property(cases, ({ text, from, length, other }) => {
        for (const typed of [text.slice(from, from + length), other.slice(0, length)]) {
          const query = parseQuery(typed);
          const match = query && matchQuery(query, text);
          if (match === undefined) continue;
          matches++;
          assert.ok(isIndexed(typed, text), JSON.stringify([typed, text]));
          assert.ok(match.start >= 0 && match.start <= text.length);
        }
      }),
      { seed: 7, numRuns: 4_000 },
    );
    assert.ok(matches > 1_500, `only ${matches} matches`);
  });

  it("finds the first word of every kind of text", () => {
    for (const [name, text] of Object.entries(CORPUS)) {
      const typed = /[\p{L}\p{M}]{2,}/u.exec(text)?.[0] ?? "";
      if (typed !== "") assert.ok(found(typed, text) !== undefined && isIndexed(typed, text), name);
    }
  });

  it("creates only terms without index syntax", () => {
    for (const text of [...Object.values(CORPUS), "a\"b'c*d:e(f)-g^h ﷺ ½ ⑴ ⒈ \0 \ud800"]) {
      for (const term of searchTerms(text)) assert.match(term, /^[a-z0-9\u0080-\u{10ffff}]{1,48}$/u, term);
    }
  });

  it("treats a name with too many parts, as in encoded data, as one word", () => {
    const terms = [...searchTerms("aB".repeat(500))];
    assert.deepEqual(terms, ["ab".repeat(24)]);
    assert.equal(found("aB".repeat(400), "aB".repeat(500)), "aB".repeat(500));
    assert.ok(isIndexed("aB".repeat(400), "aB".repeat(500)));
    assert.equal(found("aB".repeat(300) + "c", "aB".repeat(500)), undefined);
  });
});

describe("searchExcerpt", () => {
  const excerpt = (typed: string, text: string): string => {
    const query = parseQuery(typed);
    const match = query && matchQuery(query, text);
    assert.ok(match);
    return searchExcerpt(text, match);
  };

  it("returns a short text whole", () => {
    assert.equal(excerpt("words", "  a few\n\n  Words\there "), "a few Words here");
  });

  it("shows the match among surrounding words, none of them cut", () => {
    const shown = excerpt("needle", `${"before ".repeat(100)}Needle${" after".repeat(100)}`);
    assert.match(shown, /^…(before ){3,}Needle( after){3,}…$/);
    assert.ok(shown.length <= EXCERPT_LENGTH + 2);
  });

  it("limits text without spaces and splits no surrogate pair", () => {
    const shown = excerpt("𠮷", `${"😀".repeat(500)}𠮷${"😀".repeat(500)}`);
    assert.match(shown, /^…😀+𠮷😀+…$/u);
    assert.ok(!/\p{Surrogate}/u.test(shown) && shown.length <= EXCERPT_LENGTH + 3);
  });

  it("shows the original text, not the folded one", () => {
    assert.equal(foldText("Straße"), "strasse");
    assert.equal(excerpt("strasse", "Die Straße"), "Die Straße");
  });

  for (const unit of ["\u0301", "\u0301\u0316", "e\u0301\u0316", "aA", "A1", "_", "字1", "\ufdfa"]) {
    it(`splits a text of repeated ${JSON.stringify(unit)} into terms in linear time`, () => {
      assertLinearTime((text) => [...searchTerms(text)], { unit, behind: "A", longestUnits: 64_000 });
    });
  }

  it("finds a word with hundreds of accents", () => {
    assert.equal(found("naive", `a nai${"\u0308".repeat(500)}ve one`)?.slice(0, 3), "nai");
  });
});
