import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { moveToTrash, restoreFromTrash } from "../../../src/adapters/node/trash.ts";
import { storageFailed } from "../../../src/core/errors.ts";
import { ERASED_TEXT } from "../../../src/core/history/erasure.ts";
import { messageId, type ConversationId } from "../../../src/core/ids.ts";
import { err } from "../../../src/core/result.ts";
import type { Session } from "../../../src/host/session.ts";
import type { Row } from "../../../src/protocol/toView.ts";
import { markAsNewer } from "../../support/newerFile.ts";
import { buildDist, openWindow, type OpenedWindow, type WindowSetup } from "../../support/openConversations.ts";
import { filesWith } from "../../ui/support/storedFiles.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";

describe("Conversations", function () {
  this.timeout(60_000);
  const shipped = temporaryFolder();
  let disk: ReturnType<typeof temporaryFolder>;
  const windows: OpenedWindow[] = [];
  before(() => buildDist(shipped.path));
  after(() => {
    shipped.remove();
  });
  beforeEach(() => (disk = temporaryFolder()));
  afterEach(async () => {
    for (const { conversations } of windows.splice(0)) await conversations.close();
    disk.remove();
  });

  async function start(around: Pick<WindowSetup, "resolve"> = {}): Promise<OpenedWindow> {
    const opened = openWindow({ storage: disk.path, dist: shipped.path, ...around });
    windows.push(opened);
    await opened.conversations.start();
    return opened;
  }

  function sessionOf({ conversations }: OpenedWindow): Session {
    const { session } = conversations;
    assert.ok(session !== undefined, "a conversation is open");
    return session;
  }

  /** Asks something in the open conversation, which is then answered. */
  async function ask(opened: OpenedWindow, text: string): Promise<ConversationId> {
    const session = sessionOf(opened);
    await session.send(text, text);
    return session.opened.id;
  }

  const fileOf = (id: ConversationId): string => path.join(disk.path, "conversations", id, "conversation.sqlite");
  const texts = (rows: readonly Row[]): readonly string[] =>
    rows.map((row) => (row.kind === "summary" ? row.rowId : row.text));
  const titles = async ({ conversations }: OpenedWindow): Promise<readonly (string | undefined)[]> =>
    (await conversations.list()).map(({ meta }) => meta?.title);

  it("lets the open conversation go for the trash, begins another, and has all of it back from there", async () => {
    const opened = await start();
    const { conversations, shown } = opened;
    const id = await ask(opened, "Why?");
    await sessionOf(opened).setDraft("not sent");
    const moved = await conversations.without(id, () => moveToTrash(id, conversations.places));
    assert.ok(moved.ok);
    assert.ok(sessionOf(opened).isEmpty && sessionOf(opened).opened.id !== id);
    assert.deepEqual(await titles(opened), []);
    assert.deepEqual(
      (await conversations.list("trash")).map(({ meta }) => meta?.title),
      ["Why?"],
    );

    assert.ok((await restoreFromTrash(id, conversations.places)).ok);
    await conversations.openExisting(id);
    assert.deepEqual([texts(shown().rows), shown().draft], [["Why?", "Because."], "not sent"]);
  });

  it("opens the conversation again when it could not be moved", async () => {
    const opened = await start();
    const id = await ask(opened, "Why?");
    const moved = await opened.conversations.without(id, () => Promise.resolve(err(storageFailed("EACCES", "no"))));
    assert.ok(!moved.ok);
    assert.equal(sessionOf(opened).opened.id, id);
    assert.deepEqual(texts(opened.shown().rows), ["Why?", "Because."]);
  });

  it("leaves the open conversation alone while another one is moved", async () => {
    const opened = await start();
    const other = await ask(opened, "Who?");
    await opened.conversations.openNew();
    await ask(opened, "Why?");
    const session = sessionOf(opened);
    assert.ok((await opened.conversations.without(other, () => moveToTrash(other, opened.conversations.places))).ok);
    assert.equal(opened.conversations.session, session);
    assert.deepEqual(await titles(opened), ["Why?"]);
  });

  it("moves none that is open in another window", async () => {
    const [first, second] = [await start(), await start()];
    const id = await ask(first, "Why?");
    const moved = await second.conversations.without(id, () => moveToTrash(id, second.conversations.places));
    // Both windows are of this process, so the lease is the process's own; it is as alive as that of another one.
    assert.equal(moved.ok ? "moved" : moved.error.code, "CONVERSATION_IN_USE");
    assert.ok(existsSync(fileOf(id)));
    await ask(first, "And?");
  });

  it("rescues a conversation that was found damaged when it was opened, and goes on with it", async () => {
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

  it("lets the open conversation go to rescue it, and loses nothing that can be read", async () => {
    const opened = await start();
    const id = await ask(opened, "Why?");
    await opened.conversations.rescue();
    const { rows } = opened.shown();
    assert.deepEqual([sessionOf(opened).opened.id, texts(rows).slice(0, 2)], [id, ["Why?", "Because."]]);
    assert.match(texts(rows).at(-1) ?? "", /^2 messages were rescued\. None is known to be missing\./);
    await ask(opened, "And?");
  });

  it("never hides a conversation of which nothing could be rescued", async () => {
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

  it("begins another one when a new one could not be made and is tried again", async () => {
    writeFileSync(path.join(disk.path, "conversations"), "no folder");
    const opened = await start();
    assert.equal(opened.shown().status.activity, "blocked");
    rmSync(path.join(disk.path, "conversations"));
    await opened.conversations.reopen();
    await ask(opened, "Why?");
    assert.deepEqual(await titles(opened), ["Why?"]);
  });

  it("begins another one when the file of a new one could not be made", async () => {
    const hidden = path.join(shipped.path, "sql-wasm-debug.js");
    renameSync(hidden, `${hidden}.hidden`);
    const opened = await start().finally(() => {
      renameSync(`${hidden}.hidden`, hidden);
    });
    assert.equal(opened.shown().status.activity, "blocked");
    await opened.conversations.reopen();
    await ask(opened, "Why?");
    assert.equal(opened.shown().status.banner, null);
  });

  it("reads what a newer Forge wrote, changes nothing of it, and takes what was being typed along", async () => {
    const opened = await start();
    const id = await ask(opened, "Why?");
    await sessionOf(opened).setDraft("typed there");
    await opened.conversations.openNew();
    markAsNewer(fileOf(id));
    const folder = path.dirname(fileOf(id));
    const content = () =>
      readdirSync(folder)
        .filter((name) => !name.startsWith("lease.") && name !== "requests")
        .map((name) => [name, readFileSync(path.join(folder, name), "utf8")]);
    const before = content();

    await opened.conversations.openExisting(id);
    const session = sessionOf(opened);
    const { rows, draft, status } = opened.shown();
    assert.deepEqual([texts(rows), draft, status.activity], [["Why?", "Because."], "typed there", "readOnly"]);
    assert.match(status.banner?.text ?? "", /newer Forge\. You can read and search it here; update Forge/);
    const found = await session.opened.store.search("because", { limit: 1 });
    assert.equal(found.ok && found.value.length, 1);
    await session.send("1", "And?");
    await session.retry();
    assert.equal(await session.alone("summarizing", () => Promise.reject(new Error("not run"))), false);
    const erased = await session.erasing.erase(messageId(0));
    assert.equal(erased.ok ? "" : erased.error.code, "CANCELLED");
    await session.setDraft("typed here");
    assert.deepEqual([opened.shown().draft, texts(opened.shown().rows)], ["typed here", ["Why?", "Because."]]);
    await opened.conversations.list();
    await opened.conversations.openNew();
    assert.deepEqual(content(), before);
    assert.deepEqual([opened.shown().draft, opened.shown().status.activity], ["typed here", "idle"]);
    assert.equal(opened.shown().status.banner, null);
  });

  it("erases a message for good: from every file, from what is shown, and from the list", async () => {
    const opened = await start();
    const id = await ask(opened, "The key is Marigold7");
    await ask(opened, "What is it good for?");
    const session = sessionOf(opened);
    await session.setDraft("being typed");
    assert.deepEqual(await titles(opened), ["The key is Marigold7"]);
    assert.deepEqual(session.erasing.reachOf(messageId(0)), { messages: 1, summaries: 0 });
    assert.deepEqual(await session.erasing.erase(messageId(0)), { ok: true, value: undefined });
    assert.deepEqual(texts(opened.shown().rows), [ERASED_TEXT, "Because.", "What is it good for?", "Because."]);
    assert.equal(opened.shown().draft, "being typed");
    await opened.conversations.list();
    assert.deepEqual(filesWith(disk.path, "Marigold7"), []);
    await opened.conversations.openNew();
    await opened.conversations.openExisting(id);
    assert.deepEqual(texts(opened.shown().rows), [ERASED_TEXT, "Because.", "What is it good for?", "Because."]);
    assert.equal(opened.shown().draft, "being typed");
    await ask(opened, "And now?");
    assert.equal(opened.shown().rows.length, 6);
  });

  it("keeps the title that was made of the first message when another one is erased", async () => {
    const opened = await start();
    await ask(opened, "Why?");
    await ask(opened, "The key is Marigold7");
    await sessionOf(opened).erasing.erase(messageId(2));
    assert.deepEqual(await titles(opened), ["Why?"]);
    assert.deepEqual(filesWith(disk.path, "Marigold7"), []);
  });

  it("ends an erasing that a crash interrupted", async () => {
    const unfinished = path.join(disk.path, "trash", "00000000-0000-4000-8000-000000000001.erasing");
    mkdirSync(unfinished, { recursive: true });
    writeFileSync(path.join(unfinished, "conversation.sqlite"), "left");
    await start();
    for (let tries = 0; tries < 100 && existsSync(unfinished); tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual(readdirSync(path.join(disk.path, "trash")), []);
  });

  it("takes the last of two changes, though what was asked for the first one comes later", async () => {
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
