/** What a page changes in its composer, done in the conversation that it was typed in and in no other. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { Attaching } from "../mentions/attaching.ts";
import type { Presenter } from "../session/presenter.ts";
import type { Session } from "../session/session.ts";
import { countDraft } from "./draftTokens.ts";

/** The open conversation, and what a message waits for and is counted for. */
export interface ComposePlace {
  readonly session: Session | undefined;
  readonly world: {
    readonly attaching: Pick<Attaching, "added">;
    readonly presenter: Pick<Presenter, "showDraftTokens" | "dropNote">;
  };
}

/**
 * Applies the change, and does what follows from it. Nothing of a conversation that is closed by now: the page was told of the
 * closing before it said this, or is about to be, and brings the text into what is opened next.
 */
export async function compose(
  { change, conversationId }: Extract<ToHost, { kind: "compose" }>,
  { session, world }: ComposePlace,
): Promise<void> {
  if (session?.opened.id !== conversationId) return;
  const { composer } = session;
  const stored = composer.change(change);
  switch (change.kind) {
    case "text":
      await stored;
      await countDraft(session, world.presenter);
      return;
    case "edit":
      return stored;
    case "send": {
      // What was added right before is a part of the message, and what is added from now on is not.
      const { sendId, text } = change;
      if (composer.messageOf(sendId) === undefined) return stored; // it was received before, or its text alone
      composer.attachments.messageWaits(sendId, true);
      try {
        await Promise.all([stored, world.attaching.added()]);
        await session.send(sendId, text);
      } finally {
        composer.attachments.messageWaits(sendId, false);
      }
      return;
    }
    case "sendEdit": {
      world.presenter.dropNote(); // what it tells of a summary may not be so any more
      const sent = (): void => {
        composer.tell({}, "now");
      };
      await session.acts.edit(change.messageId, change.text, sent).finally(() => {
        composer.edits.sent(change.sendId);
      });
    }
  }
}
