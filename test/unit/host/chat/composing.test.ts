/** What is typed and sent in a view, in the conversation that is open by the time it comes. */

import assert from "node:assert/strict";
import { keepDraft, sendMessage, type ComposingPlace } from "../../../../src/host/chat/composing.ts";
import type { ToViewBody } from "../../../../src/protocol/toView.ts";
import { openSession, type OpenedSession } from "../../../support/openSession.ts";
import { saying, scriptedProvider } from "../../../support/scriptedProvider.ts";

/** A place in which `session` is open, and what was said there. */
function placeOf({ session }: OpenedSession): ComposingPlace & {
  readonly said: ToViewBody[];
  readonly toOthers: ToViewBody[];
} {
  const [said, toOthers]: [ToViewBody[], ToViewBody[]] = [[], []];
  const world = {
    attaching: { added: () => Promise.resolve() },
    presenter: { showDraftTokens: () => undefined },
    emit: (body: ToViewBody) => void said.push(body),
  };
  return { session, world, tellOthers: (body) => void toOthers.push(body), said, toOthers };
}

describe("what is typed in a view", () => {
  it("is kept, and shown in the other views", async () => {
    const opened = await openSession(scriptedProvider());
    const place = placeOf(opened);
    const draft = { kind: "draft", conversationId: opened.session.opened.id, said: 1, text: "half" } as const;
    const kept = keepDraft(draft, place);
    assert.equal(opened.session.draft, "half", "at once: what the view is told next counts on it");
    await kept;
    assert.deepEqual(place.toOthers, [{ kind: "draft", text: "half" }]);
  });

  it("is neither kept nor sent in another conversation than its own, nor where none is open", async () => {
    const opened = await openSession(scriptedProvider());
    const place = placeOf(opened);
    const late = { conversationId: "of-a-closed-one", said: 1, text: "late" } as const;
    for (const where of [place, { ...place, session: undefined }]) {
      await keepDraft({ kind: "draft", ...late }, where);
      await sendMessage({ kind: "send", sendId: "s", ...late }, where);
    }
    const refused = { kind: "sendRefused", sendId: "s" } as const;
    assert.deepEqual(
      { draft: opened.session.draft, rows: opened.rows(), said: place.said, toOthers: place.toOthers },
      { draft: "", rows: [], said: [refused, refused], toOthers: [] },
    );
  });

  it("takes with it what was added before it, and not what is added while it waits for that, however late that is read", async () => {
    const opened = await openSession(scriptedProvider(saying("one"), saying("two")));
    const { attachments, opened: conversation } = opened.session;
    let release = (): void => undefined;
    const added = new Promise<void>((resolve) => (release = resolve));
    const place = placeOf(opened);
    const world = { ...place.world, attaching: { added: () => added } };
    const file = (label: string) => ({ kind: "attachment", label, text: "let a;" }) as const;
    const send = (sendId: string): Promise<void> =>
      sendMessage(
        { kind: "send", conversationId: conversation.id, said: 1, sendId, text: `what is ${sendId}?` },
        { ...place, world },
      );
    const labels = (): readonly (readonly string[])[] =>
      opened
        .rows()
        .flatMap((row) =>
          row.kind === "message" && row.role === "user" ? [row.attachments.map(({ label }) => label)] : [],
        );
    const first = send("1");
    const [before, behind] = [undefined, attachments.messagesWaiting];
    for (let times = 0; times < 2; times++) await attachments.add(file("behind.ts"), undefined, behind);
    await attachments.add(file("before.ts"), undefined, before);
    await attachments.add(file("before.ts"), undefined, behind);
    release();
    await first;
    assert.deepEqual([labels(), attachments.view.map(({ label }) => label)], [[["before.ts"]], ["behind.ts"]]);
    await attachments.add(file("read late.ts"), undefined, behind);
    await send("2");
    assert.deepEqual([labels(), attachments.view], [[["before.ts"], ["behind.ts", "read late.ts"]], []]);
  });
});
