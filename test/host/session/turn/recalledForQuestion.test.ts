import assert from "node:assert/strict";
import { RECALLED_LABEL } from "../../../../src/core/context/recalled/recalledText.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { textOf, type Message } from "../../../../src/core/message.ts";
import { err } from "../../../../src/core/result.ts";
import type { RecalledView, Row } from "../../../../src/protocol/toView.ts";
import { saying, scriptedProvider, type ScriptedProvider } from "../../../support/models/scriptedProvider.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { whenTrue } from "../../../support/whenTrue.ts";
import { memoryDisk } from "../../../support/storage/memoryStore.ts";

const WINDOW = { "context.strategy": "slidingWindow" };
const NAMES = "What was the gauge SK-41?";

/** A conversation whose first message names a gauge, and of which the newest 20 messages are sent. */
async function longTalk(
  settings: Readonly<Record<string, unknown>> = {},
  answers = 40,
): Promise<OpenedSession & { readonly provider: ScriptedProvider }> {
  const provider = scriptedProvider(...Array.from({ length: answers }, () => saying("All is well.")));
  const opened = await openSession(provider, memoryDisk(), undefined, { settings: { ...WINDOW, ...settings } });
  await opened.session.send("0", "The tide gauge is SK-41, at the north pier.");
  for (let turn = 1; turn <= 12; turn++) await opened.session.send(String(turn), "Go on with the next one.");
  return { ...opened, provider };
}

/** Passages that the last message of a request has, without headings and marks; and the user's words. */
function lastOf(requests: readonly (readonly Message[])[]): readonly [recalled: readonly string[], text: string] {
  const message = requests.at(-1)?.at(-1);
  assert.ok(message !== undefined);
  const recalled = message.parts.flatMap((part) =>
    part.kind === "attachment" && part.label === RECALLED_LABEL ? [part.text.replace(/^.*\n> /, "")] : [],
  );
  return [recalled, textOf(message)];
}

function recalledIn(rows: readonly Row[]): readonly RecalledView[] {
  return rows.flatMap((row) => (row.kind === "message" ? (row.recalled ?? []) : []));
}

const GAUGE = "The tide gauge is SK-41, at the north pier.";

describe("a question that names what is no longer sent", () => {
  it("is sent with the passage that says it, and stored with where that is", async () => {
    const { session, provider, disk } = await longTalk();
    assert.deepEqual(lastOf(provider.requests), [[], "Go on with the next one."]);
    await session.send("asked", NAMES);
    assert.deepEqual(lastOf(provider.requests), [[GAUGE], NAMES]);
    const recalled = session.opened.manager.history.entry(messageId(26)).recalled;
    assert.deepEqual(recalled, [
      { id: messageId(0), part: 0, start: 0, end: GAUGE.length, tokens: recalled?.[0]?.tokens },
    ]);
    assert.doesNotMatch(JSON.stringify(disk.records.slice(-3)), /north pier/, "the text is stored once");
  });

  it("is sent as before in a conversation that is opened again", async () => {
    const { session, provider, disk } = await longTalk();
    await session.send("asked", NAMES);
    const again = scriptedProvider(saying("Once more."));
    const reopened = await openSession(again, structuredClone(disk), undefined, { settings: WINDOW });
    await reopened.session.retry();
    assert.deepEqual(again.requests.at(-1), provider.requests.at(-1));
  });

  it("is sent with it again when it is answered again, or written anew", async () => {
    const { session, provider } = await longTalk();
    await session.send("asked", NAMES);
    await session.actions.retry(26);
    assert.deepEqual(lastOf(provider.requests), [[GAUGE], NAMES]);
    assert.equal(await session.actions.edit(26, "Where is the gauge SK-41?", () => undefined), true);
    assert.deepEqual(lastOf(provider.requests), [[GAUGE], "Where is the gauge SK-41?"]);
  });

  it("is sent without what was erased", async () => {
    const { session, provider, disk } = await longTalk();
    await session.send("asked", NAMES);
    assert.ok((await session.erasing.erase(messageId(0))).ok);
    await session.retry();
    assert.deepEqual(lastOf(provider.requests), [[], NAMES]);
    assert.doesNotMatch(JSON.stringify(disk.records), /north pier/);
  });

  it("is shown with it, also when it is opened again, without what is hidden or erased since", async () => {
    const { session, rows, disk } = await longTalk();
    await session.send("asked", NAMES);
    assert.deepEqual(recalledIn(rows()), [{ messageId: 0, text: GAUGE }]);
    const reopened = await openSession(scriptedProvider(), structuredClone(disk), undefined, { settings: WINDOW });
    assert.deepEqual(recalledIn(reopened.rows()), [{ messageId: 0, text: GAUGE }]);
    await session.actions.setHidden(0, true);
    assert.deepEqual(recalledIn(rows()), []);
    await session.actions.setHidden(0, false);
    assert.deepEqual(recalledIn(rows()), [{ messageId: 0, text: GAUGE }]);
    assert.ok((await session.erasing.erase(messageId(0))).ok);
    assert.deepEqual(recalledIn(rows()), []);
  });

  it("is sent alone where the setting is off", async () => {
    const { session, provider } = await longTalk({ "context.recallForQuestion": false });
    await session.send("asked", NAMES);
    assert.deepEqual(lastOf(provider.requests), [[], NAMES]);
  });

  it("is sent alone where the history cannot be searched", async () => {
    const { session, provider, store } = await longTalk();
    store.searchRanked = () => Promise.resolve(err({ code: "STORAGE_FAILED", reason: "damaged", detail: "" }));
    await session.send("asked", NAMES);
    assert.deepEqual(lastOf(provider.requests), [[], NAMES]);
  });

  it("is sent with it from the queue, too", async () => {
    const { session, provider } = await longTalk();
    const first = session.send("first", "Go on with the next one.");
    await session.send("asked", NAMES);
    await first;
    await whenTrue(() => provider.requests.length === 15);
    assert.deepEqual(lastOf(provider.requests), [[GAUGE], NAMES]);
  });
});
