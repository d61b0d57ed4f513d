import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { OpenedWindow, WindowSetup } from "../../support/session/openConversations.ts";
import { TEMPORARY_PREFIX } from "../../../src/adapters/node/files.ts";
import { HeldModel } from "../../support/session/summarizedSession.ts";
import { sessionOf, TestWindows, texts } from "../../support/session/testWindows.ts";
import { whenTrue } from "../../support/whenTrue.ts";

describe("a summary requested by the user", function () {
  this.timeout(60_000);
  const windows = new TestWindows();
  const start = (around: Pick<WindowSetup, "resolve"> = {}): Promise<OpenedWindow> => windows.start(around);

  /** A window whose model holds its summaries back, with a conversation long enough for one. */
  const talked = async () => {
    const model = new HeldModel();
    model.script = "held";
    const opened = await start({ resolve: (usual) => Promise.resolve({ ...usual, provider: model }) });
    const session = sessionOf(opened);
    for (let turn = 0; turn < 6; turn++) await session.send(`turn-${String(turn)}`, "What of this, please?");
    const done = session.summaries.summarizeNow();
    await whenTrue(() => model.held === 1);
    return { ...opened, model, session, done };
  };

  it("is cancelled when its conversation is closed, with a notice in the one shown next", async () => {
    const { conversations, shown, session, done } = await talked();
    const [id, rows] = [session.opened.id, texts(shown().rows)];
    await conversations.openNew();
    assert.match(shown().status.banner?.text ?? "", /^The summary of “What of this, please\?” was cancelled/);
    assert.ok(!(await done).ok);
    await conversations.openExisting(id);
    assert.equal(shown().status.banner, null, "it is said once");
    assert.deepEqual(texts(shown().rows), rows);
    assert.equal(sessionOf({ conversations }).opened.manager.history.summaryCount, 0);
  });

  it("is cancelled when its conversation is moved to another window, with a notice in the old one", async () => {
    const { shown, session, done } = await talked();
    const other = await start();
    await other.conversations.openExisting(session.opened.id);
    await other.conversations.moveHere();
    assert.deepEqual(await done, { ok: false, error: { code: "CANCELLED" } });
    assert.equal(
      shown().status.banner?.text,
      "This conversation was moved to another window. Nothing is lost. " +
        "The summary that was being written was cancelled; you can summarize again there.",
    );
    const { manager, id } = sessionOf(other).opened;
    assert.deepEqual([id, manager.history.summaryCount], [session.opened.id, 0]);
    assert.deepEqual(
      [shown, other.shown].map((view) => view().status.progress),
      [null, null],
    );
  });

  const lost =
    "The summary that you requested was not finished when this conversation was last open. Nothing was changed.";

  it("is cancelled when the window is closed, with a single notice in the next one", async () => {
    const { conversations, done } = await talked();
    await conversations.close();
    assert.ok(!(await done).ok);
    const next = await start();
    assert.equal(next.shown().status.banner?.text, lost);
    await next.conversations.close();
    assert.equal((await start()).shown().status.banner, null);
  });

  it("is reported after a crash, unless it had already ended", async () => {
    const { conversations, session, done, model } = await talked();
    const { folder } = session.opened;
    // A file that is being written has a temporary name for a moment.
    const files = readdirSync(folder, { withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.name.startsWith(TEMPORARY_PREFIX),
    );
    const before = files.map(({ name }) => [name, readFileSync(path.join(folder, name), "utf8")] as const);
    session.stop();
    await done;
    const notes = before.filter(([name]) => !existsSync(path.join(folder, name)));
    assert.equal(notes.length, 1);
    const crash = async (): Promise<OpenedWindow> => {
      for (const [name, text] of notes) writeFileSync(path.join(folder, name), text);
      return start({ resolve: (usual) => Promise.resolve({ ...usual, provider: model }) });
    };
    await conversations.close();
    model.script = "good";
    const next = await crash();
    assert.equal(next.shown().status.banner?.text, lost);
    const used = await sessionOf(next).summaries.summarizeNow();
    assert.ok(used.ok && used.value !== undefined);
    await next.conversations.close();
    assert.equal((await crash()).shown().status.banner, null);
  });

  it("causes no notice when it was cancelled or used before", async () => {
    const { conversations, shown, session, done, model } = await talked();
    session.stop();
    await done;
    await conversations.openNew();
    assert.equal(shown().status.banner, null);
    await conversations.openExisting(session.opened.id);
    model.script = "good";
    const used = await sessionOf({ conversations }).summaries.summarizeNow();
    assert.ok(used.ok && used.value !== undefined);
    await conversations.openNew();
    assert.equal(shown().status.banner, null);
  });

  it("blocks other actions, with a message about a summary instead of an answer", async () => {
    const { shown, session, done } = await talked();
    await session.actions.setHidden(1, true);
    assert.match(shown().status.banner?.text ?? "", /^A summary is being written\. Cancel it, or wait/);
    session.stop();
    await done;
  });
});
