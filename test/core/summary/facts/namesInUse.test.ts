/** Names and paths that occur three times and more. */

import assert from "node:assert/strict";
import { NameCount } from "../../../../src/core/summary/facts/namesInUse.ts";

function inUse(...texts: readonly string[]): readonly (readonly [string, string, number])[] {
  const names = new NameCount();
  for (const text of texts) names.add(text);
  return names.inUse().map(({ text, kind, mentions }) => [text, kind, mentions] as const);
}

describe("names in use", () => {
  it("are counted across texts, in code and with positions after them", () => {
    assert.deepEqual(
      inUse(
        "const rows = readRows(anchor_color, user.readRows);",
        "src/app.ts:12:5: error in `readRows`",
        '{"path":"src/app.ts"} anchor_color: ann.anchor_color anchor_color',
        "see src/app.ts, twice",
      ),
      [
        ["anchor_color", "identifier", 3],
        ["src/app.ts", "path", 3],
      ],
    );
  });
  it("are no plain words, and none that are mentioned twice", () => {
    assert.deepEqual(inUse("order order order", "readRows readRows", "and/or and/or and/or"), []);
  });
});
