/** What the view looks for, looked for in the conversation that it is about to show. */

import type { Conversations } from "../conversations/conversations.ts";
import type { FindInConversation } from "../find/findInConversation.ts";
import type { Presenter } from "../view/presenter.ts";
import type { FindToHost } from "../../protocol/findView.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { tellFailure } from "../words/tellFailure.ts";

/** Where it is looked for. */
export interface Searched {
  readonly conversations: Pick<Conversations, "start" | "session">;
  readonly find: Pick<FindInConversation, "handle">;
  readonly presenter: Pick<Presenter, "showBanner">;
}

/**
 * Answers a search. The box may be opened for a conversation that is only being opened: then it is that one that is
 * searched, once it is there, and so where another one is opened before the answer. Where none can be, nothing is found.
 */
export async function search(
  message: Extract<FindToHost, { kind: "find" }>,
  searched: Searched,
  reply: (body: ToViewBody) => void,
): Promise<void> {
  const { conversations, find, presenter } = searched;
  await conversations.start(); // waits for what is under way
  const { session } = conversations;
  if (session === undefined) {
    reply({ kind: "found", findId: message.findId, hits: [], isMore: false });
    return;
  }
  const isOpen = (): boolean => conversations.session === session;
  const found = await find.handle(message, session, (body) => {
    if (isOpen()) reply(body);
  });
  if (!isOpen()) return search(message, searched, reply);
  tellFailure(found, presenter);
}
