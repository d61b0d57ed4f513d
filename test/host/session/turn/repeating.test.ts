import assert from "node:assert/strict";
import type { Row } from "../../../../src/protocol/toView.ts";
import { saying, scriptedProvider } from "../../../support/models/scriptedProvider.ts";
import { openSession } from "../../../support/session/openSession.ts";

const UNIT = "I will look again. ";
const pieces = (times: number): readonly string[] => Array.from({ length: times }, () => UNIT);

function seen(row: Row): readonly unknown[] {
  if (row.kind === "message") return [row.role, row.text.length, row.state, row.stateText];
  return row.kind === "notice" ? ["notice", row.tone, row.text, row.actions] : [row.kind];
}

describe("L2 a model that repeats itself in the chat", () => {
  it("is told under the answer with Stop, and the answer says why it was stopped", async () => {
    let stop: () => void = () => undefined;
    const notices: (readonly unknown[])[] = [];
    const { session, rows } = await openSession(scriptedProvider(saying(...pieces(3_000))), undefined, (body) => {
      const row = body.kind === "rowsAdded" ? body.rows[0] : body.kind === "rowChanged" ? body.row : undefined;
      if (row?.rowId !== "notice-loop") return;
      notices.push(seen(row));
      stop();
    });
    stop = () => {
      session.stop();
    };
    await session.send("1", "Well?");
    assert.deepEqual(notices, [
      ["notice", "warning", "The model repeats itself (71 times).", [{ label: "Stop the answer", command: "stop" }]],
    ]);
    const [, answer] = rows();
    const length = answer?.kind === "message" ? answer.text.length : 0;
    assert.ok(length >= 71 * UNIT.length && length < 200 * UNIT.length, String(length));
    const times = String(length / UNIT.length);
    assert.deepEqual(rows().map(seen), [
      ["user", 5, "complete", ""],
      [
        "assistant",
        length,
        "cancelled",
        `Stopped. Everything you saw is kept. The model repeated itself (${times} times).`,
      ],
    ]);
  });

  it("is told to be sent once, when it came to an end", async () => {
    const { session, rows } = await openSession(scriptedProvider(saying(...pieces(400), "There.")));
    await session.send("1", "Well?");
    assert.deepEqual(rows().map(seen).slice(1), [
      [
        "assistant",
        UNIT.length * 400 + 6,
        "complete",
        "The model repeated itself (400 times). All of it is kept here; requests hold it once.",
      ],
    ]);
  });

  it("is only said of data", async () => {
    const notices: (readonly unknown[])[] = [];
    const rows = Array.from({ length: 1_000 }, () => "| 0 | 0 | 0 |\n");
    const opened = await openSession(scriptedProvider(saying("|a|b|c|\n|-|-|-|\n", ...rows)), undefined, (body) => {
      if (body.kind === "rowsAdded" && body.rows[0]?.rowId === "notice-loop") notices.push(seen(body.rows[0]));
    });
    await opened.session.send("1", "Well?");
    assert.deepEqual(notices, [["notice", "info", "The model writes the same data again and again (621 times).", []]]);
    assert.deepEqual(opened.rows().map(seen).slice(1), [["assistant", 14_016, "complete", ""]]);
  });
});
