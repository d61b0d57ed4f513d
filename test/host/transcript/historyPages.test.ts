import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { messageId } from "../../../src/core/ids.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

describe("history pages that the user has loaded", () => {
  async function spoken(turns: number): Promise<OpenedSession> {
    const answers = Array.from({ length: turns }, (_, turn) => saying(`Answer ${String(turn)}`));
    const opened = await openSession(scriptedProvider(...answers));
    for (let turn = 0; turn < turns; turn++) await opened.session.send(String(turn), `Question ${String(turn)}?`);
    return opened;
  }
  function shown({ session: { transcript } }: OpenedSession) {
    const shownAnew = async (): Promise<readonly string[]> => {
      await transcript.rebuild();
      return transcript.page.rows.map(({ rowId }) => rowId);
    };
    return { transcript, shownAnew };
  }
  const messages = (from: number, end: number): readonly string[] =>
    Array.from({ length: end - from }, (_, index) => `message-${String(from + index)}`);

  it("are shown again with the newest page after a rebuild, without older pages", async () => {
    const { disk } = await spoken(100);
    const { transcript, shownAnew } = shown(await openSession(scriptedProvider(), structuredClone(disk)));
    assert.deepEqual(await shownAnew(), messages(160, 200));
    await transcript.older("message-160");
    await transcript.older("message-120");
    assert.deepEqual(await shownAnew(), messages(80, 200));
    assert.equal(transcript.page.hasOlder, true);
    await transcript.older("message-80");
    await transcript.older("message-40");
    assert.deepEqual(await shownAnew(), messages(0, 200));
    assert.equal(transcript.page.hasOlder, false);
  });

  it("include all messages of a running session after a rebuild", async () => {
    const { shownAnew } = shown(await spoken(60));
    assert.deepEqual(await shownAnew(), messages(0, 120));
  });

  it("are limited to 600 messages after a rebuild", async () => {
    const { disk } = await spoken(400);
    const { transcript, shownAnew } = shown(await openSession(scriptedProvider(), structuredClone(disk)));
    for (let above = 760; above > 0; above -= 40) await transcript.older(`message-${String(above)}`);
    assert.deepEqual(await shownAnew(), messages(200, 800));
    assert.equal(transcript.page.hasOlder, true);
  });

  it("long: walk the shown branch once on the way up, however many there are", async () => {
    const { disk } = await spoken(400);
    const { session } = await openSession(scriptedProvider(), structuredClone(disk));
    const { history } = session.opened.conversation;
    history.apply({ kind: "pin", id: messageId(0), pinned: true, atMs: 0 }); // what was found before is not current
    const { branches } = history;
    let steps = 0;
    const parentOf = branches.parentOf.bind(branches);
    branches.parentOf = (id) => {
      steps++;
      return parentOf(id);
    };
    const read: string[] = [];
    for (let { rows, hasOlder } = session.transcript.page; hasOlder;) {
      const page = await session.transcript.older(rows[0]?.rowId ?? "");
      assert.ok(page.ok);
      ({ rows, hasOlder } = page.value);
      read.unshift(...rows.map(({ rowId }) => rowId));
    }
    assert.deepEqual(read, messages(0, 760));
    assert.equal(steps, 800);
  });
});
