import type { ConversationId } from "../../../core/ids.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";
import type { ChatViews } from "../../view/chatViews.ts";
import type { Conversations } from "../conversations.ts";

export interface ChosenConversation {
  readonly id: ConversationId;
  /** Where to open it; `undefined`: where it was left. */
  readonly hit: SearchHit | undefined;
  readonly query: string;
}

/** Opens a conversation; the chat's search shows the hit, with its words marked. */
export async function openAtHit(
  { id, hit, query }: ChosenConversation,
  conversations: Pick<Conversations, "openExisting">,
  views: Pick<ChatViews, "focusAndPost">,
): Promise<void> {
  const opening = conversations.openExisting(id);
  if (hit !== undefined) views.focusAndPost({ kind: "openFind", query, messageId: hit.id }); // at once, to catch typing
  await opening;
}
