import assert from "node:assert/strict";
import { fileMatches } from "../../../../src/host/tools/search/fileMatches.ts";

const KEY = "sk-ant-api03-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG";
const TEXT = `first\nANTHROPIC=${KEY}\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG\n-----END PRIVATE KEY-----\nlast\u200b\n`;

describe("fileMatches", () => {
  for (const [name, pattern, expected] of [
    ["the name beside a secret", "ANTHROPIC", [{ line: 2, text: "ANTHROPIC=[redacted: API key]" }]],
    ["a line below a secret of several lines", "last", [{ line: 6, text: "last[U+200B]" }]],
    ["a mark", "redacted: p", [3, 4, 5].map((line) => ({ line, text: "[redacted: private key]" }))],
    ["a beginning of a secret", "sk-ant-api03-a", []],
    ["a part of a secret beside its mark", "ANTHROPIC=(?:\\[redacted: x|sk-ant-api03-a)", []],
    [
      "what a secret does not hold",
      "ANTHROPIC=(?!sk-ant-api03-b)",
      [{ line: 2, text: "ANTHROPIC=[redacted: API key]" }],
    ],
    ["what a secret holds", "ANTHROPIC=(?!sk-ant-api03-a)", [{ line: 2, text: "ANTHROPIC=[redacted: API key]" }]],
    ["the body of a key", "MIIEv", []],
  ] as const) {
    it(`S5 matches only what is shown: ${name}`, () => {
      assert.deepEqual(fileMatches(TEXT, new RegExp(pattern, "u"), 10).lines, expected);
    });
  }

  it("counts secrets and hidden characters of the lines that it shows", () => {
    const { secretCount, hiddenCount } = fileMatches(TEXT, /ANTHROPIC|last/u, 10);
    assert.deepEqual([secretCount, hiddenCount], [1, 1]);
  });

  it("§1 shows whole characters around a match", () => {
    const { lines } = fileMatches(`NEEDLE${"x".repeat(375)}${"😀".repeat(40)}`, /NEEDLE/u, 1);
    assert.ok(lines[0]?.text.isWellFormed());
  });

  it("E:long lines shows what is around a match in a long line, and the column to read on from", () => {
    const before = "a".repeat(100_000);
    assert.deepEqual(fileMatches(`x\n${before}NEEDLE${"b".repeat(100_000)}\n`, /NEEDLE/u, 9).lines, [
      { line: 2, text: `…${"a".repeat(120)}NEEDLE${"b".repeat(274)}…`, column: 99_881 },
    ]);
    assert.deepEqual(fileMatches(`NEEDLE${before}`, /NEEDLE/u, 9).lines, [
      { line: 1, text: `NEEDLE${"a".repeat(394)}…` },
    ]);
  });

  it("E:long lines names a column that is not behind the match where a mark is longer than its secret", () => {
    const text = `${`password = "hunter2x" ${"a".repeat(300)} `.repeat(9)}NEEDLE`;
    const [found] = fileMatches(text, /NEEDLE/u, 9).lines;
    assert.ok(
      found?.column !== undefined && found.column <= text.indexOf("NEEDLE") && found.column > text.length - 800,
    );
  });
});
