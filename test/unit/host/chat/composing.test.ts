/** What is typed and sent in a view, in the conversation that is open by the time it comes. */

import assert from "node:assert/strict";
import { keepDraft, sendMessage, type ComposingPlace } from "../../../../src/host/chat/composing.ts";
import type { ToViewBody } from "../../../../src/protocol/toView.ts";
import { openSession, type OpenedSession } from "../../../support/openSession.ts";
import { scriptedProvider } from "../../../support/scriptedProvider.ts";

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
});
