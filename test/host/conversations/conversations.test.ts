import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SegmentFolder } from "../../../src/adapters/node/segments/segmentFolder.ts";
import { moveToTrash, restoreFromTrash } from "../../../src/adapters/node/trash.ts";
import { storageFailed } from "../../../src/core/errors.ts";
import type { ConversationId } from "../../../src/core/ids.ts";
import { err } from "../../../src/core/result.ts";
import { SegmentIndex } from "../../../src/core/search/segments/segmentIndex.ts";
import type { OpenedWindow, WindowSetup } from "../../support/session/openConversations.ts";
import { ask, sessionOf, TestWindows, texts, titles } from "../../support/session/testWindows.ts";
import { whenTrue } from "../../support/whenTrue.ts";

describe("Conversations", function () {
  this.timeout(60_000);
  const windows = new TestWindows();
  const start = (around: Pick<WindowSetup, "resolve"> = {}): Promise<OpenedWindow> => windows.start(around);
  const fileOf = (id: ConversationId): string => windows.fileOf(id);

  it("closes the open conversation to move it to the trash, opens a new one, and restores it with its draft", async () => {
    const opened = await start();
    const { conversations, shown } = opened;
    const id = await ask(opened, "Why?");
    await sessionOf(opened).composer.setText("not sent");
    const moved = await conversations.whileClosed(id, () => moveToTrash(id, conversations.places));
    assert.ok(moved.ok);
    assert.ok(sessionOf(opened).isEmpty && sessionOf(opened).opened.id !== id);
    assert.deepEqual(await titles(opened), []);
    assert.deepEqual(
      (await conversations.list("trash")).map(({ meta }) => meta?.title),
      ["Why?"],
    );

    assert.ok((await restoreFromTrash(id, conversations.places)).ok);
    await conversations.openExisting(id);
    assert.deepEqual([texts(shown().rows), shown().composer.text], [["Why?", "Because."], "not sent"]);
  });

  it("reopens the conversation when it could not be moved", async () => {
    const opened = await start();
    const id = await ask(opened, "Why?");
    const moved = await opened.conversations.whileClosed(id, () => Promise.resolve(err(storageFailed("EACCES", "no"))));
    assert.ok(!moved.ok);
    assert.equal(sessionOf(opened).opened.id, id);
    assert.deepEqual(texts(opened.shown().rows), ["Why?", "Because."]);
  });

  it("carries text that cannot be stored, typed while a file is being read, over to the next conversation", async () => {
    const opened = await start();
    await ask(opened, "Why?");
    const session = sessionOf(opened);
    let end = (): void => undefined;
    session.composer.attachments.trackPending(new Promise<void>((resolve) => (end = resolve)));
    const next = opened.conversations.openNew();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(opened.conversations.session, session, "it is being closed");
    session.opened.store.commit = () => Promise.resolve(err(storageFailed("ENOSPC", "full")));
    await session.composer.setText("typed late");
    end();
    await next;
    assert.equal(opened.shown().composer.text.trim(), "typed late");
  });

  it("keeps the open conversation open while another one is moved", async () => {
    const opened = await start();
    const other = await ask(opened, "Who?");
    await opened.conversations.openNew();
    await ask(opened, "Why?");
    const session = sessionOf(opened);
    assert.ok(
      (await opened.conversations.whileClosed(other, () => moveToTrash(other, opened.conversations.places))).ok,
    );
    assert.equal(opened.conversations.session, session);
    assert.deepEqual(await titles(opened), ["Why?"]);
  });

  it("does not move a conversation that is open in another window", async () => {
    const [first, second] = [await start(), await start()];
    const id = await ask(first, "Why?");
    const moved = await second.conversations.whileClosed(id, () => moveToTrash(id, second.conversations.places));
    // Both windows share this process, so the lease is its own, but as alive as one of another process.
    assert.equal(moved.ok ? "moved" : moved.error.code, "CONVERSATION_IN_USE");
    assert.ok(existsSync(fileOf(id)));
    await ask(first, "And?");
  });

  it("rescues a conversation found damaged on opening, and continues it", async () => {
    const opened = await start();
    const id = await ask(opened, "Why?");
    for (let count = 0; count < 3; count++) await ask(opened, `${count} ${"long ".repeat(5_000)}`);
    await opened.conversations.openNew();
    const damaged = readFileSync(fileOf(id));
    damaged.fill(0x5a, damaged.length - 30_000);
    writeFileSync(fileOf(id), damaged);
    await opened.conversations.openExisting(id);
    const { banner, activity } = opened.shown().status;
    assert.deepEqual([activity, banner?.actions[0]?.command], ["blocked", "rescue"]);
    assert.deepEqual(readFileSync(fileOf(id)), damaged);
    assert.equal((await opened.conversations.list())[0]?.broken, "found when it was opened");

    await opened.conversations.rescue();
    const { rows, status } = opened.shown();
    assert.deepEqual([rows.length, status.banner, status.activity], [9, null, "idle"]);
    assert.match(texts(rows).at(-1) ?? "", /^\d messages were rescued\. \d messages could not be read/);
    assert.deepEqual(readFileSync(path.join(path.dirname(fileOf(id)), "damaged-1.sqlite")), damaged);
    assert.equal((await opened.conversations.list())[0]?.broken, undefined);
    await ask(opened, "And?");
  });

  it("closes the open conversation to rescue it, and loses nothing that is readable", async () => {
    const opened = await start();
    const id = await ask(opened, "Why?");
    await opened.conversations.rescue();
    const { rows } = opened.shown();
    assert.deepEqual([sessionOf(opened).opened.id, texts(rows).slice(0, 2)], [id, ["Why?", "Because."]]);
    assert.match(texts(rows).at(-1) ?? "", /^2 messages were rescued\. None is known to be missing\./);
    await ask(opened, "And?");
  });

  it("forgets what the index has of a conversation that is rescued", async () => {
    const opened = await start();
    const id = await ask(opened, "Why?");
    await opened.conversations.openNew();
    const folder = path.join(path.dirname(opened.conversations.places.trash), "search");
    const isIndexed = (): boolean => new SegmentIndex(new SegmentFolder(folder)).conversations.has(id);
    await opened.conversations.listForSearch();
    await whenTrue(isIndexed);
    await opened.conversations.rescue(id);
    await whenTrue(() => !isIndexed());
  });

  it("still lists a conversation from which nothing could be rescued", async () => {
    const opened = await start();
    const id = await ask(opened, "Why?");
    await opened.conversations.openNew();
    writeFileSync(fileOf(id), readFileSync(fileOf(id)).fill(0x5a));
    await opened.conversations.rescue(id);
    await opened.conversations.openNew();
    const listed = await opened.conversations.list();
    assert.deepEqual(
      listed.map((listing) => [listing.id, listing.meta?.messageCount]),
      [[id, 0]],
    );
  });

  it("opens a new conversation on retry after its folder could not be created", async () => {
    writeFileSync(path.join(windows.storage, "conversations"), "no folder");
    const opened = await start();
    assert.equal(opened.shown().status.activity, "blocked");
    rmSync(path.join(windows.storage, "conversations"));
    await opened.conversations.reopen();
    await ask(opened, "Why?");
    assert.deepEqual(await titles(opened), ["Why?"]);
  });

  it("opens a new conversation on retry after its file could not be created", async () => {
    const hidden = path.join(windows.dist, "sql-wasm-debug.js");
    renameSync(hidden, `${hidden}.hidden`);
    const opened = await start().finally(() => {
      renameSync(`${hidden}.hidden`, hidden);
    });
    assert.equal(opened.shown().status.activity, "blocked");
    await opened.conversations.reopen();
    await ask(opened, "Why?");
    assert.equal(opened.shown().status.banner, null);
  });

  it("completes an erase that a crash interrupted", async () => {
    const unfinished = path.join(windows.storage, "trash", "00000000-0000-4000-8000-000000000001.erasing");
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(path.join(unfinished, "conversation.sqlite"), "left");
    await start();
    await whenTrue(() => !existsSync(unfinished));
    assert.deepEqual(readdirSync(path.join(windows.storage, "trash")), []);
  });

  it("applies the last of two connection changes even if the first resolves later", async () => {
    const waiting: (() => void)[] = [];
    let asked = 0;
    const { conversations } = await start({
      resolve: async (usual) => {
        asked++;
        const why = `change ${asked}`;
        if (asked === 2) await new Promise<void>((resolve) => waiting.push(resolve));
        return { ...usual, why };
      },
    });
    const first = conversations.reconnect();
    await conversations.reconnect();
    assert.equal(conversations.session?.connection.why, "change 3");
    for (const go of waiting) go();
    await first;
    assert.equal(conversations.session.connection.why, "change 3");
  });
});
