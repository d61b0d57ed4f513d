import assert from "node:assert/strict";
import path from "node:path";
import { readMeta } from "../../../../src/adapters/node/conversationMeta.ts";
import { ask, sessionOf, TestWindows } from "../../../support/session/testWindows.ts";

describe("the copy for the list", function () {
  this.timeout(60_000);
  const windows = new TestWindows();

  it("S2 counts messages and records after each of them, for the next opening to compare", async () => {
    const opened = await windows.start();
    const id = await ask(opened, "Why?");
    const folder = path.join(opened.conversations.places.conversations, id);
    const { conversation, manager } = sessionOf(opened).opened;
    let meta = await readMeta(folder);
    while (meta?.recordCount !== conversation.recordCount) meta = await readMeta(folder);
    assert.equal(meta.messageCount, manager.history.length);
    await opened.conversations.openNew();
    await opened.conversations.openExisting(id);
    const reopened = sessionOf(opened).opened;
    assert.deepEqual(
      [reopened.store.shape.messageCount, reopened.store.shape.recordCount],
      [meta.messageCount, meta.recordCount],
    );
  });
});
