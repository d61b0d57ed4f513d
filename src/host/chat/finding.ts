/** What the view looks for, looked for in the conversation that it is about to show. */

import type { Conversations } from "../conversations/conversations.ts";
import type { FindInConversation } from "../find/findInConversation.ts";
import type { Presenter } from "../session/presenter.ts";
import type { FindToHost } from "../../protocol/findView.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import { tellFailure } from "../words/tellFailure.ts";

/** Where it is looked for. */
export interface FindingPlace {
  readonly world: {
    readonly conversations: Pick<Conversations, "start" | "session">;
    readonly find: Pick<FindInConversation, "handle">;
    readonly presenter: Pick<Presenter, "showBanner">;
  };
  readonly reply: (body: ToViewBody) => void;
}

/**
 * Answers a search. The box may be opened for a conversation that is only being opened: then it is that one that is
 * searched, once it is there, and so where another one is opened before the answer. Where none can be, nothing is found.
 */
export async function search(message: Extract<FindToHost, { kind: "find" }>, place: FindingPlace): Promise<void> {
  const { world, reply } = place;
  await world.conversations.start(); // waits for what is under way
  const { session } = world.conversations;
  if (session === undefined) {
    reply({ kind: "found", findId: message.findId, hits: [], isMore: false });
    return;
  }
  const isOpen = (): boolean => world.conversations.session === session;
  const found = await world.find.handle(message, session, (body) => {
    if (isOpen()) reply(body);
  });
  if (!isOpen()) return search(message, place);
  tellFailure(found, world.presenter);
}
