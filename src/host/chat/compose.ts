/** What a page changes in its composer, done in the conversation that it was typed in and in no other. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { Attaching } from "../mentions/attaching.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { countDraft } from "../view/draftTokens.ts";

/**
 * Applies the change, and does what follows from it. Nothing of a conversation that is closed by now: the page was told of the
 * closing before it said this, or is about to be, and brings the text into what is opened next.
 */
export async function compose(
  { change, conversationId }: Extract<ToHost, { kind: "compose" }>,
  session: Session | undefined,
  attaching: Pick<Attaching, "added">,
  presenter: Pick<Presenter, "showDraftTokens" | "dropNote">,
): Promise<void> {
  if (session?.opened.id !== conversationId) return;
  const { composer } = session;
  const stored = composer.change(change);
  switch (change.kind) {
    case "text":
      await stored;
      await countDraft(session, presenter);
      return;
    case "edit":
      return stored;
    case "send": {
      // What was added right before is a part of the message, and what is added from now on is not.
      const { sendId, text } = change;
      if (composer.messageOf(sendId) === undefined) return stored; // it was received before, or its text alone
      composer.attachments.messageWaits(sendId, true);
      try {
        await Promise.all([stored, attaching.added()]);
        await session.send(sendId, text);
      } finally {
        composer.attachments.messageWaits(sendId, false);
      }
      return;
    }
    case "sendEdit": {
      presenter.dropNote(); // what it tells of a summary may not be so any more
      const sent = (): void => {
        composer.tell({}, "now");
      };
      await session.actions.edit(change.messageId, change.text, sent).finally(() => {
        composer.edits.sent(change.sendId);
      });
    }
  }
}
