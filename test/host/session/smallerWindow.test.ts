import assert from "node:assert/strict";
import { modelId } from "../../../src/core/ids.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";
import { openSession } from "../../support/session/openSession.ts";

describe("L6 a server that comes back with half the window", () => {
  const SENTENCE = "The harbour keeps a table of tides in data/tides.csv, and the rule is: never edit it by hand. ";

  for (const sizes of [[110], [60, 60], [20, 20, 20, 20, 20]])
    it(`gets the next message after those of ${sizes.join(", ")} sentences, and is planned for as it is now`, async () => {
      let contextWindow = 8_192;
      const provider = scriptedProvider(...sizes.map(() => saying("Noted. ".repeat(50))), saying("Yes."));
      const { session, rows } = await openSession(provider, undefined, undefined, {
        model: "local",
        abilities: { slots: 1 },
        onAskIfRestarted: (registry) => {
          registry.setLive(modelId("local"), { contextWindow });
        },
      });
      for (const [index, size] of sizes.entries())
        await session.send(String(index), `${SENTENCE.repeat(size)}Say only: noted.`);
      contextWindow = 4_096;
      await session.send("last", "Say yes.");
      const { manager } = session.opened;
      const usage = manager.usage();
      const last = rows().at(-1);
      assert.deepEqual(
        [last?.kind === "message" && last.text, manager.limits.contextWindow, usage.usedTokens <= usage.budgetTokens],
        ["Yes.", 4_096, true],
      );
    });
});
