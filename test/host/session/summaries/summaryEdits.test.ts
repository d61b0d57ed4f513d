/** Summaries that the user edits: all versions are saved, undo and redo step through them, and the originals stay. */

import assert from "node:assert/strict";
import { messageId, summaryId } from "../../../../src/core/ids.ts";
import { summaryOriginals } from "../../../../src/host/session/summaries/summaryDetail.ts";
import type { SummaryRow } from "../../../../src/protocol/summaryView.ts";
import { changesIn } from "../../../support/session/composed.ts";
import { memoryDisk } from "../../../support/storage/memoryStore.ts";
import { fakeTool } from "../../../support/editor/fakeTools.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { calling, saying, scriptedProvider } from "../../../support/models/scriptedProvider.ts";

const rule = "Never edit data/tides.csv by hand; the port office signs it. ";
const notes = "## Goal\nKeep `data/tides.csv` right.";
const again = "## Goal\nThe tides in data/tides.csv are signed by the port office.";

/** Six turns, the older ones summarized. */
async function summarized(...more: readonly string[]): Promise<OpenedSession> {
  const answers = Array.from({ length: 6 }, () => saying(rule.repeat(20)));
  const provider = scriptedProvider(...answers, ...[notes, ...more].map((text) => saying(text)));
  const opened = await openSession(provider, memoryDisk());
  for (let turn = 0; turn < 6; turn++) await opened.session.send(String(turn), `${rule.repeat(10)} Question ${turn}?`);
  const done = await opened.session.summaries.summarizeNow({ focus: "the rule on the file" });
  assert.ok(done.ok && done.value !== undefined);
  return opened;
}

function place({ rows }: OpenedSession): SummaryRow {
  const [row, ...others] = rows().filter(({ kind }) => kind === "summary");
  assert.ok(row?.kind === "summary" && others.length === 0);
  return row;
}

async function sent({ session }: OpenedSession): Promise<string> {
  const prepared = session.opened.manager.prepare();
  assert.ok(prepared.kind === "ready");
  const messages = await prepared.context.apiMessages();
  assert.ok(messages.ok);
  return JSON.stringify(messages.value);
}

