import assert from "node:assert/strict";
import { toolCallId } from "../../../../src/core/ids.ts";
import type { Part } from "../../../../src/core/message.ts";
import { isTalk } from "../../../../src/core/search/ranking/talk.ts";

const text = (of: string): Part => ({ kind: "text", text: of });

describe("what is talk", () => {
  const cases: readonly [what: string, parts: readonly Part[], expected: boolean][] = [
    ["a sentence", [text("We went to the lake (with my aunt).")], true],
    ["a sentence in Chinese", [text("我们去了湖边。")], true],
    ["a sentence with code in it", [text("Call `retry({ times: 3 })` before `pool.end()`, then wait.")], true],
    ["a list", [text("- bread\n- milk, two litres\n- a paper")], true],
    ["an answer with a short block of code", [text("It has to wait before it tries again:\n```\nx();\n```\n")], true],
    ["an answer that is a block of code", [text("Here:\n```ts\nconst a = 1;\nfor (;;) retry(a);\n```\n")], false],
    ["a function", [text("def f(a):\n    return [b for b in a if b]\n")], false],
    ["JSON", [text('{ "a": [1, 2], "b": { "c": null } }')], false],
    ["a listing", [text("src/db/pool.ts\nsrc/db/pull_all.ts")], false],
    [
      "a text with a tool call",
      [text("I look."), { kind: "toolCall", callId: toolCallId("c"), name: "n", inputJson: "{}" }],
      false,
    ],
    ["what a tool returned", [{ kind: "toolResult", callId: toolCallId("c"), outcome: "ok", text: "Words." }], false],
    ["a text with an attachment", [text("Read it."), { kind: "attachment", label: "a.md", text: "Words." }], false],
    ["nothing", [], false],
    ["an empty text", [text("")], false],
  ];
  for (const [what, parts, expected] of cases) {
    it(`${expected ? "is" : "is not"} ${what}`, () => {
      assert.equal(isTalk({ role: "user", parts }), expected);
    });
  }
});
