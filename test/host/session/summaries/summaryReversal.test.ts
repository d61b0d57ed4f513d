/** Summaries written, edited, rewritten, undone and redone in any order: all originals stay available. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { memoryDisk } from "../../../support/storage/memoryStore.ts";
import { Reversible } from "../../../support/session/reversible.ts";
import { acts } from "../../../support/session/reversibleActions.ts";
import { openSummarized } from "../../../support/session/summarizedSession.ts";
import { assistant, user } from "../../../support/session/summarySources.ts";

/** A conversation that was summarized once, with the text sent before and after. */
async function compacted(): Promise<{
  readonly reversible: Reversible;
  readonly whole: string;
  readonly summarized: string;
}> {
  const reversible = new Reversible();
  await reversible.act({ kind: "say", turns: 6 });
  await reversible.conversation.say(user("And now?"), assistant("Done."));
  const whole = await reversible.conversation.sent();
  await reversible.act({ kind: "compact", trigger: "manual" });
  return { reversible, whole, summarized: await reversible.conversation.sent() };
}

describe("summary reversal", () => {
  it("restores every original byte for byte after any sequence of undo, redo, edit and rewrite", async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const reversible = new Reversible();
        await reversible.act({ kind: "say", turns: 5 });
        for (const act of sequence) await reversible.act(act);
        for (const number of reversible.worlds.keys()) {
          await reversible.goTo(number);
          assert.deepEqual(await reversible.originals(), reversible.said);
        }
      }),
      { seed: 20_261_122, numRuns: 150 },
    );
  });

  it("undoes an edited version to the previous one and then to the originals, also after a restart", async () => {
    const { reversible, whole, summarized } = await compacted();
    await reversible.act({ kind: "edit", id: 0 });
    const edited = await reversible.conversation.sent();
    assert.match(edited, /By hand, version 1/);
    for (const [act, expected] of [
      [{ kind: "undo", id: 1 }, summarized],
      [{ kind: "undo", id: 0 }, whole],
      [{ kind: "redo", id: 1 }, edited],
    ] as const) {
      await reversible.act(act);
      await reversible.act({ kind: "restart" });
      assert.equal(await reversible.conversation.sent(), expected);
    }
  });

  it("undoes a summary in a fork or its origin alone, also after a restart", async () => {
    const { reversible, whole, summarized } = await compacted();
    assert.notEqual(summarized, whole);
    await reversible.act({ kind: "fork", id: reversible.conversation.manager.history.length - 1, turns: 0 });
    const sentIn = async (number: number): Promise<string> => {
      await reversible.goTo(number);
      return reversible.conversation.sent();
    };
    const undoneIn = async (number: number, kind: "undo" | "redo"): Promise<readonly string[]> => {
      await reversible.goTo(number);
      await reversible.act({ kind, id: 0 });
      return [await sentIn(0), await sentIn(1)];
    };
    assert.deepEqual(await undoneIn(0, "undo"), [whole, summarized]);
    assert.deepEqual(await undoneIn(1, "undo"), [whole, whole]);
    assert.deepEqual(await undoneIn(0, "redo"), [summarized, whole]);
    await reversible.act({ kind: "transfer" });
    assert.deepEqual(await undoneIn(1, "redo"), [summarized, summarized]);
  });

  it("restores the rows with dimmed covered messages after a reload", async () => {
    const disk = memoryDisk();
    const opened = await openSummarized({}, disk);
    await opened.fill(80);
    await opened.rest();
    const shown = opened.rows();
    const sent = opened.session.opened.manager.usage().usedTokens;
    await opened.session.shutDown();
    const again = await openSummarized({}, disk);
    assert.deepEqual(again.rows(), shown);
    assert.equal(again.session.opened.manager.usage().usedTokens, sent);
    const marker = shown.find((row) => row.kind === "summary");
    assert.ok(marker !== undefined && shown.some((row) => row.kind === "message" && row.sent === "summary"));
    await again.rest();
    assert.equal(again.model.summaries, 0, "an opening begins nothing by itself");
  });
});
