/** Opens attachments, of the draft or of a sent message, and turns pasted attachments back into text. */

import { messageId } from "../../core/ids.ts";
import type { Part } from "../../core/message.ts";
import type { ConversationPlace } from "../../protocol/conversationLink.ts";
import type { ToHost } from "../../protocol/toHost.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import { attachedConversation, attachmentView } from "../transcript/attachmentViews.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { explain } from "../words/explain.ts";

export type AttachmentToHost = Extract<ToHost, { kind: "attachmentText" | "openAttachment" }>;

/**
 * Does nothing when the attachment no longer exists, or when an image is to become text. Returns the conversation that a
 * sent attachment was made of, to be opened instead of its text.
 */
export async function handleAttachmentMessage(
  message: AttachmentToHost,
  session: Session,
  documents: Pick<ReadOnlyDocuments, "show" | "showPicture">,
  presenter: Pick<Presenter, "showBanner">,
  reply: (body: ToViewBody) => void,
): Promise<ConversationPlace | undefined> {
  const { attachmentId } = message;
  if (message.kind === "attachmentText") {
    const part = session.composer.attachments.part(attachmentId);
    if (part?.kind === "attachment") reply({ kind: "attachmentText", attachmentId, text: part.text });
    return undefined;
  }
  const part =
    message.messageId === null
      ? session.composer.attachments.part(attachmentId)
      : await sentPart(session, message.messageId, Number(attachmentId), presenter);
  const place = message.messageId !== null && part?.kind === "attachment" ? attachedConversation(part.uri) : undefined;
  if (place !== undefined) return place;
  if (part?.kind === "image") await documents.showPicture(part);
  const view = part === undefined ? undefined : attachmentView(part, attachmentId, null);
  if (part?.kind !== "attachment" || view === undefined) return undefined;
  const name = view.label.slice(view.label.lastIndexOf("/") + 1);
  const folder = `${message.messageId === null ? "draft" : String(message.messageId)}-${attachmentId}`;
  await documents.show({ name: `${folder}/${view.kind === "file" ? name : `${name}.txt`}`, text: part.text });
  return undefined;
}

async function sentPart(
  session: Session,
  id: number,
  index: number,
  presenter: Pick<Presenter, "showBanner">,
): Promise<Part | undefined> {
  const { manager, store } = session.opened;
  if (id >= manager.history.length) return undefined;
  const read = await store.readMessages([messageId(id)]);
  if (read.ok) return read.value[0]?.message.parts[index];
  presenter.showBanner(explain(read.error, ""));
  return undefined;
}
