import assert from "node:assert/strict";
import { codeText, explainText, fixText, type CodePlace } from "../../../src/host/fromEditor/codeText.ts";

const PLACE: CodePlace = { path: "src/a.ts", language: "typescript", firstLine: 3, lastLine: 5, text: "let a = 1;\n" };

describe("code sent to the chat", () => {
  it("is preceded by its path and lines", () => {
    assert.equal(codeText(PLACE), "`src/a.ts`, lines 3–5:\n\n```typescript\nlet a = 1;\n```");
    assert.equal(codeText({ ...PLACE, lastLine: 3, language: "", text: "x" }), "`src/a.ts`, line 3:\n\n```\nx\n```");
  });

  it("is preceded by a request to explain or fix it", () => {
    assert.match(explainText(PLACE), /^Explain this code, `src\/a\.ts`, lines 3–5:\n\n```/);
    const fix = fixText(PLACE, ["Line 3: 'a' is\n  never used (ts)"]);
    assert.match(fix, /^Fix this problem in `src\/a\.ts`, lines 3–5:\n\n- Line 3: 'a' is never used \(ts\)\n\n```/);
    assert.match(fixText(PLACE, ["a", "b"]), /^Fix these problems in .*\n\n- a\n- b\n\n/);
  });

  it("cannot end its fence or name an invalid language", () => {
    const text = codeText({ ...PLACE, language: "a b`", text: "````\n```" });
    assert.equal(text, "`src/a.ts`, lines 3–5:\n\n`````\n````\n```\n`````");
    assert.ok(codeText({ ...PLACE, path: "a`b" }).startsWith('"a`b", '));
  });

  it("is cut at 100,000 characters, with a note", () => {
    const text = codeText({ ...PLACE, text: "x".repeat(200_000) });
    assert.ok(text.length < 101_000 && text.endsWith("\n[cut here]\n```"));
  });
});
