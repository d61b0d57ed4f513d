import type { FindToHost } from "../../protocol/toHost.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { FindInConversation } from "../find/findInConversation.ts";
import type { Presenter } from "../view/presenter.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { showFailureIn } from "../words/showFailureIn.ts";

export interface SearchServices {
  readonly conversations: Pick<Conversations, "start" | "session">;
  readonly find: Pick<FindInConversation, "handle">;
  readonly presenter: Pick<Presenter, "showBanner">;
}

/**
 * Answers a search. While a conversation is being opened, the search waits for it; if another one is opened before the
 * search ends, that one is searched instead. No hits when none can be opened.
 */
export async function search(
  message: Extract<FindToHost, { kind: "find" }>,
  services: SearchServices,
  reply: (body: ToViewBody) => void,
): Promise<void> {
  const { conversations, find, presenter } = services;
  await conversations.start(); // waits for an opening in progress
  const { session } = conversations;
  if (session === undefined) {
    reply({ kind: "found", findId: message.findId, hits: [], isMore: false });
    return;
  }
  const isOpen = (): boolean => conversations.session === session;
  const found = await find.handle(message, session, (body) => {
    if (isOpen()) reply(body);
  });
  if (!isOpen()) return search(message, services, reply);
  showFailureIn(found, presenter);
}
