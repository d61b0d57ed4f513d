import assert from "node:assert/strict";
import { moveToTrash } from "../../../src/adapters/node/trash.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import type { ConversationPlace } from "../../../src/protocol/conversationLink.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import type { OpenedWindow } from "../../support/session/openConversations.ts";
import { ask, sessionOf, TestWindows, texts } from "../../support/session/testWindows.ts";

const { openLinkedConversation } = await withEditorModule(
  "openingLinks",
  {},
  () => import("../../../src/host/chat/openLinkedConversation.ts"),
);

/** Follows a link; returns what the pages are sent, except rows. */
async function follow({ conversations, presenter }: OpenedWindow, place: ConversationPlace): Promise<unknown[]> {
  const bodies: ToViewBody[] = [];
  await openLinkedConversation(place, conversations, { post: (body) => bodies.push(body) }, presenter);
  return bodies.filter(({ kind }) => kind === "reveal");
}

describe("openLinkedConversation", function () {
  this.timeout(60_000);
  const windows = new TestWindows();

  /** Two conversations of two turns each; the second is open. */
  async function withTwo(): Promise<{ readonly opened: OpenedWindow; readonly first: string }> {
    const opened = await windows.start();
    const first = await ask(opened, "Why?");
    await ask(opened, "And how?");
    await opened.conversations.openNew();
    await ask(opened, "Who?");
    return { opened, first };
  }

  it("opens another conversation, at a message", async () => {
    const { opened, first } = await withTwo();
    assert.deepEqual(await follow(opened, { conversationId: first, messageId: 2 }), [
      { kind: "reveal", rowId: "message-2" },
    ]);
    assert.equal(texts(opened.shown().rows)[0], "Why?");
    assert.equal(opened.shown().status.banner, null);
  });

  it("opens another conversation as a whole", async () => {
    const { opened, first } = await withTwo();
    assert.deepEqual(await follow(opened, { conversationId: first, messageId: null }), []);
    assert.equal(sessionOf(opened).opened.id, first);
  });

  it("scrolls in the open conversation", async () => {
    const { opened } = await withTwo();
    const { id } = sessionOf(opened).opened;
    assert.deepEqual(await follow(opened, { conversationId: id, messageId: 0 }), [
      { kind: "reveal", rowId: "message-0" },
    ]);
  });

  it("says that a message is hidden or does not exist", async () => {
    const { opened, first } = await withTwo();
    assert.deepEqual(await follow(opened, { conversationId: first, messageId: 40 }), []);
    assert.equal(opened.shown().status.banner?.text, "The message that the link leads to is hidden, or never existed.");
  });

  it("stays where it is when there is no such conversation, and says so", async () => {
    const { opened } = await withTwo();
    const { id } = sessionOf(opened).opened;
    await follow(opened, { conversationId: "0f8fad5b-d9cb-469f-a165-70867728950e", messageId: 0 });
    assert.equal(sessionOf(opened).opened.id, id);
    assert.equal(
      opened.shown().status.banner?.text,
      "This link leads to no conversation: it was deleted, or never existed.",
    );
  });

  it("stays where it is when the conversation is in the trash, and says so", async () => {
    const { opened, first } = await withTwo();
    const { conversations } = opened;
    const id = (await conversations.list()).find((listing) => listing.id === first)?.id;
    assert.ok(id !== undefined && (await moveToTrash(id, conversations.places)).ok);
    await follow(opened, { conversationId: first, messageId: 0 });
    assert.deepEqual(opened.shown().status.banner?.actions, [{ label: "Open another", command: "openConversation" }]);
    assert.equal(texts(opened.shown().rows)[0], "Who?");
  });
});
