import assert from "node:assert/strict";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import { messageId } from "../../../../src/core/ids.ts";
import type { EditView } from "../../../../src/protocol/composerDocument.ts";
import { composeIn, changesIn } from "../../../support/session/composed.ts";
import { memoryDisk } from "../../../support/storage/memoryStore.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../../support/models/scriptedProvider.ts";

const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };
const answers = (...texts: readonly string[]) => scriptedProvider(...texts.map((text) => saying(text)));
const edited = <Text extends string | null>(messageId: number, text: Text, revision = 1) => ({
  messageId,
  text,
  revision,
});
/** Edits in each change that was posted to the page. */
const told = ({ emitted }: OpenedSession): readonly (readonly EditView[])[] =>
  changesIn(emitted).flatMap(({ edits }) => (edits === undefined ? [] : [edits]));

async function asked(...texts: readonly string[]): Promise<OpenedSession> {
  const opened = await openSession(answers("one", ...texts), memoryDisk());
  await opened.session.send("1", "First?");
  return opened;
}

describe("composer edits", () => {
  it("are restored when the conversation is reopened after a crash", async () => {
    const { session, disk } = await asked();
    await session.composer.edits.set(edited(0, "Fir", 1));
    await session.composer.edits.set(edited(0, "First of all?", 2));
    const again = await openSession(answers(), disk);
    assert.deepEqual(again.session.composer.edits.view, [edited(0, "First of all?", 2)]);
    assert.deepEqual(again.session.recoverable, []);
    await again.session.composer.edits.set(edited(0, null, 3));
    assert.deepEqual((await openSession(answers(), disk)).session.composer.edits.view, []);
  });

  it("are removed in the transaction that stores the edited message, and the page is notified", async () => {
    const opened = await asked("two");
    const { session, disk } = opened;
    await session.composer.edits.set(edited(0, "Second?", 8));
    assert.equal(await session.actions.edit(0, "Second?", () => undefined), true);
    assert.deepEqual([session.composer.edits.view, disk.journal], [[], []]);
    assert.deepEqual(told(opened), [[edited(0, "Second?", 8)], []]);
  });

  it("stay when the edited message cannot be stored", async () => {
    const opened = await asked();
    const { session, store, disk } = opened;
    await session.composer.edits.set(edited(0, "Second?", 8));
    const edit = edited(0, "Second?", 8);
    store.failNext = diskFull;
    assert.equal(await session.actions.edit(0, "Second?", () => undefined), false);
    assert.deepEqual([session.composer.edits.view, disk.journal.length, told(opened)], [[edit], 1, [[edit]]]);
  });

  it("are removed when their message is erased, while others stay", async () => {
    const opened = await asked("two");
    const { session, disk } = opened;
    await session.send("2", "Next?");
    await session.composer.edits.set(edited(0, "The key is Marigold7", 1));
    await session.composer.edits.set(edited(2, "And then?", 1));
    assert.deepEqual(await session.erasing.erase(messageId(0)), { ok: true, value: undefined });
    assert.deepEqual(session.composer.edits.view, [edited(2, "And then?", 1)]);
    assert.ok(!JSON.stringify(disk).includes("Marigold7"));
    assert.deepEqual(told(opened).at(-1), [edited(2, "And then?", 1)]);
    await session.composer.edits.set(edited(0, "of what was erased", 3));
    assert.deepEqual(session.composer.edits.view, [edited(2, "And then?", 1)]);
  });

  it("are accepted for user messages only", async () => {
    const { session, disk } = await asked();
    for (const id of [1, 2, 900]) await session.composer.edits.set(edited(id, "something"));
    assert.deepEqual([session.composer.edits.view, disk.journal], [[], []]);
  });

  it("show a banner when they cannot be stored", async () => {
    const { session, store, banners } = await asked();
    store.failNext = diskFull;
    await session.composer.edits.set(edited(0, "Second?"));
    assert.match(banners.at(-1)?.text ?? "", /disk is full/i);
  });

  it("are accepted for the open conversation only", async () => {
    const opened = await asked();
    const { session } = opened;
    const { id: conversationId } = session.opened;
    const world = {
      attaching: { added: () => Promise.resolve() },
      presenter: { showDraftTokens: () => undefined, dropNote: () => undefined },
    };
    const change = (text: string, revision: number) => ({ kind: "edit", edit: edited(0, text, revision) }) as const;
    const place = { session, world };
    await composeIn({ kind: "compose", conversationId, number: 1, change: change("Second?", 1) }, place);
    await composeIn({ kind: "compose", conversationId: "another", number: 2, change: change("Other", 2) }, place);
    await composeIn(
      { kind: "compose", conversationId, number: 3, change: change("Closed", 2) },
      { ...place, session: undefined },
    );
    assert.deepEqual(told(opened), [[edited(0, "Second?")]]);
    assert.deepEqual(session.composer.edits.view, [edited(0, "Second?")]);
  });

  it("are marked while they are sent, and can be sent again after a failure", async () => {
    const opened = await asked("two");
    const { session, store } = opened;
    const world = {
      attaching: { added: () => Promise.resolve() },
      presenter: { showDraftTokens: () => undefined, dropNote: () => undefined },
    };
    const { id: conversationId } = session.opened;
    const edit = edited(0, "Second?", 8);
    await session.composer.edits.set(edit);
    const send = (sendId: string): Promise<void> => {
      const change = { kind: "sendEdit", sendId, messageId: 0, text: "Second?" } as const;
      return composeIn({ kind: "compose", conversationId, number: 1, change }, { session, world });
    };
    store.failNext = diskFull;
    const refused = send("s1");
    assert.deepEqual(session.composer.edits.view, [{ ...edit, sendId: "s1" }]);
    await refused;
    assert.deepEqual(session.composer.edits.view, [edit]);
    await send("s2");
    assert.deepEqual(session.composer.edits.view, []);
  });
});
