import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { cleanUpAfterCrash } from "../../../../src/adapters/node/crashCleanup.ts";
import { originOf } from "../../../../src/core/history/fork.ts";
import { FullHistory } from "../../../../src/core/history/fullHistory.ts";
import { messageId, parseConversationId } from "../../../../src/core/ids.ts";
import { err, ok } from "../../../../src/core/result.ts";
import { forkConversation } from "../../../../src/host/conversations/transfer/forkConversation.ts";
import { newConversation } from "../../../../src/host/conversations/transfer/newConversation.ts";
import type { Session } from "../../../../src/host/session/session.ts";
import { saying, scriptedProvider, type ScriptedAnswer } from "../../../support/models/scriptedProvider.ts";
import { openSession } from "../../../support/session/openSession.ts";
import { openStore } from "../../../support/storage/sqliteStore.ts";
import { addMessage, temporaryFolder } from "../../../support/storage/storeBuilders.ts";

describe("forking a conversation", function () {
  this.timeout(60_000);
  let root: ReturnType<typeof temporaryFolder>;
  let session: Session | undefined;
  beforeEach(() => (root = temporaryFolder()));
  afterEach(async () => {
    await session?.opened.store.close();
    root.remove();
  });
  const at = (...names: readonly string[]): string => join(root.path, "conversations", ...names);
  const others = (): readonly string[] => readdirSync(at()).filter((name) => name !== "origin");

  async function openOrigin(...answers: readonly ScriptedAnswer[]): Promise<Session> {
    mkdirSync(at("origin"), { recursive: true });
    const stored = await openStore(at("origin"));
    const setup = { stored, folder: at("origin") };
    ({ session } = await openSession(scriptedProvider(...answers), undefined, () => undefined, setup));
    return session;
  }

  /** The only conversation but the origin: texts of what is visible, and where it comes from. Removes it. */
  async function forked(): Promise<unknown> {
    const [name = "", ...more] = others();
    assert.deepEqual([more, readdirSync(at(name)).toSorted()], [[], ["conversation.sqlite", "lease.1"]]);
    const store = await openStore(at(name));
    const history = new FullHistory();
    const index = await store.readIndex(0, store.shape.recordCount);
    assert.ok(index.ok);
    for (const record of index.value) history.apply(record);
    const read = await store.readMessages(
      history.entries.filter((entry) => history.isVisible(entry)).map(({ id }) => id),
    );
    await store.close();
    rmSync(at(name), { recursive: true });
    assert.ok(read.ok);
    const texts = read.value.map(({ message: { parts } }) => (parts[0]?.kind === "text" ? parts[0].text : ""));
    return { texts, origin: originOf(history), journal: store.shape.journal };
  }
  const expected = (texts: readonly string[], message: number): unknown => ({
    texts,
    origin: { conversation: session?.opened.id, title: "First?", message },
    journal: [],
  });

  it("copies up to a message in the middle, at the end, and on another branch", async () => {
    const origin = await openOrigin(saying("one"), saying("two"), saying("two again"));
    await origin.send("1", "First?");
    await origin.send("2", "Second?");
    await origin.actions.retry(3);
    const cases: readonly (readonly [last: number, texts: readonly string[]])[] = [
      [1, ["First?", "one"]],
      [2, ["First?", "one", "Second?"]],
      [4, ["First?", "one", "Second?", "two again"]],
    ];
    for (const [last, texts] of cases) {
      assert.ok((await forkConversation(origin, last, { storage: root.path })).ok);
      assert.deepEqual(await forked(), expected(texts, last));
    }
    await origin.actions.showSiblingBranch(4, -1);
    assert.ok((await forkConversation(origin, 4, { storage: root.path })).ok);
    assert.deepEqual(await forked(), expected(["First?", "one", "Second?", "two"], 4));
  });

  it("copies while an answer streams, which is not copied and goes on", async () => {
    let goOn = (): void => undefined;
    const paused = new Promise<void>((resolve) => (goOn = resolve));
    const origin = await openOrigin(saying("one"), async function* (beat) {
      yield { kind: "text", text: "two, " };
      await beat();
      await paused;
      yield { kind: "text", text: "at last" };
      yield { kind: "done", stopReason: "endTurn" };
    });
    await origin.send("1", "First?");
    const sent = origin.send("2", "Second?");
    while (origin.opened.conversation.history.length < 3) await setImmediate();
    assert.ok((await forkConversation(origin, 2, { storage: root.path })).ok);
    assert.deepEqual(await forked(), expected(["First?", "one", "Second?"], 2));
    goOn();
    await sent;
    assert.ok((await forkConversation(origin, 3, { storage: root.path })).ok);
    assert.deepEqual(await forked(), expected(["First?", "one", "Second?", "two, at last"], 3));
  });

  it("leaves nothing behind when it fails", async () => {
    const origin = await openOrigin(saying("one"));
    await origin.send("1", "First?");
    await origin.opened.store.close();
    const refused = await forkConversation(origin, 1, { storage: root.path });
    assert.equal(!refused.ok && refused.error.code === "STORAGE_FAILED" && refused.error.reason, "workerDied");
    assert.deepEqual(others(), []);
    const id = parseConversationId("00000000-0000-4000-8000-000000000009");
    assert.ok(id !== undefined);
    const full = err({ code: "STORAGE_FAILED", reason: "diskFull", detail: "" } as const);
    const filled = await newConversation(at(), id, (folder) => {
      writeFileSync(join(folder, "forking.sqlite"), "half");
      return Promise.resolve(full);
    });
    assert.deepEqual([filled, others()], [full, []]);
  });

  it("leaves nothing in the list when it is killed in the middle", async () => {
    mkdirSync(at("origin"), { recursive: true });
    const store = await openStore(at("origin"));
    for (let id = 0; id < 400; id++) void store.commit([addMessage(id, "words ".repeat(5_000))]);
    const importing = "00000000-0000-4000-8000-000000000009.importing";
    mkdirSync(at("fork"));
    const done = store.fork({ end: messageId(400), records: [] }, at("fork"));
    while (!existsSync(at("fork", "forking.sqlite"))) await setImmediate();
    cpSync(at("fork"), at(importing), { recursive: true });
    assert.ok((await done).ok);
    await store.close();
    rmSync(at("fork"), { recursive: true });
    assert.deepEqual(readdirSync(at(importing)), ["forking.sqlite"]);
    utimesSync(at(importing), 1, 1);
    const places = { conversations: at(), trash: join(root.path, "trash") };
    const holdsMessages = async (folder: string) => {
      const found = await openStore(folder);
      await found.close();
      return ok(found.shape.messageCount > 0);
    };
    assert.deepEqual(await cleanUpAfterCrash(places, { holdsMessages, nowMs: Date.now() }), []);
    assert.deepEqual(others(), []);
  });
});
