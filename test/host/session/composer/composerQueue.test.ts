import assert from "node:assert/strict";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import { textOf } from "../../../../src/core/message.ts";
import { sendingIn, sentIn } from "../../../support/session/composed.ts";
import { memoryDisk, type MemoryDisk } from "../../../support/storage/memoryStore.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { saying, scriptedProvider, type ScriptedAnswer } from "../../../support/models/scriptedProvider.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };
const waiting = ({ session }: OpenedSession): readonly string[] =>
  session.composer.queue.view.items.map(({ text }) => text);
const storedText = (disk: MemoryDisk): readonly string[] =>
  disk.records.flatMap((record) => (record.kind === "message" ? [textOf(record.message)] : []));
/** Resolves with the first delta of the answer, which is stored by then. */
const begun = ({ emitted }: OpenedSession): Promise<void> =>
  whenTrue(() => emitted.some(({ kind }) => kind === "delta"));
/** Resolves when the session is idle with `messageCount` stored messages. */
const settled = ({ session, disk }: OpenedSession, messageCount: number): Promise<void> =>
  whenTrue(() => session.activity === "idle" && disk.journal.length === 0 && storedText(disk).length === messageCount);

/** An answer that ends when `release` is called. */
function heldAnswer(text: string): { readonly answer: ScriptedAnswer; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    release: () => {
      release();
    },
    answer: async function* () {
      yield { kind: "text", text };
      await released;
      yield { kind: "done", stopReason: "endTurn" };
    },
  };
}

