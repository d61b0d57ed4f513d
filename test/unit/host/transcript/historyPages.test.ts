import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { openSession } from "../../../support/openSession.ts";
import { saying, scriptedProvider } from "../../../support/scriptedProvider.ts";

describe("what a reader was given further up", () => {
  async function spoken(turns: number) {
    const answers = Array.from({ length: turns }, (_, turn) => saying(`Answer ${String(turn)}`));
    const opened = await openSession(scriptedProvider(...answers));
    for (let turn = 0; turn < turns; turn++) await opened.session.send(String(turn), `Question ${String(turn)}?`);
    const { transcript, summaries } = opened.session;
    await transcript.reload();
    const shownAnew = async (): Promise<readonly string[]> => {
      await summaries.automatic.rebuild();
      return transcript.page.rows.map(({ rowId }) => rowId);
    };
    return { transcript, shownAnew };
  }
  const messages = (from: number, end: number): readonly string[] =>
    Array.from({ length: end - from }, (_, index) => `message-${String(from + index)}`);

  it("is shown anew with the newest, and nothing else is", async () => {
    const { transcript, shownAnew } = await spoken(100);
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

  it("is shown anew as far as it can be handed over at once", async () => {
    const { transcript, shownAnew } = await spoken(400);
    for (let above = 760; above > 0; above -= 40) await transcript.older(`message-${String(above)}`);
    assert.deepEqual(await shownAnew(), messages(200, 800));
    assert.equal(transcript.page.hasOlder, true);
  });
});
