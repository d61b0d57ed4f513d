import assert from "node:assert/strict";
import { hiddenParts } from "../../../src/webview/answer/hiddenParts.ts";

describe("hiddenParts", () => {
  const cases: readonly (readonly [name: string, text: string, parts: readonly string[]])[] = [
    ["nothing in an empty text", "", [""]],
    ["nothing in a text without hidden characters", "a\tb\nc 👩‍💻", ["a\tb\nc 👩‍💻"]],
    ["one hidden character", "a\u202eb", ["a", "\u202e", "b"]],
    ["adjacent hidden characters as one part", "\u200b\u202e\u001b[0m", ["", "\u200b\u202e\u001b", "[0m"]],
  ];
  for (const [name, text, parts] of cases)
    it(`finds ${name}`, () => {
      assert.deepEqual(hiddenParts(text), parts);
    });

  for (const count of [19, 20, 21, 1_000])
    it(`keeps at most 20 of ${String(count)} hidden characters and replaces the others by U+FFFD`, () => {
      const text = Array.from({ length: count }, (_, index) => `${String(index)}\u202e`).join("");
      const parts = hiddenParts(text);
      assert.equal(parts.filter((part) => part === "\u202e").length, Math.min(count, 20));
      assert.equal(
        parts.join(""),
        text.replace(/\u202e/g, (sign, at: number) => (at < text.indexOf("20\u202e") || count <= 20 ? sign : "\ufffd")),
      );
      assert.equal(parts.length % 2, 1);
      assert.ok(parts.every((part, index) => index % 2 === 0 || part === "\u202e"));
    });
});