describe("messages queued while an answer is written", () => {
  it("are sent in order when the answer is complete", async () => {
    const first = heldAnswer("one");
    const opened = await openSession(scriptedProvider(first.answer, saying("two"), saying("three")));
    const { session, disk, emitted } = opened;
    void session.send("1", "Q1");
    await begun(opened);
    await session.composer.setText("Q2");
    await session.send("2", "Q2");
    await session.send("3", "Q3");
    assert.deepEqual([waiting(opened), session.composer.text, disk.draft], [["Q2", "Q3"], "", ""]);
    assert.deepEqual([sentIn(emitted), sendingIn(emitted)], [["now", "queued", "queued"], []]);
    await session.composer.setText("typed meanwhile");
    first.release();
    await settled(opened, 6);
    assert.deepEqual(storedText(disk), ["Q1", "one", "Q2", "two", "Q3", "three"]);
    assert.deepEqual([waiting(opened), disk.journal, session.composer.text], [[], [], "typed meanwhile"]);
  });

  it("can be changed and removed, and are not sent while one is edited", async () => {
    const first = heldAnswer("one");
    const opened = await openSession(scriptedProvider(first.answer, saying("two")));
    const { session, disk } = opened;
    void session.send("1", "Q1");
    await begun(opened);
    for (const [id, text] of ["Q2", "Q3", "Q4"].entries()) await session.send(String(id + 2), text);
    const [one, two, three] = session.composer.queue.view.items.map(({ queueId }) => queueId);
    assert.ok(one && two && three);
    await session.composer.queue.edit(one, true);
    first.release();
    await whenTrue(() => session.activity === "idle" && storedText(disk).length === 2);
    assert.equal(session.activity, "idle");
    for (const text of ["Q2 ch", "Q2 changed"]) await session.composer.queue.change(one, text);
    await session.composer.queue.remove(two);
    await session.composer.queue.change(three, "  ");
    await session.composer.queue.edit(three, false);
    assert.deepEqual(waiting(opened), ["Q2 changed"], "one without words goes when its edit ends");
    await session.composer.queue.edit(one, false);
    await settled(opened, 4);
    assert.deepEqual(storedText(disk), ["Q1", "one", "Q2 changed", "two"]);
  });

  for (const [why, end] of [
    ["was stopped", undefined],
    ["failed", { code: "AUTH_FAILED", provider: "scripted", detail: "" }],
  ] as const) {
    it(`are held when the answer ${why}`, async () => {
      let stop = (): void => undefined;
      const answer: ScriptedAnswer = async function* (beat) {
        yield { kind: "text", text: "half" };
        for (let turn = 0; turn < 5; turn++) await beat();
        if (end === undefined) stop();
        await beat();
        yield end === undefined ? { kind: "text", text: " never" } : { kind: "failed", error: end };
      };
      const opened = await openSession(scriptedProvider(answer, saying("now"), saying("two")));
      const { session, disk } = opened;
      stop = () => {
        session.stop();
      };
      const sent = session.send("1", "Q1");
      await whenTrue(() => disk.journal.length > 0);
      await session.send("2", "Q2");
      await sent;
      await whenTrue(() => session.composer.queue.view.isHeld);
      assert.deepEqual([waiting(opened), session.composer.queue.view.isHeld], [["Q2"], true]);
      await session.send("3", "instead");
      await whenTrue(() => session.activity === "idle");
      assert.deepEqual(waiting(opened), ["Q2"], "what is typed now is the user's word, and the queue waits on");
      await session.composer.queue.release();
      assert.deepEqual(storedText(disk).slice(-4), ["instead", "now", "Q2", "two"]);
      assert.equal(session.composer.queue.view.isHeld, false);
    });
  }

  it("survive a crash in order and are held until the user releases them", async () => {
    const disk = memoryDisk();
    const first = heldAnswer("one");
    const opened = await openSession(scriptedProvider(first.answer), disk);
    const { session } = opened;
    void session.send("1", "Q1");
    await begun(opened);
    for (const [id, text] of ["Q2", "Q3", "Q4"].entries()) await session.send(String(id + 2), text);
    const crashed = structuredClone(disk);
    const provider = scriptedProvider(saying("two"), saying("three"), saying("four"));
    const after = await openSession(provider, crashed);
    assert.deepEqual([waiting(after), after.session.composer.queue.view.isHeld], [["Q2", "Q3", "Q4"], true]);
    assert.equal(after.session.recoverable.length, 1, "the cut answer is one thing, the queue another");
    await after.session.composer.queue.release();
    await settled(after, 8);
    assert.deepEqual(storedText(crashed), ["Q1", "one", "Q2", "two", "Q3", "three", "Q4", "four"]);
    assert.deepEqual(crashed.journal, []);
  });

  it("are sent once after a crash at any commit", async () => {
    const disk = memoryDisk();
    const first = heldAnswer("one");
    const opened = await openSession(scriptedProvider(first.answer, saying("two")), disk);
    const states: MemoryDisk[] = [];
    const commit = opened.store.commit.bind(opened.store);
    opened.store.commit = async (writes) => {
      const stored = await commit(writes);
      states.push(structuredClone(disk));
      return stored;
    };
    void opened.session.send("1", "Q1");
    await begun(opened);
    await opened.session.send("2", "Q2");
    const from = states.length;
    first.release();
    await settled(opened, 4);
    for (const state of states.slice(from)) {
      const after = await openSession(scriptedProvider(saying("two")), state);
      await after.session.composer.queue.release();
      assert.equal(storedText(state).filter((text) => text === "Q2").length, 1);
    }
    assert.ok(states.length > from + 3);
  });

  it("are not queued when they cannot be stored or are oversized", async () => {
    const first = heldAnswer("one");
    const opened = await openSession(scriptedProvider(first.answer));
    const { session, store, emitted, banners } = opened;
    void session.send("1", "Q1");
    await begun(opened);
    store.failNext = diskFull;
    await session.send("2", "Q2");
    assert.deepEqual([sentIn(emitted), sendingIn(emitted)], [["now"], []]);
    assert.match(banners.at(-1)?.text ?? "", /disk is full/);
    await session.send("3", "word ".repeat(200_000));
    assert.deepEqual([sentIn(emitted), sendingIn(emitted)], [["now"], []]);
    assert.match(banners.at(-1)?.text ?? "", /does not fit/);
    assert.deepEqual(waiting(opened), []);
    await session.send("4", "Q2"); // each time that the user sends it has an id of its own
    assert.deepEqual(waiting(opened), ["Q2"], "it can be sent again");
  });

  it("are held when one of them cannot be stored as a message", async () => {
    const first = heldAnswer("one");
    const opened = await openSession(scriptedProvider(first.answer, saying("two")), memoryDisk(), (body) => {
      if (body.kind === "rowChanged" && body.row.kind === "message" && body.row.text === "one")
        opened.store.failNext = diskFull;
    });
    void opened.session.send("1", "Q1");
    await begun(opened);
    await opened.session.send("2", "Q2");
    first.release();
    await whenTrue(() => opened.session.composer.queue.view.isHeld && opened.session.activity === "idle");
    assert.deepEqual([waiting(opened), opened.session.composer.queue.view.isHeld], [["Q2"], true]);
    await opened.session.composer.queue.release();
    assert.deepEqual(storedText(opened.disk), ["Q1", "one", "Q2", "two"]);
  });

  it("are sent once when the view repeats a request at the same time", async () => {
    const first = heldAnswer("one");
    const opened = await openSession(scriptedProvider(first.answer, saying("two")));
    const { session, disk } = opened;
    await Promise.race([Promise.all([session.send("1", "Q1"), session.send("1", "Q1")]), begun(opened)]);
    await Promise.all([session.send("2", "Q2"), session.send("2", "Q2")]);
    assert.deepEqual(waiting(opened), ["Q2"]);
    first.release();
    await settled(opened, 4);
    assert.deepEqual(storedText(disk), ["Q1", "one", "Q2", "two"]);
  });
});
