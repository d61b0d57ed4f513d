/** Erasure and read-only conversations, on real files. */

import type { ConversationStore } from "../../../src/core/store/conversationStore.ts";
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ERASED_TEXT } from "../../../src/core/history/erasure.ts";
import { messageId } from "../../../src/core/ids.ts";
import { markAsNewer } from "../../support/storage/newerFile.ts";
import { openStore } from "../../support/storage/sqliteStore.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { ask, sessionOf, TestWindows, texts, titles } from "../../support/session/testWindows.ts";
import { filesWith } from "../../ui/support/storedFiles.ts";

describe("erasure and read-only conversations", function () {
  this.timeout(60_000);
  const windows = new TestWindows();

  it("opens a conversation of a newer Forge without changing its files and carries its draft along", async () => {
    const opened = await windows.start();
    const id = await ask(opened, "Why?");
    await sessionOf(opened).composer.setText("typed there");
    await opened.conversations.openNew();
    markAsNewer(windows.fileOf(id));
    const folder = path.dirname(windows.fileOf(id));
    const content = () =>
      readdirSync(folder)
        .filter((name) => !name.startsWith("lease.") && name !== "requests")
        .map((name) => [name, readFileSync(path.join(folder, name), "utf8")]);
    const before = content();

    await opened.conversations.openExisting(id);
    const session = sessionOf(opened);
    const { rows, composer, status } = opened.shown();
    assert.deepEqual([texts(rows), composer.text, status.activity], [["Why?", "Because."], "typed there", "readOnly"]);
    assert.match(status.banner?.text ?? "", /newer Forge\. You can read and search it here; update Forge/);
    const found = await session.opened.store.search("because", { limit: 1 });
    assert.equal(found.ok && found.value.length, 1);
    await session.send("1", "And?");
    await session.retry();
    assert.equal(await session.run.runIfIdle("summarizing", () => Promise.reject(new Error("not run"))), false);
    const erased = await session.erasing.erase(messageId(0));
    assert.equal(erased.ok ? "" : erased.error.code, "CANCELLED");
    await session.composer.setText("typed here");
    assert.deepEqual([opened.shown().composer.text, texts(opened.shown().rows)], ["typed here", ["Why?", "Because."]]);
    await opened.conversations.list();
    await opened.conversations.openNew();
    assert.deepEqual(content(), before);
    assert.deepEqual([opened.shown().composer.text, opened.shown().status.activity], ["typed here", "idle"]);
    assert.equal(opened.shown().status.banner, null);
  });

  it("erases a message from every file, the transcript, its edits and the list", async () => {
    const opened = await windows.start();
    const id = await ask(opened, "The key is Marigold7");
    await ask(opened, "What is it good for?");
    const session = sessionOf(opened);
    await session.composer.setText("being typed");
    await session.composer.edits.set({ messageId: 0, text: "The key is not Marigold7", revision: 1 });
    await session.composer.edits.set({ messageId: 2, text: "What is it for?", revision: 1 });
    assert.deepEqual(await titles(opened), ["The key is Marigold7"]);
    assert.deepEqual(session.erasing.erasureScope(messageId(0)), { messages: 1, summaries: 0 });
    assert.deepEqual(await session.erasing.erase(messageId(0)), { ok: true, value: undefined });
    assert.deepEqual(texts(opened.shown().rows), [ERASED_TEXT, "Because.", "What is it good for?", "Because."]);
    assert.equal(opened.shown().composer.text, "being typed");
    await opened.conversations.list();
    assert.deepEqual(filesWith(windows.storage, "Marigold7"), []);
    await opened.conversations.openNew();
    await opened.conversations.openExisting(id);
    assert.deepEqual(texts(opened.shown().rows), [ERASED_TEXT, "Because.", "What is it good for?", "Because."]);
    assert.equal(opened.shown().composer.text, "being typed");
    assert.deepEqual(opened.shown().composer.edits, [{ messageId: 2, text: "What is it for?", revision: 1 }]);
    await ask(opened, "And now?");
    assert.equal(opened.shown().rows.length, 6);
  });

  it("preserves the draft when Forge is killed right after an erasure", async () => {
    const opened = await windows.start();
    const id = await ask(opened, "The key is Marigold7");
    const session = sessionOf(opened);
    await session.composer.setText("an hour of typing");
    const { store } = session.opened as unknown as { readonly store: ConversationStore };
    const erase = store.erase.bind(store);
    const left = temporaryFolder();
    store.erase = async (erasure) => {
      const erased = await erase(erasure);
      cpSync(path.dirname(windows.fileOf(id)), left.path, { recursive: true });
      return erased;
    };
    assert.ok((await session.erasing.erase(messageId(0))).ok);
    const found = await openStore(left.path);
    assert.equal(found.shape.draft, "an hour of typing");
    await found.close();
    left.remove();
  });

  it("keeps the title taken from the first message when another one is erased", async () => {
    const opened = await windows.start();
    await ask(opened, "Why?");
    await ask(opened, "The key is Marigold7");
    await sessionOf(opened).erasing.erase(messageId(2));
    assert.deepEqual(await titles(opened), ["Why?"]);
    assert.deepEqual(filesWith(windows.storage, "Marigold7"), []);
  });
});
