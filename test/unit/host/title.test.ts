import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { automaticTitle, saysLittle, titleFrom } from "../../../src/host/title.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["Why does the third retry never happen?", "Why does the third retry never happen?"],
  ["\n\n## Fix the *queue*\nmore", "Fix the *queue*"],
  ["   ", "New conversation"],
  ["```\ncode\n```", "code"],
  ["```ts\nconst a = 1;\n```\nWhat is wrong here?", "What is wrong here?"],
  ["a\u202Eb\u0000c", "abc"],
  ["word ".repeat(20), `${"word ".repeat(11).trim()}…`],
  ["x".repeat(80), `${"x".repeat(59)}…`],
];

describe("titleFrom", () => {
  for (const [text, title] of CASES) {
    it(JSON.stringify(text.slice(0, 40)), () => {
      assert.equal(titleFrom(text), title);
    });
  }
});

describe("saysLittle", () => {
  for (const title of ["Hi", "hello!", "Hey :)", "你好", "Test", "New conversation", "ok.", "Привет"]) {
    it(title, () => {
      assert.ok(saysLittle(title));
    });
  }
  for (const title of [
    "Hi, why does the build fail?",
    "Fix it",
    "你好，请解释这段代码",
    "app.ts",
    "Helicopters",
    "修复",
  ]) {
    it(`not ${title}`, () => {
      assert.ok(!saysLittle(title));
    });
  }
});

describe("automaticTitle", () => {
  const titled = (title: string, by: "user" | "automatic") => ({ title, by });

  it("takes the first message, and a later one where that was a greeting", () => {
    assert.equal(automaticTitle(undefined, "Hi", 5)?.title, "Hi");
    assert.deepEqual(automaticTitle(titled("Hi", "automatic"), "Why is the sky blue?", 7), {
      kind: "title",
      title: "Why is the sky blue?",
      by: "automatic",
      atMs: 7,
    });
    assert.equal(automaticTitle(titled("Hi", "automatic"), "Thanks", 7), undefined);
    assert.equal(automaticTitle(titled("The sky", "automatic"), "Why is the sky blue?", 7), undefined);
  });

  it("leaves what the user gave, also before anything was said", () => {
    assert.equal(automaticTitle(titled("Hi", "user"), "Why is the sky blue?", 7), undefined);
  });
});
