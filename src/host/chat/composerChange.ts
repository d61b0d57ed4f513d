/** Handles the changes that a page makes in its composer. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { AttachmentHandler } from "../mentions/attachmentHandler.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { countDraft } from "../view/draftTokens.ts";

/**
 * Applies a change to the conversation that it was typed in. A change for a conversation that is closed by now is
 * ignored: the page is told of the closing, and brings the text into the next conversation itself.
 */
export async function applyComposerChange(
  { change, conversationId }: Extract<ToHost, { kind: "compose" }>,
  session: Session | undefined,
  attaching: Pick<AttachmentHandler, "added">,
  presenter: Pick<Presenter, "showDraftTokens" | "dropNote">,
): Promise<void> {
  if (session?.opened.id !== conversationId) return;
  const { composer } = session;
  const stored = composer.change(change);
  switch (change.kind) {
    case "text":
      session.summaries.automatic.driver.noteTyped();
      await stored;
      await countDraft(session, presenter);
      return;
    case "edit":
      return stored;
    case "send": {
      // Attachments added before the message was sent belong to it; those added from now on do not.
      const { sendId, text } = change;
      if (composer.messageOf(sendId) === undefined) return stored; // a duplicate, or its text alone
      composer.attachments.setMessageWaiting(sendId, true);
      try {
        await Promise.all([stored, attaching.added()]);
        await session.send(sendId, text);
      } finally {
        composer.attachments.setMessageWaiting(sendId, false);
      }
      return;
    }
    case "sendEdit": {
      presenter.dropNote(); // its statement about a summary may be outdated
      const sent = (): void => {
        composer.tell({}, "now");
      };
      await session.actions.edit(change.messageId, change.text, sent).finally(() => {
        composer.edits.sent(change.sendId);
      });
    }
  }
}
