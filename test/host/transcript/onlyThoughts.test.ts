import assert from "node:assert/strict";
import type { HistoryEntry, Message } from "../../../src/core/message.ts";
import { messageId } from "../../../src/core/ids.ts";
import { messageRow } from "../../../src/host/transcript/rows.ts";

const said = "The model only thought, and gave no answer. Ask it for the answer, or ask again.";
const thought = { kind: "thinking", text: "Hm." } as const;

describe("an answer", () => {
  for (const [title, parts, stateText] of [
    ["that only thinks says so", [thought], said],
    ["that thinks and sends blanks says so", [thought, { kind: "text", text: "\n" }], said],
    ["that thinks and answers says nothing", [thought, { kind: "text", text: "Yes." }], ""],
    ["without thoughts says nothing", [{ kind: "text", text: "" }], ""],
  ] as const)
    it(`§6 ${title}`, () => {
      const message: Message = { role: "assistant", parts };
      const entry = {
        id: messageId(1),
        role: "assistant",
        state: "complete",
        createdAtMs: 0,
        tokens: { o200k: 1 },
      } as unknown as HistoryEntry;
      const options = { sent: "original" as const, pinned: false, branch: null };
      assert.equal(messageRow(entry, message, options).stateText, stateText);
    });
});
