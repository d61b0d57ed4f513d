import assert from "node:assert/strict";
import { describe, it } from "mocha";
import {
  automaticTitle,
  fileNameOf,
  shortenTitle,
  lacksTopic,
  titleFault,
  titleFrom,
} from "../../../src/host/transcript/title.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["Why does the third retry never happen?", "Why does the third retry never happen?"],
  ["\n\n## Fix the *queue*\nmore", "Fix the *queue*"],
  ["   ", "New conversation"],
  ["```\ncode\n```", "code"],
  ["```ts\nconst a = 1;\n```\nWhat is wrong here?", "What is wrong here?"],
  ["`src/a.ts`, lines 3–5:\n\n```ts\nx\n```\n\nWhy is this slow?", "Why is this slow?"],
  ["`src/a.ts`, line 3:\n\n```ts\nx\n```", "src/a.ts, line 3"],
  ["Explain this code, `src/a.ts`, lines 3–5:\n\n```ts\nx\n```", "Explain this code, src/a.ts, lines 3–5"],
  ["Why does this fail:\n\n```ts\nx\n```\nThanks", "Why does this fail"],
  ["Pourquoi cette erreur :\n\n```ts\nx\n```", "Pourquoi cette erreur"],
  ["`npm ci` fails", "npm ci fails"],
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

describe("a title from the user", () => {
  it("is refused when it is empty or longer than 200 user-perceived characters", () => {
    assert.match(titleFault("  ") ?? "", /at least one/);
    assert.equal(titleFault("👩‍👩‍👧‍👦".repeat(200)), undefined);
    assert.match(titleFault(`${"x".repeat(201)} `) ?? "", /at most 200 characters; this one has 201/);
  });

  it("is truncated between characters for notifications and file names", () => {
    assert.equal(shortenTitle("😀".repeat(150)), `${"😀".repeat(59)}…`);
    assert.equal(shortenTitle("short"), "short");
    assert.equal(fileNameOf("Why? (again) 😀"), "why-again");
    assert.equal(fileNameOf("𠮷".repeat(80)), "𠮷".repeat(60));
    assert.equal(fileNameOf("हिन्दी में"), "हिन्दी-में");
    assert.equal(fileNameOf("😀"), "conversation");
    assert.equal(fileNameOf("“CON”"), "con-conversation");
    assert.equal(fileNameOf("com1?"), "com1-conversation");
    assert.equal(fileNameOf("Console"), "console");
  });
});

describe("lacksTopic", () => {
  for (const title of ["Hi", "hello!", "Hey :)", "你好", "Test", "New conversation", "ok.", "Привет"]) {
    it(title, () => {
      assert.ok(lacksTopic(title));
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
    it(`is false for ${title}`, () => {
      assert.ok(!lacksTopic(title));
    });
  }
});

describe("automaticTitle", () => {
  const titled = (title: string, by: "user" | "automatic") => ({ title, by });

  it("uses the first message, or a later one if the first was a greeting", () => {
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

  it("never replaces the user's title, not even by the first message", () => {
    assert.equal(automaticTitle(titled("Hi", "user"), "Why is the sky blue?", 7), undefined);
  });
});
