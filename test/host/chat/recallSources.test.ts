import assert from "node:assert/strict";
import { moveToTrash } from "../../../src/adapters/node/trash.ts";
import { setLeftOut, sourceStates } from "../../../src/host/chat/recallSources.ts";
import { conversationIdOf } from "../../support/search/otherConversations.ts";
import { ask, sessionOf, TestWindows } from "../../support/session/testWindows.ts";

describe("the conversations that a card names", function () {
  this.timeout(60_000);
  const windows = new TestWindows();

  it("are left out and found again, closed or open, and known when they are gone", async () => {
    const opened = await windows.start();
    const { conversations, presenter } = opened;
    const closed = await ask(opened, "Why?");
    await conversations.openNew();
    const open = await ask(opened, "Who?");
    const states = async (): Promise<readonly string[]> =>
      (await sourceStates([closed, open, conversationIdOf(7), "../x"], conversations)).map(({ state }) => state);
    const change = (conversationId: string, isLeftOut: boolean) =>
      setLeftOut({ conversationId, isLeftOut }, conversations, presenter, windows.dist);
    assert.deepEqual(await states(), ["found", "found", "gone", "gone"]);
    assert.deepEqual(await change(closed, true), [{ conversationId: closed, state: "leftOut" }]);
    assert.deepEqual(await change(open, true), [{ conversationId: open, state: "leftOut" }]);
    assert.deepEqual(await states(), ["leftOut", "leftOut", "gone", "gone"]);
    assert.deepEqual(await change(closed, false), [{ conversationId: closed, state: "found" }]);
    assert.equal(sessionOf(opened).opened.id, open, "it stays open");
    await conversations.openExisting(closed);
    assert.deepEqual(await states(), ["found", "leftOut", "gone", "gone"]);
    assert.ok((await moveToTrash(open, conversations.places)).ok);
    assert.deepEqual(await change(open, false), [{ conversationId: open, state: "gone" }]);
  });

  it("say why when another window has one open", async () => {
    const [opened, other] = [await windows.start(), await windows.start()];
    const id = await ask(other, "Why?");
    const { conversations, presenter } = opened;
    const change = { conversationId: id, isLeftOut: true };
    assert.deepEqual(await setLeftOut(change, conversations, presenter, windows.dist), [
      { conversationId: id, state: "found" },
    ]);
    assert.match(opened.shown().status.banner?.text ?? "", /open in another window/);
  });
});
