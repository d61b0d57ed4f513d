import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { restoreScroll } from "../../../src/host/view/restoreScroll.ts";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

const TURNS = 60;

/** A conversation whose recreated page gets the last 40 messages. */
async function reopened(): Promise<OpenedSession> {
  const answers = Array.from({ length: TURNS }, (_, turn) => saying(`Answer ${String(turn)}`));
  const { session, disk } = await openSession(scriptedProvider(...answers));
  for (let turn = 0; turn < TURNS; turn++) await session.send(String(turn), `Question ${String(turn)}?`);
  return openSession(scriptedProvider(saying("One more.")), structuredClone(disk));
}

/** Messages that restore the page's scroll position, abbreviated. */
async function told({ session }: OpenedSession): Promise<readonly unknown[]> {
  const bodies: ToViewBody[] = [];
  assert.ok((await restoreScroll(session, (body) => bodies.push(body))).ok);
  return bodies.map((body) => (body.kind === "rowsOlder" ? [body.before, body.rows[0]?.rowId] : body));
}

describe("restoreScroll", () => {
  it("reveals the scroll anchor, after older rows if it is among them", async () => {
    const opened = await reopened();
    const { transcript } = opened.session;
    transcript.scrollAnchor = { messageId: 100, topPx: -7 };
    const reveal = { kind: "reveal", keepsFocus: true, topPx: -7 };
    assert.deepEqual(await told(opened), [{ ...reveal, rowId: "message-100" }]);
    transcript.scrollAnchor = { messageId: 30, topPx: -7 };
    assert.deepEqual(await told(opened), [["message-80", "message-0"], { ...reveal, rowId: "message-30" }]);
  });

  it("sends nothing without an anchor, or when its message is hidden or missing", async () => {
    const opened = await reopened();
    const { session } = opened;
    assert.deepEqual(await told(opened), []);
    session.transcript.scrollAnchor = { messageId: 100, topPx: 0 };
    await session.actions.setHidden(100, true);
    assert.deepEqual(await told(opened), []);
    session.transcript.scrollAnchor = { messageId: 1_000, topPx: 0 };
    assert.deepEqual(await told(opened), []);
  });

  it("does not reveal an anchor that changed while older rows were read", async () => {
    const opened = await reopened();
    const { transcript } = opened.session;
    transcript.scrollAnchor = { messageId: 30, topPx: -7 };
    const telling = told(opened);
    transcript.scrollAnchor = { messageId: 110, topPx: 0 };
    assert.deepEqual(await telling, [["message-80", "message-0"]]);
  });

  it("sends nothing after the user has sent a message", async () => {
    const opened = await reopened();
    opened.session.transcript.scrollAnchor = { messageId: 100, topPx: 0 };
    await opened.session.send("more", "And then?");
    assert.deepEqual([opened.session.transcript.scrollAnchor, await told(opened)], [null, []]);
  });
});
