/** The open conversation and its replica, on real files. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ERASED_TEXT } from "../../../src/core/history/erasure.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import { messageId } from "../../../src/core/ids.ts";
import { textMessage } from "../../../src/core/message.ts";
import type { Session } from "../../../src/host/session/session.ts";
import type { ForgeError } from "../../../src/core/errors.ts";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import {
  breaking,
  calling,
  saying,
  scriptedProvider,
  type ScriptedAnswer,
} from "../../support/models/scriptedProvider.ts";
import { OpenReplica } from "../../support/replica/openReplica.ts";
import { openSession, type OpenedSession, type SessionSetup } from "../../support/session/openSession.ts";
import { texts } from "../../support/session/testWindows.ts";
import { openStore } from "../../support/storage/sqliteStore.ts";
import { markAsNewer } from "../../support/storage/newerFile.ts";
import { whenTrue } from "../../support/whenTrue.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const CUT_OFF: ForgeError = { code: "SERVICE_UNAVAILABLE", provider: "scripted", reason: "cutOff", detail: "" };
const BUSY = { ok: false, error: { code: "CONVERSATION_BUSY" } };
const STORED = { ok: true, value: "stored" };

const setting = (value: string): ConversationRecord => ({ kind: "setting", name: "tone", value, atMs: 1 });
const hash = (digit: string): string => digit.repeat(32);

function segment(isOwn: boolean): ConversationRecord {
  const info = { writer: "2".repeat(16), sequence: 0, epoch: 1, after: [], count: 1, machine: "laptop" };
  const record = { kind: "segment", segment: { hash: hash(isOwn ? "1" : "2"), ...info }, runs: [] } as const;
  return isOwn ? { ...record, publishedTo: 0 } : record;
}

describe("the open conversation and its replica", function () {
  this.timeout(60_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let open: OpenedSession[];
  beforeEach(() => {
    folder = temporaryFolder();
    open = [];
  });
  afterEach(async () => {
    for (const each of open) await close(each);
    folder.remove();
  });

  async function start(
    answers: readonly ScriptedAnswer[] = [],
    setup: Omit<SessionSetup, "stored"> = {},
  ): Promise<OpenedSession> {
    const stored = await openStore(folder.path);
    const opened = await openSession(scriptedProvider(...answers), undefined, undefined, { ...setup, stored });
    open.push(opened);
    return opened;
  }

  async function close({ session }: Pick<OpenedSession, "session">): Promise<void> {
    await session.shutDown();
    await session.opened.store.close();
  }

  async function recordsOf({ replica }: Session): Promise<readonly ConversationRecord[]> {
    const records: ConversationRecord[] = [];
    for (;;) {
      const page = await replica.read(records.length);
      assert.ok(page.ok);
      if (page.value.length === 0) return records;
      records.push(...page.value);
    }
  }

  it("goes on with what the other machine wrote, and the other way round", async () => {
    const both = new OpenReplica();
    const { session, rows } = await start([saying("Because."), saying("Indeed.")]);
    await session.send("1", "Why?");
    assert.ok((await both.replicate(session)).ok);
    await both.laptop.replicate();
    assert.equal(both.laptop.machine.shown(), "Why? Because.");
    both.laptop.machine.say("user", "From the laptop?");
    both.laptop.machine.say("assistant", "Answered there.");
    await both.laptop.replicate();
    await session.composer.setText("being typed");
    assert.ok((await both.replicate(session)).ok);
    const said = ["Why?", "Because.", "From the laptop?", "Answered there."];
    const shown = said.toSpliced(2, 0, "Continued on “laptop”: 2 messages");
    assert.deepEqual([texts(rows()), session.composer.text], [shown, "being typed"]);
    await session.send("2", "And here?");
    assert.ok((await both.replicate(session)).ok);
    await both.laptop.replicate();
    assert.equal(both.laptop.machine.shown(), [...said, "And here?", "Indeed."].join(" "));
    await close({ session });
    const again = await start();
    assert.deepEqual(texts(again.rows()), [...shown, "And here?", "Indeed."]);
    both.reopen();
    const before = (await recordsOf(again.session)).length;
    assert.ok((await both.replicate(again.session)).ok);
    assert.equal((await recordsOf(again.session)).length, before, "nothing is published twice");
  });

  it("is read in pages of 256 records, and of about a million characters", async () => {
    const { session } = await start();
    const { conversation } = session.opened;
    const facts = { role: "user", state: "complete", createdAtMs: 1, tokens: { cl100k: 9, o200k: 9 } } as const;
    const messages = [0, 1, 2].map((number): ConversationRecord => {
      const id = messageId(number);
      return { kind: "message", entry: { id, turn: id, ...facts }, message: textMessage("user", "x".repeat(600_000)) };
    });
    const written = [...messages, ...Array.from({ length: 300 }, (_, at) => setting(String(at)))];
    await conversation.changeAt(written);
    const sizes: Record<"readIndex" | "read", number[]> = { readIndex: [], read: [] };
    for (const way of ["readIndex", "read"] as const) {
      for (let from = 0; from < written.length;) {
        const page = await session.replica[way](from);
        assert.ok(page.ok);
        sizes[way].push(page.value.length);
        from += page.value.length;
      }
    }
    assert.deepEqual(sizes, { readIndex: [256, 47], read: [2, 256, 45] });
    assert.deepEqual(await recordsOf(session), written);
    assert.deepEqual(await session.replica.readIndex(written.length), { ok: true, value: [] });
  });

  it("takes records at the place that they are for alone", async () => {
    const { session } = await start();
    assert.deepEqual(await session.replica.commit([setting("a"), setting("b")], 0), STORED);
    assert.deepEqual(await session.replica.commit([setting("c")], 1), { ok: true, value: "changed" });
    assert.deepEqual(await session.replica.commit([setting("d")]), STORED);
    assert.deepEqual(await recordsOf(session), [setting("a"), setting("b"), setting("d")]);
  });

  interface BusyState {
    readonly while: string;
    readonly setup?: Omit<SessionSetup, "stored">;
    readonly answers: (held: ScriptedAnswer) => readonly ScriptedAnswer[];
    /** Resolves in that state; `isHeld`: once the held answer has begun. */
    readonly begin: (opened: OpenedSession, isHeld: () => boolean) => Promise<unknown>;
    readonly ownSegment: typeof STORED | typeof BUSY;
  }
  const states: readonly BusyState[] = [
    {
      while: "an answer is being written",
      answers: (held) => [held],
      begin: async ({ session, rows }, isHeld) => {
        void session.send("1", "Why?");
        await whenTrue(isHeld);
        await whenTrue(() => texts(rows()).includes("Half "));
      },
      ownSegment: STORED,
    },
    {
      while: "a tool waits for the person",
      answers: () => [calling("I look.", { id: "c1", name: "look", input: {} })],
      setup: { tools: [fakeTool("look", { effect: "writes" })] },
      begin: async ({ session }) => {
        void session.send("1", "Why?");
        await whenTrue(() => session.waiting === 1);
      },
      ownSegment: STORED,
    },
    {
      while: "an interrupted answer is undecided",
      answers: () => [breaking(CUT_OFF, "Half")],
      begin: async ({ session }) => session.send("1", "Why?"),
      ownSegment: STORED,
    },
    {
      while: "it is being closed",
      answers: () => [],
      begin: async ({ session }) => session.shutDown(),
      ownSegment: BUSY,
    },
  ];
  for (const state of states) {
    it(`takes nothing of another machine while ${state.while}`, async () => {
      const answer = heldAnswer();
      const opened = await start(state.answers(answer.answer), state.setup);
      const { session, rows } = opened;
      await state.begin(opened, () => answer.isBegun());
      const [before, at] = [rows().slice(), session.opened.conversation.recordCount];
      assert.deepEqual(await session.replica.commit([segment(false), setting("a")], at), BUSY);
      assert.deepEqual(await session.replica.commit([segment(false)]), BUSY);
      assert.deepEqual(await session.replica.erase([messageId(0)]), BUSY);
      assert.deepEqual([rows(), session.opened.conversation.recordCount], [before, at]);
      assert.deepEqual(await session.replica.commit([segment(true)]), state.ownSegment);
      assert.deepEqual(rows(), before);
      answer.release();
    });
  }

  it("takes what waited once the answer has ended, or the interrupted one is decided", async () => {
    const both = new OpenReplica();
    const { session, rows } = await start([saying("Because."), breaking(CUT_OFF, "Half")]);
    await session.send("1", "Why?");
    await both.replicate(session);
    await both.laptop.replicate();
    both.laptop.machine.say("user", "From the laptop?");
    await both.laptop.replicate();
    await session.send("2", "And here?");
    assert.deepEqual(await both.replicate(session), BUSY);
    const [interrupted = assert.fail()] = session.recoverable;
    await session.recover(interrupted.stepId, "keep");
    assert.ok((await both.replicate(session)).ok);
    assert.deepEqual(texts(rows()).slice(0, 4), ["Why?", "Because.", "And here?", "Half"]);
    assert.ok((await recordsOf(session)).some((record) => record.kind === "message" && record.entry.id === 4));
  });

  it("takes nothing where it can only be read", async () => {
    await close(await start());
    markAsNewer(join(folder.path, "conversation.sqlite"));
    const { session } = await start();
    assert.equal(session.isReadOnly, true);
    assert.deepEqual(await session.replica.commit([segment(true)]), BUSY);
    assert.deepEqual(await session.replica.commit([setting("a")], 0), BUSY);
    assert.deepEqual(await session.replica.erase([]), BUSY);
    assert.deepEqual(await recordsOf(session), []);
  });

  it("erases what the other machine erased, with its edit, and goes on typing", async () => {
    const both = new OpenReplica();
    const { session, rows } = await start([saying("Because."), saying("Indeed.")]);
    await session.send("1", "The key is Marigold7");
    await session.send("2", "And now?");
    await both.replicate(session);
    await session.composer.setText("being typed");
    await session.composer.edits.set({ messageId: 0, text: "The key is not Marigold7", revision: 1 });
    await session.composer.edits.set({ messageId: 2, text: "And then?", revision: 1 });
    await both.laptop.replicate();
    both.laptop.machine.erase([messageId(0)]);
    await both.laptop.replicate();
    assert.ok((await both.replicate(session)).ok);
    const { composer } = session;
    assert.deepEqual(
      [texts(rows()), composer.text, composer.edits.view.map(({ text }) => text), session.title],
      [[ERASED_TEXT, "Because.", "And now?", "Indeed."], "being typed", ["And then?"], ""],
    );
    await close({ session });
    for (const name of readdirSync(folder.path))
      assert.doesNotMatch(readFileSync(join(folder.path, name), "latin1"), /Marigold7/, name);
  });

  it("tells when it has settled: a turn has ended, or something was changed and nothing runs", async () => {
    const answer = heldAnswer();
    const { session } = await start([answer.answer]);
    let settled = 0;
    session.onDidSettle(() => {
      assert.equal(session.activity, "idle");
      settled++;
    });
    const told = (): number => {
      const before = settled;
      settled = 0;
      return before;
    };
    const sent = session.send("1", "Why?");
    await whenTrue(() => answer.isBegun());
    await session.replica.commit([segment(true)]);
    assert.equal(told(), 0, "an answer is being written");
    answer.release();
    await sent;
    assert.equal(told(), 1);
    await session.actions.setPinned(0, true);
    assert.equal(told(), 1);
    await session.switchModel(session.connection);
    assert.equal(told(), 1);
    await session.replica.commit([setting("a")]);
    assert.equal(told(), 1);
  });
});

/** An answer that waits for `release`. */
function heldAnswer() {
  let isBegun = false;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const answer: ScriptedAnswer = async function* () {
    yield { kind: "text", text: "Half " };
    isBegun = true;
    await released;
    yield { kind: "text", text: "and whole." };
    yield { kind: "done", stopReason: "endTurn" };
  };
  return { answer, isBegun: () => isBegun, release };
}
