import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Row } from "../../../src/protocol/toView.ts";
import { joinedRows } from "../../../src/webview/transcript/joinedRows.ts";
import { answer, notice, user } from "../../browser/support/viewBuilders.ts";

/** Text of each row as shown; "" for one that is shown with another. */
function shown(rows: readonly Row[]): readonly string[] {
  const { answers, rest } = joinedRows(rows);
  return rows.map((row) => {
    if (rest.has(row.rowId) || !("text" in row)) return "";
    return answers.get(row.rowId)?.row.text ?? row.text;
  });
}

const question = user(0, "Why?");
const first = answer(1, "One ", { stopReason: "maxTokens", thinking: "Hm.", thinkingMs: 5, meta: "m · 2 tokens" });
const second = answer(2, "two ", { continues: "message-1", stopReason: "maxTokens", meta: "m · 3 tokens" });
const third = answer(3, "three.", { continues: "message-2", stopReason: "endTurn", thinking: "Ah.", thinkingMs: 7 });

describe("joined rows", () => {
  const cases: readonly (readonly [string, readonly Row[], readonly string[]])[] = [
    ["one after another", [question, first, second, third], ["Why?", "One two three.", "", ""]],
    ["not one whose beginning is not mounted", [second, third], ["two three.", ""]],
    ["not one that lies behind another answer", [first, answer(9, "No."), second], ["One ", "No.", "two "]],
    ["over a notice", [first, notice("Another model."), second], ["One two ", "Another model.", ""]],
  ];
  for (const [title, rows, texts] of cases) {
    it(`L1 are ${title}`, () => {
      assert.deepEqual(shown(rows), texts);
    });
  }

  it("L1 end as the last one, under the id of the first", () => {
    assert.deepEqual(joinedRows([first, second, third]).answers.get("message-1"), {
      row: {
        ...third,
        ...{ rowId: "message-1", messageId: "1", text: "One two three.", meta: "m · 2 tokens + m · 3 tokens" },
        ...{ thinking: "Hm.\n\nAh.", thinkingMs: 12 },
      },
      end: third,
    });
  });

  it("L1 are the same objects for the same rows", () => {
    const [one, other] = [0, 1].map(() => joinedRows([question, first, second]).answers.get("message-1"));
    assert.equal(one, other);
  });
});
