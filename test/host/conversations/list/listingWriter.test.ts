import assert from "node:assert/strict";
import path from "node:path";
import { readMeta } from "../../../../src/adapters/node/conversationMeta.ts";
import type { Project } from "../../../../src/core/history/project.ts";
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

  it("names the projects that were open when messages were written, and none for a mere opening", async () => {
    let open: readonly Project[] = [];
    const opened = await windows.start({ projects: () => open });
    const projectsOf = async (id: string): Promise<unknown> =>
      (await opened.conversations.list()).find((listing) => listing.id === id)?.meta?.projects;
    const id = await ask(opened, "Why?");
    assert.deepEqual(await projectsOf(id), []);
    const [here, there] = [{ remotes: ["example.org/here"] }, { remotes: [], folder: "file:///there" }];
    open = [here];
    await opened.conversations.openNew();
    await opened.conversations.openExisting(id);
    assert.deepEqual(await projectsOf(id), []);
    await ask(opened, "And now?");
    await ask(opened, "Again?");
    open = [here, there];
    await ask(opened, "And there?");
    assert.deepEqual(await projectsOf(id), [here, there]);
    const records = sessionOf(opened).opened.conversation.history.projects;
    assert.deepEqual(records, [here, there]);
  });
});
