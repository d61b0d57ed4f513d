/** The conversations that a tool result quotes: may models recall them, and the user's change of that. */

import path from "node:path";
import { readMeta } from "../../adapters/node/conversationMeta.ts";
import { isLeftOutOfRecall, RECALL_SETTING } from "../../core/history/recallState.ts";
import { parseConversationId, type ConversationId } from "../../core/ids.ts";
import type { CallSourceState, SourceStates } from "../../protocol/toolCallView.ts";
import type { Conversations } from "../conversations/conversations.ts";
import { changeListing } from "../conversations/list/changeListing.ts";
import type { Presenter } from "../view/presenter.ts";
import { showFailureIn } from "../words/showFailureIn.ts";

export async function sourceStates(ids: readonly string[], conversations: Conversations): Promise<SourceStates> {
  return Promise.all(
    ids.map(async (conversationId) => {
      const id = parseConversationId(conversationId);
      return { conversationId, state: id === undefined ? "gone" : await stateOf(id, conversations) };
    }),
  );
}

/** Has models recall the conversation from others, or not; resolves to its state then. A failure is shown in the chat. */
export async function setLeftOut(
  { conversationId, isLeftOut }: { readonly conversationId: string; readonly isLeftOut: boolean },
  conversations: Conversations,
  presenter: Pick<Presenter, "showBanner">,
  dist: string,
): Promise<SourceStates> {
  const id = parseConversationId(conversationId);
  if (id !== undefined && (await stateOf(id, conversations)) !== "gone") {
    const folder = path.join(conversations.places.conversations, id);
    showFailureIn(await changeListing({ id, folder }, { isLeftOut }, { conversations, dist }), presenter);
  }
  return sourceStates([conversationId], conversations);
}

async function stateOf(id: ConversationId, conversations: Conversations): Promise<CallSourceState> {
  const open = conversations.session?.opened;
  if (open?.id === id) return isLeftOutOfRecall(open.manager.history.setting(RECALL_SETTING)) ? "leftOut" : "found";
  if ((await conversations.placeOf(id)) !== "conversations") return "gone";
  const meta = await readMeta(path.join(conversations.places.conversations, id));
  return meta?.isLeftOut === true ? "leftOut" : "found";
}