describe("summary edited by the user", () => {
  it("is undone and redone version by version, down to the originals and back", async () => {
    const opened = await summarized();
    const { session } = opened;
    const byModel = await sent(opened);
    assert.deepEqual((await session.summaries.edit(0, "The file is signed. Leave data/tides.csv alone.")).ok, true);
    const edited = await sent(opened);
    assert.match(edited, /Leave data\/tides\.csv alone/);
    assert.doesNotMatch(edited, /Keep `data/);
    assert.deepEqual([place(opened).summaryId, place(opened).rowId, place(opened).versionCount], [1, "summary-0", 2]);

    await session.summaries.setState(1, "undone");
    assert.equal(await sent(opened), byModel);
    assert.deepEqual([place(opened).summaryId, place(opened).redoId], [0, 1]);
    await session.summaries.setState(0, "undone");
    assert.match(await sent(opened), /Question 0\?/);
    assert.deepEqual([place(opened).state, place(opened).redoId], ["undone", 0]);

    await session.summaries.setState(0, "active");
    assert.equal(await sent(opened), byModel);
    await session.summaries.setState(1, "active");
    assert.equal(await sent(opened), edited);
    assert.equal(place(opened).redoId, null);
  });

  it("switches to any version and back to the later one", async () => {
    const opened = await summarized();
    const { session } = opened;
    const byModel = await sent(opened);
    await session.summaries.edit(0, "Leave data/tides.csv alone.");
    const edited = await sent(opened);
    assert.ok((await session.summaries.use(0)).ok);
    assert.equal(await sent(opened), byModel);
    assert.deepEqual(
      session.summaries.detail(0)?.versions.map(({ summaryId: id, isShown }) => [id, isShown]),
      [
        [0, true],
        [1, false],
      ],
    );
    assert.ok((await session.summaries.use(1)).ok);
    assert.equal(await sent(opened), edited);
  });

  it("is rewritten with the user's focus as a version in the same row", async () => {
    const opened = await summarized(again);
    const done = await opened.session.summaries.summarizeNow({
      regenerate: { id: summaryId(0), sizePercent: 50 },
      focus: "who signs",
    });
    assert.ok(done.ok && done.value !== undefined);
    assert.match(await sent(opened), /signed by the port office/);
    assert.deepEqual([place(opened).summaryId, place(opened).rowId], [1, "summary-0"]);
  });

  it("shows how many facts the user's text retains and redacts secrets", async () => {
    const opened = await summarized();
    const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz";
    await opened.session.summaries.edit(0, `Nothing of it. ${key}`);
    const { factsKept, factsTotal, meta } = place(opened);
    assert.ok(factsKept < factsTotal, `${factsKept} of ${factsTotal}`);
    assert.match(meta, /^Edited by you · /);
    assert.ok(!(await sent(opened)).includes(key));
  });

  it("marks exactly the details that the originals do not contain", async () => {
    const opened = await summarized();
    const text = "Keep `data/tides.csv` [unverified] at 417 [unverified] metres, as src/ghost/port.ts says.";
    assert.ok((await opened.session.summaries.edit(0, text)).ok);
    assert.deepEqual(opened.session.summaries.detail(1)?.unverified, ["417", "src/ghost/port.ts"]);
    assert.equal(place(opened).unverifiedCount, 2);
    assert.ok((await opened.session.summaries.edit(1, "Never edit data/tides.csv by hand.")).ok);
    assert.equal(place(opened).unverifiedCount, 0);
  });

  it("is rejected when it is not smaller than the covered messages, and the previous version stays", async () => {
    const opened = await summarized();
    const before = await sent(opened);
    const done = await opened.session.summaries.edit(0, rule.repeat(2_000));
    assert.ok(!done.ok && done.error.code === "VALIDATION_ERROR");
    assert.match(done.error.expected, /^fewer than the [\d.]+k that it stands for$/);
    assert.equal(await sent(opened), before);
    assert.equal(place(opened).versionCount, 1);
  });

  it("is restored with its versions after a restart", async () => {
    const opened = await summarized();
    await opened.session.summaries.edit(0, "Leave data/tides.csv alone.");
    await opened.session.summaries.setState(1, "undone");
    const again = await openSession(scriptedProvider(), opened.disk);
    assert.deepEqual([place(again).summaryId, place(again).redoId, place(again).versionCount], [0, 1, 2]);
    await again.session.summaries.setState(1, "active");
    assert.match(await sent(again), /Leave data\/tides\.csv alone/);
  });

  it("retains a typed edit until it is saved, also after a restart", async () => {
    const { session, disk } = await summarized();
    const edit = { summaryId: 0, text: "Leave data/tides.csv", revision: 1 };
    await session.composer.edits.set(edit);
    await session.composer.edits.set({ summaryId: 1, text: "of no summary", revision: 1 });
    assert.deepEqual(session.composer.edits.view, [edit]);
    const again = await openSession(scriptedProvider(), disk);
    assert.deepEqual(again.session.composer.edits.view, [edit]);
    assert.equal((await again.session.summaries.edit(0, rule.repeat(2_000))).ok, false);
    assert.deepEqual(again.session.composer.edits.view, [edit]);
    assert.ok((await again.session.summaries.edit(0, "Leave data/tides.csv alone.")).ok);
    assert.deepEqual([again.session.composer.edits.view, disk.journal], [[], []]);
    assert.deepEqual(
      changesIn(again.emitted).flatMap(({ edits }) => (edits === undefined ? [] : [edits])),
      [[]],
    );
  });

  it("drops a typed edit when a covered message is erased", async () => {
    const { session, disk } = await summarized();
    await session.composer.edits.set({ summaryId: 0, text: "The key is Marigold7", revision: 1 });
    assert.ok((await session.erasing.erase(messageId(0))).ok);
    await session.composer.edits.set({ summaryId: 0, text: "The key is Marigold8", revision: 9 });
    assert.deepEqual(session.composer.edits.view, []);
    assert.doesNotMatch(JSON.stringify(disk), /Marigold/);
  });

  it("shows its originals page by page with tool calls and results", async () => {
    const provider = scriptedProvider(
      calling("I **look**.", { id: "a", name: "look", input: { path: "data/tides.csv" } }),
      ...Array.from({ length: 12 }, () => saying(rule.repeat(20))),
      saying(notes),
    );
    const setup = { tools: [fakeTool("look")], always: new Set(["look"]) };
    const { session } = await openSession(provider, memoryDisk(), undefined, setup);
    for (let turn = 0; turn < 12; turn++) await session.send(String(turn), `${rule.repeat(10)} Question ${turn}?`);
    const done = await session.summaries.summarizeNow();
    assert.ok(done.ok && done.value !== undefined);
    const source = { history: session.opened.manager.history, store: session.opened.store };
    const first = await summaryOriginals(0, 0, source);
    assert.ok(first.ok);
    const { messages, total } = first.value;
    assert.deepEqual(
      messages.slice(0, 4).map(({ role, text, calls }) => [role, text.slice(0, 11), calls.map(({ state }) => state)]),
      [
        ["user", "Never edit ", []],
        ["assistant", "I **look**.", ["done"]],
        ["tool", messages[2]?.text.slice(0, 11), []],
        ["assistant", "Never edit ", []],
      ],
    );
    assert.ok(messages[2]?.text !== "" && total > messages.length - 1);
    const rest = await summaryOriginals(0, messages.length, source);
    assert.ok(rest.ok);
    assert.deepEqual([rest.value.from, messages.length + rest.value.messages.length], [messages.length, total]);
  });
});
