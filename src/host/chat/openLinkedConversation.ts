/** Opens the conversation that a link in the chat leads to. */

import { messageId, parseConversationId } from "../../core/ids.ts";
import type { ConversationPlace } from "../../protocol/conversationLink.ts";
import { localize } from "../../protocol/localize.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { Session } from "../session/session.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { Presenter } from "../view/presenter.ts";
import { revealInAllPages } from "../view/revealMessage.ts";
import { failure, info, OPEN_CONVERSATION } from "../words/banners.ts";

/** Stays in the open conversation when there is none such, and says so there. */
export async function openLinkedConversation(
  place: ConversationPlace,
  conversations: Pick<Conversations, "placeOf" | "openExisting" | "session">,
  views: Pick<ChatViews, "post">,
  presenter: Presenter,
): Promise<void> {
  const id = parseConversationId(place.conversationId);
  if (conversations.session?.opened.id !== id) {
    const folder = id && (await conversations.placeOf(id));
    if (id === undefined || folder === undefined) {
      presenter.showBanner(failure(localize("This link leads to no conversation: it was deleted, or never existed.")));
      return;
    }
    if (folder === "trash") {
      const text = localize("This link leads to a conversation in the trash. Once it is restored, the link opens it.");
      presenter.showBanner(failure(text, [OPEN_CONVERSATION]));
      return;
    }
    await conversations.openExisting(id);
  }
  const { session } = conversations;
  if (session === undefined || session.opened.id !== id || place.messageId === null) return;
  if (isShown(session, place.messageId)) await revealInAllPages(session, place.messageId, views, presenter);
  else presenter.showBanner(info(localize("The message that the link leads to is hidden, or never existed.")));
}

function isShown({ opened }: Session, number: number): boolean {
  const { history } = opened.manager;
  return number < history.length && history.isVisible(history.entry(messageId(number)));
}
