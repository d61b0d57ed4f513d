import assert from "node:assert/strict";
import { addTerminal } from "../../../src/host/fromEditor/addTerminal.ts";
import { openSession } from "../../support/session/openSession.ts";
import { scriptedProvider } from "../../support/models/scriptedProvider.ts";

describe("addTerminal", () => {
  for (const isSelected of [true, false]) {
    it(`focuses the composer, adds the ${isSelected ? "selected" : "shown"} text, and then counts the draft's tokens`, async () => {
      const happened: unknown[] = [];
      const { session } = await openSession(scriptedProvider());
      const attaching = { addTerminal: (wanted: boolean) => Promise.resolve(void happened.push(wanted)) };
      const presenter = { showDraftTokens: () => happened.push("counted") };
      await addTerminal(isSelected, session, attaching, presenter, { focus: () => happened.push("focus") });
      assert.deepEqual(happened, ["focus", isSelected, "counted"]);
    });
  }
});
