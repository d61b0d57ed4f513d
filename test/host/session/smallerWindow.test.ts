import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { openSession } from "../../support/session/openSession.ts";

describe("L6 a server that comes back with half the window", () => {
  const SENTENCE = "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand. ";

  it("gets the next message without being told that anything failed, and is planned for as it is now", async () => {
    let contextWindow = 8_192;
    const provider = scriptedProvider(...["Noted. ".repeat(50), "Noted.", "Yes."].map((text) => saying(text)));
    const { session, rows } = await openSession(provider, undefined, undefined, {
      model: "local",
      abilities: { slots: 1 },
      onAskIfRestarted: (registry) => {
        registry.setLive(modelId("local"), { contextWindow });
      },
    });
    await session.send("1", `${SENTENCE.repeat(60)}Say only: noted.`);
    await session.send("2", `${SENTENCE.repeat(60)}Say only: noted.`);
    contextWindow = 4_096;
    await session.send("3", "Say yes.");
    const { manager } = session.opened;
    const usage = manager.usage();
    const last = rows().at(-1);
    assert.deepEqual(
      [last?.kind === "message" && last.text, manager.limits.contextWindow, usage.usedTokens <= usage.budgetTokens],
      ["Yes.", 4_096, true],
    );
    assert.deepEqual(
      manager.history.spending.receipts.map(({ model }) => model),
      ["extract"],
    );
  });
});
