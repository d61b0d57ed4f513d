import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { ToViewBody } from "../../../src/protocol/toView.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

const TURNS = 60;
const opened: string[] = [];
const { revealMessage } = await withEditorModule(
  "revealing",
  {
    workspace: { openTextDocument: ({ content }: { content: string }) => Promise.resolve(content) },
    window: { showTextDocument: (content: string) => Promise.resolve(opened.push(content)) },
  },
  () => import("../../../src/host/view/revealMessage.ts"),
);

/** A conversation whose page has the last 40 messages. */
async function reopened(): Promise<OpenedSession> {
  const answers = Array.from({ length: TURNS }, (_, turn) => saying(`Answer ${String(turn)}`));
  const { session, disk } = await openSession(scriptedProvider(...answers));
  for (let turn = 0; turn < TURNS; turn++) await session.send(String(turn), `Question ${String(turn)}?`);
  return openSession(scriptedProvider(), structuredClone(disk));
}

describe("revealMessage", () => {
  const cases = [
    ["scrolls a clicked message to the top and moves the focus to it", {}, {}],
    ["restores a message's position without moving the focus", { topPx: -7 }, { keepsFocus: true, topPx: -7 }],
  ] as const;
  for (const [name, place, how] of cases)
    it(name, async () => {
      const { session } = await reopened();
      const bodies: ToViewBody[] = [];
      const at = { messageId: 30, before: "message-80", ...place };
      assert.ok((await revealMessage(session, at, (body) => bodies.push(body))).ok);
      assert.deepEqual(
        bodies.map((body) => (body.kind === "rowsOlder" ? [body.before, body.rows[0]?.rowId] : body)),
        [["message-80", "message-0"], { kind: "reveal", rowId: "message-30", ...how }],
      );
    });

  for (const [name, place, words] of [
    ["opens the text in an editor when the message cannot be shown", {}, ["Question 15?"]],
    ["does nothing when a position cannot be restored", { topPx: 0 }, []],
  ] as const)
    it(name, async () => {
      const { session } = await reopened();
      opened.length = 0;
      const bodies: ToViewBody[] = [];
      const at = { messageId: 30, before: "notice-failed", ...place };
      assert.ok((await revealMessage(session, at, (body) => bodies.push(body))).ok);
      assert.deepEqual([bodies, opened], [[], words]);
    });
});
