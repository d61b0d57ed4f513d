import assert from "node:assert/strict";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import { messageId } from "../../../src/core/ids.ts";
import { originNotices } from "../../../src/host/opening/originNotices.ts";
import { foreignRecords, readForeign } from "../../support/documents.ts";

describe("§11 what an import could not read is told after its last message:", () => {
  const line = (content: string): string => JSON.stringify({ type: "user", message: { role: "user", content } });
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ["one line", ["oops"], "1 damaged line of the imported file could not be read: line 3."],
    ["two lines", ["oops", "{"], "2 damaged lines of the imported file could not be read: lines 3, 4."],
    [
      "many lines",
      Array.from({ length: 12 }, () => "oops"),
      "12 damaged lines of the imported file could not be read: lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ….",
    ],
  ];
  for (const [name, damaged, words] of cases) {
    it(name, () => {
      const found = readForeign([line("a"), line("b"), ...damaged].join("\n"));
      assert.ok(found?.ok);
      const history = new FullHistory();
      for (const record of foreignRecords(found.value, () => ({ cl100k: 1, o200k: 1 }), 1)) history.apply(record);
      const told = [0, 1].map((id) =>
        originNotices(history, messageId(id)).map(({ text }) => text.split(" Everything")[0]),
      );
      assert.deepEqual(told, [[], [words]]);
    });
  }
});
