import assert from "node:assert/strict";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { keepEdit } from "../../../../src/host/chat/composing.ts";
import type { MessageEditView } from "../../../../src/protocol/messageEditView.ts";
import type { ToViewBody } from "../../../../src/protocol/toView.ts";
import { memoryDisk } from "../../../support/memoryStore.ts";
import { openSession, type OpenedSession } from "../../../support/openSession.ts";
import { saying, scriptedProvider } from "../../../support/scriptedProvider.ts";

const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };
const answers = (...texts: readonly string[]) => scriptedProvider(...texts.map((text) => saying(text)));
const edited = (messageId: number, text: string | null, revision = 1): MessageEditView => ({
  messageId,
  text,
  revision,
});
const ends = ({ emitted }: OpenedSession): readonly ToViewBody[] =>
  emitted.filter(({ kind }) => kind === "messageEdit");

/** A conversation with one question, on a disk that outlives it. */
async function asked(...texts: readonly string[]): Promise<OpenedSession> {
  const opened = await openSession(answers("one", ...texts), memoryDisk());
  await opened.session.send("1", "First?");
  return opened;
}

describe("messages that are said anew", () => {
  it("are there when the conversation is opened again, however it ended", async () => {
    const { session, disk } = await asked();
    await session.edits.set(edited(0, "Fir", 1));
    await session.edits.set(edited(0, "First of all?", 2));
    const again = await openSession(answers(), disk);
    assert.deepEqual(again.session.edits.view, [edited(0, "First of all?", 2)]);
    assert.deepEqual(again.session.recoverable, []);
    await again.session.edits.set(edited(0, null, 3));
    assert.deepEqual((await openSession(answers(), disk)).session.edits.view, []);
  });

  it("end in the transaction that stores the other wording, and every page is told", async () => {
    const opened = await asked("two");
    const { session, disk } = opened;
    await session.edits.set(edited(0, "Second?", 8));
    assert.equal(await session.actions.edit(0, "Second?", () => undefined), true);
    assert.deepEqual([session.edits.view, disk.journal], [[], []]);
    const conversationId = session.opened.id;
    assert.deepEqual(ends(opened), [{ kind: "messageEdit", conversationId, edit: edited(0, null, 9) }]);
  });

  it("stay when the other wording could not be stored", async () => {
    const opened = await asked();
    const { session, store, disk } = opened;
    await session.edits.set(edited(0, "Second?", 8));
    store.failNext = diskFull;
    assert.equal(await session.actions.edit(0, "Second?", () => undefined), false);
    assert.deepEqual([session.edits.view, disk.journal.length, ends(opened)], [[edited(0, "Second?", 8)], 1, []]);
  });

  it("go with their message when it is erased, and no other does", async () => {
    const opened = await asked("two");
    const { session, disk } = opened;
    await session.send("2", "Next?");
    await session.edits.set(edited(0, "The key is Marigold7", 1));
    await session.edits.set(edited(2, "And then?", 1));
    assert.deepEqual(await session.erasing.erase(messageId(0)), { ok: true, value: undefined });
    assert.deepEqual(session.edits.view, [edited(2, "And then?", 1)]);
    assert.ok(!JSON.stringify(disk).includes("Marigold7"));
    assert.deepEqual(ends(opened).length, 1);
    await session.edits.set(edited(0, "of what was erased", 3));
    assert.deepEqual(session.edits.view, [edited(2, "And then?", 1)]);
  });

  it("are of what the user has said, and of nothing else", async () => {
    const { session, disk } = await asked();
    for (const id of [1, 2, 900]) await session.edits.set(edited(id, "something"));
    assert.deepEqual([session.edits.view, disk.journal], [[], []]);
  });

  it("say so when they cannot be kept", async () => {
    const { session, store, banners } = await asked();
    store.failNext = diskFull;
    await session.edits.set(edited(0, "Second?"));
    assert.match(banners.at(-1)?.text ?? "", /disk is full/i);
  });

  it("are told to the other pages, and only of the conversation that is open", async () => {
    const { session } = await asked();
    const conversationId = session.opened.id;
    const others: ToViewBody[] = [];
    const place = { session, tellOthers: (body: ToViewBody) => others.push(body) };
    await keepEdit({ kind: "messageEdit", conversationId, edit: edited(0, "Second?") }, place);
    await keepEdit({ kind: "messageEdit", conversationId: "another", edit: edited(0, "Other", 2) }, place);
    await keepEdit(
      { kind: "messageEdit", conversationId, edit: edited(0, "Closed", 2) },
      { ...place, session: undefined },
    );
    assert.deepEqual(others, [{ kind: "messageEdit", conversationId, edit: edited(0, "Second?") }]);
    assert.deepEqual(session.edits.view, [edited(0, "Second?")]);
  });
});
