import assert from "node:assert/strict";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import type { AddedPart } from "../../../../src/core/journal/addedParts.ts";
import { openSession, type OpenedSession } from "../../../support/openSession.ts";
import { saying, scriptedProvider } from "../../../support/scriptedProvider.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };
const file = (label: string, text = "let a;"): AddedPart => ({ kind: "attachment", label, text });
const image = (bytes: number, letter = "A"): AddedPart => {
  return { kind: "image", mediaType: "image/png", dataBase64: letter.repeat((bytes * 4) / 3) };
};
const labels = ({ session }: OpenedSession): readonly string[] => session.attachments.view.map(({ label }) => label);

describe("what is added to the message that is being typed", () => {
  it("survives a crash, in its order, and is sent with the message, once", async () => {
    const opened = await openSession(scriptedProvider());
    for (const label of ["a.ts", "b.ts", "a.ts"]) assert.ok((await opened.session.attachments.add(file(label))).ok);
    assert.ok((await opened.session.attachments.add(image(3_000))).ok);
    const [first] = opened.session.attachments.view;
    assert.deepEqual(labels(opened), ["b.ts", "a.ts", "PNG image"]);
    await opened.session.attachments.remove(first?.attachmentId ?? "");
    const crashed = structuredClone(opened.disk);

    const after = await openSession(scriptedProvider(saying("one")), crashed);
    assert.deepEqual(labels(after), ["a.ts", "PNG image"]);
    assert.ok(after.session.attachments.view.every(({ tokens }) => tokens !== null && tokens > 0));
    assert.equal(after.session.undecidedCount, 0);
    await after.session.send("1", "What is it?");
    assert.deepEqual([labels(after), crashed.journal], [[], []]);
    const [asked] = crashed.records.flatMap((record) => (record.kind === "message" ? [record.message] : []));
    assert.deepEqual(
      asked?.parts.map(({ kind }) => kind),
      ["attachment", "image", "text"],
    );
    assert.deepEqual(labels(await openSession(scriptedProvider(), crashed)), []);
  });

  it("stays as it was when the disk is full, whatever is done with it", async () => {
    const opened = await openSession(scriptedProvider());
    const { session, store, banners, emitted } = opened;
    await session.attachments.add(file("a.ts"));
    store.failNext = diskFull;
    assert.deepEqual(await session.attachments.add(file("b.ts")), { ok: false, error: diskFull });
    store.failNext = diskFull;
    await session.attachments.remove(session.attachments.view[0]?.attachmentId ?? "");
    assert.match(banners.at(-1)?.text ?? "", /disk is full/);
    store.failNext = diskFull;
    await session.send("1", "What is it?");
    assert.deepEqual(emitted.at(-1), { kind: "sendRefused", sendId: "1" });
    assert.deepEqual(labels(opened), ["a.ts"]);
    assert.deepEqual(labels(await openSession(scriptedProvider(), opened.disk)), ["a.ts"]);
  });

  it("goes with a message that waits its turn", async () => {
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    const opened = await openSession(
      scriptedProvider(async function* () {
        yield { kind: "text", text: "one" };
        await held;
        yield { kind: "done", stopReason: "endTurn" };
      }, saying("two")),
    );
    const { session, disk } = opened;
    const first = session.send("1", "Q1");
    await whenTrue(() => disk.journal.length > 0);
    await session.attachments.add(file("a.ts"));
    await session.send("2", "Q2");
    assert.deepEqual(labels(opened), []);
    assert.deepEqual(disk.journal.filter(({ eventType }) => eventType === "added").length, 0);
    assert.equal(session.queue.view.items.length, 1);
    end();
    await first;
  });

  it("is at most 50 things, and at most 25 MB", async () => {
    const opened = await openSession(scriptedProvider());
    const { attachments } = opened.session;
    for (const letter of "ABCDE") assert.ok((await attachments.add(image(4_800_000, letter))).ok);
    assert.deepEqual(await attachments.add(image(4_800_000, "F")), { ok: false, error: "tooLarge" });
    assert.ok((await attachments.add(image(4_800_000, "E"))).ok, "the same once more takes its own place");
    for (let number = 0; number < 45; number++) assert.ok((await attachments.add(file(`${number}.ts`))).ok);
    assert.deepEqual(await attachments.add(file("one more.ts")), { ok: false, error: "tooMany" });
    assert.equal(labels(opened).length, 50);
  });
});
