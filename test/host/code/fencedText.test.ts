import assert from "node:assert/strict";
import { MarkdownBlocks } from "../../../src/webview/answer/markdown/markdownBlocks.ts";
import { fencedText } from "../../../src/host/code/fencedText.ts";

describe("fencedText", () => {
  for (const text of [
    "flowchart LR\n  A --> B",
    "a\n```\n![x](https://a.example/i.png)",
    "`````",
    "~~~\n\n    b",
    "",
  ]) {
    it(`is parsed back as one code block: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(new MarkdownBlocks().update(fencedText("mermaid", text)), [
        { kind: "code", language: "mermaid", text, closed: true },
      ]);
    });
  }
});
