import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { titleFrom } from "../../../src/host/title.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["Why does the third retry never happen?", "Why does the third retry never happen?"],
  ["\n\n## Fix the *queue*\nmore", "Fix the *queue*"],
  ["   ", "New conversation"],
  ["```\ncode\n```", "code"],
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
