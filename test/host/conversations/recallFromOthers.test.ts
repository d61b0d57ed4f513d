/** Recalling what was said in other conversations: real files, the real list and the real index. */

import assert from "node:assert/strict";
import { moveToTrash } from "../../../src/adapters/node/trash.ts";
import type { Project } from "../../../src/core/history/project.ts";
import { messageId, type ConversationId } from "../../../src/core/ids.ts";
import { recallSetting } from "../../../src/core/history/recallState.ts";
import { changeListing } from "../../../src/host/conversations/list/changeListing.ts";
import { RecallFromOthers } from "../../../src/host/conversations/recallFromOthers.ts";
import type { ElsewhereScope } from "../../../src/host/tools/recall/otherConversations.ts";
import type { OpenedWindow } from "../../support/session/openConversations.ts";
import { ask, sessionOf, TestWindows } from "../../support/session/testWindows.ts";

const HERE: Project = { remotes: ["example.org/here"], folder: "file:///here" };
const CLONE: Project = { remotes: ["example.org/here"], folder: "file:///clone" };
const THERE: Project = { remotes: ["example.org/there"] };

describe("recalling other conversations", function () {
  this.timeout(60_000);
  const windows = new TestWindows();
  const never = new AbortController().signal;

  /** Conversations of two questions each, of these projects; then a new one, of none. */
  async function withPast(...pasts: readonly { readonly asked: readonly string[]; readonly of?: Project }[]) {
    let open: readonly Project[] = [];
    const opened = await windows.start({ projects: () => open });
    const ids: ConversationId[] = [];
    for (const { asked, of } of pasts) {
      open = of === undefined ? [] : [of];
      await opened.conversations.openNew();
      for (const text of asked) ids[ids.length - (text === asked[0] ? 0 : 1)] = await ask(opened, text);
    }
    open = [HERE];
    await opened.conversations.openNew();
    const recall = new RecallFromOthers({ current: () => Promise.resolve(open) });
    recall.connect(opened.conversations);
    return { opened, ids, recall, close: () => (open = []) };
  }

  async function found(recall: RecallFromOthers, query: string, scope: ElsewhereScope = "all") {
    const done = await recall.search(query, scope, never);
    if (!done.ok) return done.error;
    const { conversations, ...counts } = done.value;
    const passages = conversations.map(({ title, passages: some }) => [title, ...some.map(({ excerpt }) => excerpt)]);
    return { passages, ...counts };
  }

  async function listed({ conversations }: OpenedWindow, id: ConversationId | undefined) {
    const listing = (await conversations.list()).find((each) => each.id === id);
    assert.ok(listing !== undefined);
    return listing;
  }

  const NONE = { passages: [], searched: 0, elsewhere: 0, unreadable: 0 };

  it("finds what was said in the conversations of this project, wherever it lies, or in all", async () => {
    const { recall, close } = await withPast(
      { asked: ["How many retries?", "Retries are three."], of: CLONE },
      { asked: ["Which retries there?"], of: THERE },
      { asked: ["Retries of nothing."] },
    );
    const project = await found(recall, "number of retries", "project");
    assert.deepEqual(project, {
      passages: [["How many retries?", "Retries are three.", "How many retries?", "Because.", "Because."]],
      ...{ searched: 1, elsewhere: 0, unreadable: 0 },
    });
    const all = await found(recall, "number of retries");
    assert.ok(typeof all !== "string");
    assert.deepEqual(all.passages.map(([title]) => title).toSorted(), [
      "How many retries?",
      "Retries of nothing.",
      "Which retries there?",
    ]);
    close();
    assert.equal(await found(recall, "retries", "project"), "noProject");
  });

  it("finds nothing in the open conversation, the trash, and those that the user left out, until that is undone", async () => {
    const { recall, opened, ids } = await withPast({ asked: ["Retries one."] }, { asked: ["Retries two."] });
    await ask(opened, "Retries of the open one.");
    assert.ok((await moveToTrash(await idOf(opened, ids[0]), opened.conversations.places)).ok);
    const services = { conversations: opened.conversations, dist: windows.dist };
    const second = await listed(opened, ids[1]);
    assert.ok((await changeListing(second, { isLeftOut: true }, services)).ok);
    assert.equal((await listed(opened, ids[1])).meta?.isLeftOut, true);
    assert.deepEqual(await found(recall, "retries"), NONE);
    const read = await recall.read(second.id, messageId(0), never);
    assert.equal(read.ok ? "" : read.error, "unknown");
    assert.ok((await changeListing(second, { isLeftOut: false }, services)).ok);
    assert.deepEqual(await found(recall, "retries"), {
      passages: [["Retries two.", "Retries two.", "Because."]],
      ...{ searched: 1, elsewhere: 0, unreadable: 0 },
    });
  });

  it("leaves out the open conversation by its own records, for when it is closed", async () => {
    const { recall, opened } = await withPast();
    const id = await ask(opened, "Retries three.");
    assert.ok((await sessionOf(opened).opened.conversation.change([recallSetting(true, 1)])).ok);
    await opened.conversations.openNew();
    assert.deepEqual(await found(recall, "retries"), NONE);
    await opened.conversations.openExisting(id);
    await opened.conversations.openNew();
    assert.equal((await listed(opened, id)).meta?.isLeftOut, true);
  });

  it("tells of conversations that another window has open, and does not read them", async () => {
    const { recall, ids } = await withPast({ asked: ["Retries one."] });
    const other = await windows.start();
    const [id] = ids;
    assert.ok(id !== undefined);
    await other.conversations.openExisting(id);
    assert.deepEqual(await found(recall, "retries"), { ...NONE, elsewhere: 1 });
    const read = await recall.read(id, messageId(0), never);
    assert.equal(read.ok ? "" : read.error, "openElsewhere");
  });

  it("reads a message of another conversation, and none that is hidden", async () => {
    const { recall, opened, ids } = await withPast({ asked: ["Retries one.", "Retries two."] });
    const id = await idOf(opened, ids[0]);
    await opened.conversations.openExisting(id);
    await sessionOf(opened).actions.setHidden(2, true);
    await opened.conversations.openNew();
    const read = async (number: number) => {
      const done = await recall.read(id, messageId(number), never);
      return done.ok ? [done.value.stored?.message.parts, done.value.messageCount] : done.error;
    };
    assert.deepEqual(await read(0), [[{ kind: "text", text: "Retries one." }], 4]);
    assert.deepEqual(await read(2), [undefined, 4]);
    assert.deepEqual(await read(9), [undefined, 4]);
    assert.deepEqual(await found(recall, "two"), { ...NONE, searched: 1 });
  });

  it("does not wait for the list when cancelled", async () => {
    const { recall, opened } = await withPast({ asked: ["Retries one."] });
    const cancel = new AbortController();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const closing = opened.conversations.whileClosed("any", async () => {
      await ended;
      return { ok: true, value: undefined };
    });
    const searching = recall.search("retries", "all", cancel.signal);
    cancel.abort();
    const done = await searching;
    assert.equal(done.ok ? "" : done.error, "notSearched");
    end();
    await closing;
  });

  async function idOf(opened: OpenedWindow, id: ConversationId | undefined): Promise<ConversationId> {
    return (await listed(opened, id)).id;
  }
});
