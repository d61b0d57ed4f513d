/** What the view says of its composer, done in the conversation that it was typed in and in no other. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { Attaching } from "../mentions/attaching.ts";
import type { Presenter } from "../session/presenter.ts";
import type { Session } from "../session/session.ts";
import { countDraft } from "../session/draftTokens.ts";

/** What is done with, and where. */
export interface ComposingPlace {
  /** The conversation that is open. */
  readonly session: Session | undefined;
  readonly world: {
    readonly attaching: Pick<Attaching, "added">;
    readonly presenter: Pick<Presenter, "showDraftTokens">;
    readonly emit: (body: ToViewBody) => void;
  };
  /** Reaches all views but the one that said it. */
  readonly tellOthers: (body: ToViewBody) => void;
}

/** Keeps what a message is to say instead, and shows it in the other views. Of a conversation that is closed by now: nothing. */
export async function keepEdit(
  { conversationId, edit }: Extract<ToHost, { kind: "messageEdit" }>,
  { session, tellOthers }: Pick<ComposingPlace, "session" | "tellOthers">,
): Promise<void> {
  if (session?.opened.id !== conversationId) return;
  const stored = session.edits.set(edit);
  tellOthers({ kind: "messageEdit", conversationId, edit });
  await stored;
}

/** Sends it; what was typed in a conversation that is closed by now is refused, and stays in the composer. */
export async function sendMessage(
  { sendId, text, conversationId }: Extract<ToHost, { kind: "send" }>,
  { session, world }: ComposingPlace,
): Promise<void> {
  if (session?.opened.id !== conversationId) {
    world.emit({ kind: "sendRefused", sendId });
    return;
  }
  // What was added right before is a part of the message, and what is added from now on is not.
  const { attachments, sending } = session;
  attachments.messageWaits(sendId, true);
  try {
    await Promise.all([sending.came({ sendId, text }), world.attaching.added()]);
    await session.send(sendId, text);
  } finally {
    attachments.messageWaits(sendId, false);
  }
}

/**
 * Keeps what is typed, and shows it in the other views. In a conversation that is closed by now nothing is kept: the view was
 * told of the closing before it said this, or is about to be, and takes the text into what is opened next.
 */
export async function keepDraft(
  { text: told, behind, conversationId }: Extract<ToHost, { kind: "draft" }>,
  { session, world, tellOthers }: ComposingPlace,
): Promise<void> {
  if (session?.opened.id !== conversationId) return;
  const text = session.sending.behind(behind, told);
  const stored = session.setDraft(text);
  tellOthers({ kind: "draft", text });
  await stored;
  await countDraft(session, world.presenter);
}
