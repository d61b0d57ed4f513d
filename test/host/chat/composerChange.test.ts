import type { ComposerChange } from "../../../src/protocol/toHost.ts";
import assert from "node:assert/strict";
import { composeIn, type ComposePlace, sentIn } from "../../support/session/composed.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { saying, scriptedProvider } from "../../support/models/scriptedProvider.ts";

/** A place with `session` open; messages wait for `added`, the pending attachments. */
function placeOf({ session }: OpenedSession, added = Promise.resolve()): ComposePlace {
  const presenter = { showDraftTokens: () => undefined, dropNote: () => undefined };
  return { session, world: { attaching: { added: () => added }, presenter } };
}

const changing = (conversationId: string, change: ComposerChange) =>
  ({ kind: "compose", conversationId, number: 1, change }) as const;

describe("composeIn", () => {
  it("stores a typed draft and sends it to every view", async () => {
    const opened = await openSession(scriptedProvider());
    const { composer, opened: conversation } = opened.session;
    const { revision } = composer.document;
    const change = changing(conversation.id, { kind: "text", base: revision, text: "half" });
    const stored = composeIn(change, placeOf(opened));
    assert.equal(composer.text, "half", "at once: what the view is told next counts on it");
    const changed = { text: "half", revision: revision + 1 };
    assert.deepEqual(opened.emitted, [{ kind: "composer", conversationId: conversation.id, changed }]);
    await stored;
    assert.equal(opened.disk.draft, "half");
  });

  it("ignores changes for another conversation, and any change while none is open", async () => {
    const opened = await openSession(scriptedProvider());
    const place = placeOf(opened);
    for (const where of [place, { ...place, session: undefined }]) {
      await composeIn(changing("of-a-closed-one", { kind: "text", base: 0, text: "late" }), where);
      await composeIn(changing("of-a-closed-one", { kind: "send", base: 0, sendId: "s", text: "late" }), where);
    }
    const { text, sending } = opened.session.composer.document;
    assert.deepEqual([text, sending, opened.rows(), opened.emitted], ["", [], [], []]);
  });

  it("places late typing before code added from the editor, and drops the part that was sent meanwhile", async () => {
    const opened = await openSession(scriptedProvider(saying("one")));
    const { composer, opened: conversation } = opened.session;
    const type = (text: string, base: number): Promise<void> =>
      composeIn(changing(conversation.id, { kind: "text", base, text }), placeOf(opened));
    const before = composer.document.revision;
    await composer.addText("```\ncode\n```\n\n");
    await type("Why", before);
    assert.equal(composer.text, "Why\n\n```\ncode\n```\n\n");
    const { revision } = composer.document;
    await opened.session.send("1", composer.text);
    await type("Why\n\n```\ncode\n```\n\nAnd how?", revision);
    assert.deepEqual([composer.text, opened.disk.draft, sentIn(opened.emitted)], ["And how?", "And how?", ["now"]]);
  });

  it("sends a draft once when two views send it at the same time", async () => {
    const opened = await openSession(scriptedProvider(saying("one"), saying("two")));
    const { composer, opened: conversation } = opened.session;
    const base = composer.document.revision;
    const send = (sendId: string, text: string): Promise<void> =>
      composeIn(changing(conversation.id, { kind: "send", base, sendId, text }), placeOf(opened));
    await Promise.all([send("1", "Why?"), send("2", "Why?"), send("3", "Why? And how?")]);
    const sent = opened.rows().flatMap((row) => (row.kind === "message" && row.role === "user" ? [row.text] : []));
    assert.deepEqual([sent, composer.text, composer.document.sending], [["Why?"], "", []]);
    assert.deepEqual(
      composer.queue.view.items.map(({ text }) => text),
      ["And how?"],
    );
  });

  it("attaches files added before a message and none added while it waits, in whatever order they are read", async () => {
    const opened = await openSession(scriptedProvider(saying("one"), saying("two")));
    const { composer, opened: conversation } = opened.session;
    const { attachments } = composer;
    let release = (): void => undefined;
    const added = new Promise<void>((resolve) => (release = resolve));
    const file = (label: string) => ({ kind: "attachment", label, text: "let a;" }) as const;
    const send = (sendId: string): Promise<void> => {
      const base = composer.document.revision;
      const change = { kind: "send", base, sendId, text: `what is ${sendId}?` } as const;
      return composeIn(changing(conversation.id, change), placeOf(opened, added));
    };
    const labels = (): readonly (readonly string[])[] =>
      opened
        .rows()
        .flatMap((row) =>
          row.kind === "message" && row.role === "user" ? [row.attachments.map(({ label }) => label)] : [],
        );
    const first = send("1");
    const [before, after] = [undefined, attachments.messagesWaiting];
    for (let times = 0; times < 2; times++) await attachments.add(file("after.ts"), undefined, after);
    await attachments.add(file("before.ts"), undefined, before);
    await attachments.add(file("before.ts"), undefined, after);
    release();
    await first;
    assert.deepEqual([labels(), attachments.view.map(({ label }) => label)], [[["before.ts"]], ["after.ts"]]);
    await attachments.add(file("read late.ts"), undefined, after);
    await send("2");
    assert.deepEqual([labels(), attachments.view], [[["before.ts"], ["after.ts", "read late.ts"]], []]);
  });
});
