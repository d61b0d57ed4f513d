import assert from "node:assert/strict";
import { closedJson, sketchesOf, sketchText } from "../../../src/core/documents/foreign/sketch.ts";
import { MemoryText, MemoryTexts } from "../../support/documents.ts";
import { lines } from "../../support/foreignConversations.ts";

describe("the beginning of JSON as whole JSON", () => {
  const check = (beginning: string, whole: string): void => {
    it(beginning, () => {
      assert.equal(closedJson(beginning), whole);
      JSON.parse(whole);
    });
  };
  check('{"a":1,"b":[2,3', '{"a":1,"b":[2]}');
  check('{"a":"cut he', '{"a":"cut he"}');
  check('{"a":"whole","b', '{"a":"whole"}');
  check('{"a":"whole","b"', '{"a":"whole"}');
  check('{"a":{"b":"c","d":', '{"a":{"b":"c"}}');
  check('[{"a":"\\', '[{"a":""}]');
  check('[{"a":"x\\u00e', '[{"a":"x"}]');
  check('[{"a":"x\\\\', '[{"a":"x\\\\"}]');
  check('[{"a":tru', "[{}]");
  check('{"a":[]}', '{"a":[]}');
  check('{"a":"}]","b":[["', '{"a":"}]","b":[[""]]}');

  it("any beginning of a document", () => {
    const document = JSON.stringify({ a: [1, "tw\\o\n", { é: null, b: [[]] }], c: { d: -1e3, e: "\u0001" } }, null, 1);
    for (let length = 1; length <= document.length; length++) {
      const closed = closedJson(document.slice(0, length));
      assert.doesNotThrow(() => void JSON.parse(closed), closed);
    }
    assert.equal(closedJson(document), document);
  });
});

function idOf(document: string): string {
  const [only] = sketchesOf(new MemoryText(document), new MemoryTexts());
  assert.ok(only?.ok === true);
  return only.value.id;
}

describe("the sketch of a conversation", () => {
  const long = "tide ".repeat(5_000);
  const check = (title: string, document: string, expected: readonly unknown[], head = 1_000, tail = 400): void => {
    const isWhole = document.length <= head + tail;
    const text = isWhole ? document : sketchText(document.slice(0, head), document.slice(-tail));
    it(title, () => {
      const found = [...sketchesOf(new MemoryText(text), new MemoryTexts())].map((each) => {
        assert.ok(each.ok, JSON.stringify(each));
        const { tool, id, title: name, project, endMs } = each.value;
        return [tool, id, name, project, endMs];
      });
      assert.deepEqual(found, expected);
    });
  };

  const claude = (role: string, content: string, at: number): object => ({
    ...{
      type: role,
      uuid: `u${at}`,
      parentUuid: at === 0 ? null : `u${at - 1}`,
      sessionId: "s1",
      cwd: "/home/a/tides",
    },
    ...{ message: { role, content }, timestamp: new Date(at * 1_000).toISOString() },
  });
  const session = (first: string): string =>
    lines(claude("user", first, 1), claude("assistant", long, 2), claude("user", "And the ebb?", 3));
  check("lines", session("When is high water?"), [
    ["Claude Code", "s1", "When is high water?", "/home/a/tides", 3_000],
  ]);
  check("lines of which the first is long", session(`Why?\n${long}`), [
    ["Claude Code", "s1", "Why?", "/home/a/tides", 3_000],
  ]);
  const gemini = {
    ...{ sessionId: "g1", projectHash: "p", startTime: "2026-01-01T00:00:00Z" },
    messages: [
      { id: "1", timestamp: "2026-01-01T00:00:01Z", type: "user", content: "How deep?" },
      { id: "2", timestamp: "2026-01-01T00:00:02Z", type: "gemini", content: long },
    ],
  };
  const endMs = Date.parse("2026-01-01T00:00:02Z");
  check("one document", JSON.stringify(gemini), [["Gemini CLI", "g1", "How deep?", "", endMs]]);
  check("one document over many lines", JSON.stringify(gemini, null, 2), [
    ["Gemini CLI", "g1", "How deep?", "", endMs],
  ]);
  const task = (second: string): string =>
    JSON.stringify([
      { role: "user", content: "Where?", ts: 5_000 },
      { role: "assistant", content: second, ts: 6_000 },
      { role: "user", content: "And then?", ts: 7_000 },
    ]);
  const first = idOf(task("There."));
  check("a list without an id: by how it begins", task(long), [["Cline", first, "Where?", "", 5_000]]);
  check("a short list", task("There."), [["Cline", first, "Where?", "", 7_000]]);
  const aider = (at: string, said: string): string =>
    `# aider chat started at 2026-01-01 ${at}\n\n#### Why so wet?  \n\n${said}\n`;
  const startMs = Date.parse("2026-01-01T10:00:00");
  check("text", aider("10:00:00", long), [["aider", idOf(aider("10:00:00", "")), "Why so wet?", "", startMs]]);
  it("names another conversation otherwise", () => {
    assert.notEqual(idOf(aider("10:00:00", "")), idOf(aider("10:00:01", "")));
    assert.notEqual(idOf(task("There.")), idOf(task("There.").replace("5000", "5001")));
  });
  check("nothing that is known", '{"hello":1}', []);
});
