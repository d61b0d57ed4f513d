import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { StorageFailed } from "../../../../src/core/errors.ts";
import type { AddedPart } from "../../../../src/core/journal/addedParts.ts";
import { pastedLabel } from "../../../../src/core/journal/pastedText.ts";
import { handleAttachmentMessage } from "../../../../src/host/chat/attachmentActions.ts";
import { attachmentIdOf } from "../../../../src/host/session/composer/composerAttachments.ts";
import type { NamedText } from "../../../../src/host/view/readOnlyDocuments.ts";
import type { ToViewBody } from "../../../../src/protocol/toView.ts";
import { sendingIn, sentIn } from "../../../support/session/composed.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../../support/models/scriptedProvider.ts";
import { whenTrue } from "../../../support/whenTrue.ts";

const diskFull: StorageFailed = { code: "STORAGE_FAILED", reason: "diskFull", detail: "" };
const file = (label: string, text = "let a;"): AddedPart => ({ kind: "attachment", label, text });
const image = (bytes: number, letter = "A"): AddedPart => {
  return { kind: "image", mediaType: "image/png", dataBase64: letter.repeat((bytes * 4) / 3) };
};
const labels = ({ session }: OpenedSession): readonly string[] =>
  session.composer.attachments.view.map(({ label }) => label);

