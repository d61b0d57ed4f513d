import assert from "node:assert/strict";
import { addTerminal } from "../../../../src/host/fromEditor/addTerminal.ts";
import type { Session } from "../../../../src/host/session/session.ts";

describe("a terminal's context menu", () => {
  for (const isSelected of [true, false]) {
    it(`adds what is ${isSelected ? "selected" : "shown"}, with the keyboard in the composer, and counts the message then`, async () => {
      const happened: unknown[] = [];
      const session: unknown = {};
      await addTerminal(isSelected, session as Session, {
        focus: () => happened.push("focus"),
        attachTerminal: (wanted) => Promise.resolve(void happened.push(wanted)),
        countDraft: () => Promise.resolve(void happened.push("counted")),
      });
      assert.deepEqual(happened, ["focus", isSelected, "counted"]);
    });
  }
});