describe("composer attachments", () => {
  it("survive a crash in order and are sent with one message only", async () => {
    const opened = await openSession(scriptedProvider());
    for (const label of ["a.ts", "b.ts", "a.ts"])
      assert.ok((await opened.session.composer.attachments.add(file(label))).ok);
    assert.ok((await opened.session.composer.attachments.add(image(3_000))).ok);
    const [first] = opened.session.composer.attachments.view;
    assert.deepEqual(labels(opened), ["b.ts", "a.ts", "PNG image"]);
    await opened.session.composer.attachments.remove(first?.attachmentId ?? "");
    const crashed = structuredClone(opened.disk);

    const after = await openSession(scriptedProvider(saying("one")), crashed);
    assert.deepEqual(labels(after), ["a.ts", "PNG image"]);
    assert.ok(after.session.composer.attachments.view.every(({ tokens }) => tokens !== null && tokens > 0));
    assert.equal(after.session.recoverableCount, 0);
    await after.session.send("1", "What is it?");
    assert.deepEqual([labels(after), crashed.journal], [[], []]);
    const [asked] = crashed.records.flatMap((record) => (record.kind === "message" ? [record.message] : []));
    assert.deepEqual(
      asked?.parts.map(({ kind }) => kind),
      ["attachment", "image", "text"],
    );
    assert.deepEqual(labels(await openSession(scriptedProvider(), crashed)), []);
  });

  it("L6 that the model does not see are sent with a word about it", async () => {
    const said = async (seesImages: boolean | undefined, added: AddedPart) => {
      const abilities = seesImages === undefined ? {} : { seesImages };
      const { session, banners } = await openSession(scriptedProvider(saying("one")), undefined, undefined, {
        abilities,
      });
      assert.ok((await session.composer.attachments.add(added)).ok);
      await session.send("1", "What is it?");
      return banners.flatMap((banner) => (banner === null ? [] : [banner.text.split(":")[0]]));
    };
    assert.deepEqual(
      [
        await said(false, image(300)),
        await said(true, image(300)),
        await said(undefined, image(300)),
        await said(false, file("a.ts")),
      ],
      [["claude-haiku-4-5 does not accept images"], [], [], []],
    );
  });

  it("are saved when the conversation closes during the addition, and rejected after it closed", async () => {
    const opened = await openSession(scriptedProvider());
    const adding = opened.session.composer.attachments.add(file("a.ts"));
    await opened.session.composer.attachments.close();
    assert.deepEqual(labels(opened), ["a.ts"]);
    assert.deepEqual(await adding, { ok: true, value: undefined });
    assert.deepEqual(await opened.session.composer.attachments.add(file("b.ts")), { ok: false, error: "closed" });
    assert.deepEqual(labels(await openSession(scriptedProvider(), opened.disk)), ["a.ts"]);
  });

  it("delay the closing of the conversation until pending reads end", async () => {
    const opened = await openSession(scriptedProvider());
    const { attachments } = opened.session.composer;
    let end = (): void => undefined;
    const reading = new Promise<void>((resolve) => (end = resolve));
    attachments.trackPending(reading.then(() => attachments.add(file("a.ts"))));
    attachments.trackPending(Promise.reject(new Error("unreadable")));
    const closing = attachments.close();
    await new Promise(setImmediate);
    end();
    await closing;
    assert.deepEqual(labels(await openSession(scriptedProvider(), opened.disk)), ["a.ts"]);
  });

  it("stay unchanged when adding, removing or sending fails on a full disk", async () => {
    const opened = await openSession(scriptedProvider());
    const { session, store, banners, emitted } = opened;
    await session.composer.attachments.add(file("a.ts"));
    store.failNext = diskFull;
    assert.deepEqual(await session.composer.attachments.add(file("b.ts")), { ok: false, error: diskFull });
    store.failNext = diskFull;
    await session.composer.attachments.remove(session.composer.attachments.view[0]?.attachmentId ?? "");
    assert.match(banners.at(-1)?.text ?? "", /disk is full/);
    store.failNext = diskFull;
    await session.send("1", "What is it?");
    assert.deepEqual([sentIn(emitted), sendingIn(emitted)], [[], []]);
    assert.deepEqual(labels(opened), ["a.ts"]);
    assert.deepEqual(labels(await openSession(scriptedProvider(), opened.disk)), ["a.ts"]);
  });

  it("move to a queued message", async () => {
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
    await session.composer.attachments.add(file("a.ts"));
    await session.send("2", "Q2");
    assert.deepEqual(labels(opened), []);
    assert.deepEqual(disk.journal.filter(({ eventType }) => eventType === "added").length, 0);
    assert.equal(session.composer.queue.view.items.length, 1);
    end();
    await first;
  });

  it("include pasted texts of equal line count separately, and equal texts once", async () => {
    const opened = await openSession(scriptedProvider());
    const { attachments } = opened.session.composer;
    const [one, other] = ["a\n".repeat(3), "b\n".repeat(3)];
    for (const text of [one, other, one]) await attachments.add(file(pastedLabel(text), text), randomUUID());
    assert.deepEqual(labels(opened), ["Pasted text, 3 lines", "Pasted text, 3 lines"]);
    assert.deepEqual(
      attachments.view.map(({ kind }) => kind),
      ["pasted", "pasted"],
    );
  });

  for (const [name, label] of [
    ["selections in terminals", "Terminal"],
    ["files from outside of the workspace", "package.json"],
    ["symbols", "Symbol render"],
  ] as const) {
    it(`include ${name} of the same name separately, and equal ones once`, async () => {
      const { session } = await openSession(scriptedProvider());
      for (const text of ["one", "other", "one"]) await session.composer.attachments.add(file(label, text));
      const texts = session.composer.attachments.parts.map((part) => part.kind === "attachment" && part.text);
      assert.deepEqual(texts, ["other", "one"]);
    });
  }

  it("replace an earlier version of the same file or Git diff", async () => {
    const { session } = await openSession(scriptedProvider());
    const uri = "file:///shop/a.ts";
    for (const text of ["one", "other"]) {
      await session.composer.attachments.add({ kind: "attachment", label: "a.ts", text, uri });
      await session.composer.attachments.add(file("Git diff", text));
    }
    const texts = session.composer.attachments.parts.map((part) => part.kind === "attachment" && part.text);
    assert.deepEqual(texts, ["other", "other"]);
  });

  it("have the id chosen by the caller", async () => {
    const { session } = await openSession(scriptedProvider());
    const uuid = randomUUID();
    const part = file(pastedLabel("a"), "a");
    await session.composer.attachments.add(part, uuid);
    assert.deepEqual(session.composer.attachments.part(attachmentIdOf(uuid)), part);
    await session.composer.attachments.remove(attachmentIdOf(uuid));
    assert.equal(session.composer.attachments.part(attachmentIdOf(uuid)), undefined);
  });

  it("count tokens when they are added, with the same sum as the whole message", async () => {
    const { session } = await openSession(scriptedProvider());
    const parts = [file("a.ts", "let tides = 2;\n".repeat(50)), file("b.ts")];
    assert.equal(await session.composer.attachments.tokens(), 0);
    for (const part of parts) await session.composer.attachments.add(part);
    const text = { kind: "text", text: "What is it?" } as const;
    const whole = await session.tokensOf({ role: "user", parts: [...parts, text] });
    const ofText = await session.tokensOf({ role: "user", parts: [text] });
    assert.ok(Math.abs(ofText + (await session.composer.attachments.tokens()) - whole) <= parts.length); // each is rounded
  });

  it("can be opened before and after they are sent", async () => {
    const { session } = await openSession(scriptedProvider(saying("one")));
    const text = "a line\n".repeat(1_234);
    const shown: (NamedText | AddedPart)[] = [];
    const replies: ToViewBody[] = [];
    const act = async (message: Parameters<typeof handleAttachmentMessage>[0]): Promise<void> => {
      const show = (document: (typeof shown)[number]): Promise<void> => Promise.resolve(void shown.push(document));
      const documents = { show, showPicture: show };
      const presenter = { showBanner: (): void => assert.fail("nothing fails here") };
      const place = await handleAttachmentMessage(message, session, documents, presenter, (body) => replies.push(body));
      assert.equal(place, undefined);
    };
    await session.composer.attachments.add(file(pastedLabel(text), text));
    await session.composer.attachments.add(image(300));
    const [{ attachmentId } = assert.fail(), picture = assert.fail()] = session.composer.attachments.view;
    await act({ kind: "openAttachment", messageId: null, attachmentId });
    await act({ kind: "openAttachment", messageId: null, attachmentId: picture.attachmentId });
    await act({ kind: "attachmentText", attachmentId });
    await act({ kind: "attachmentText", attachmentId: picture.attachmentId });
    await act({ kind: "attachmentText", attachmentId: "step_gone" });
    assert.deepEqual(replies, [{ kind: "attachmentText", attachmentId, text }]);
    await session.send("1", "What is it?");
    await act({ kind: "openAttachment", messageId: 0, attachmentId: "0" });
    await act({ kind: "openAttachment", messageId: 0, attachmentId: "1" });
    await act({ kind: "openAttachment", messageId: 9, attachmentId: "0" });
    assert.deepEqual(shown, [
      { name: `draft-${attachmentId}/Pasted text, 1234 lines.txt`, text },
      image(300),
      { name: "0-0/Pasted text, 1234 lines.txt", text },
      image(300),
    ]);
  });

  it("are limited to 50 items and 25 MB", async () => {
    const opened = await openSession(scriptedProvider());
    const { attachments } = opened.session.composer;
    for (const letter of "ABCDE") assert.ok((await attachments.add(image(4_800_000, letter))).ok);
    assert.deepEqual(await attachments.add(image(4_800_000, "F")), { ok: false, error: "tooLarge" });
    assert.ok((await attachments.add(image(4_800_000, "E"))).ok, "the same once more takes its own place");
    for (let number = 0; number < 45; number++) assert.ok((await attachments.add(file(`${number}.ts`))).ok);
    assert.deepEqual(await attachments.add(file("one more.ts")), { ok: false, error: "tooMany" });
    assert.equal(labels(opened).length, 50);
  });
});
