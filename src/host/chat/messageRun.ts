/** How a message of the view is done: what stands around it, and the way in which most begin. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { CodeHandler } from "../code/codeHandler.ts";
import type { UserCommands } from "../commands/userCommands.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { ContextActions } from "../context/contextActions.ts";
import type { FindInConversation } from "../find/findInConversation.ts";
import type { Attaching } from "../mentions/attaching.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import type { WaysToViews } from "../view/chatView.ts";
import type { WindowServices } from "../view/windowServices.ts";

/** What the messages of all views work with. */
export interface MessageServices {
  readonly window: WindowServices;
  readonly conversations: Conversations;
  readonly presenter: Presenter;
  /** Those that are asked for in the chat. */
  readonly commands: UserCommands;
  readonly attaching: Attaching;
  readonly contextActions: ContextActions;
  readonly find: FindInConversation;
  readonly code: CodeHandler;
}

/** Where a message is done. */
export interface MessagePlace extends WaysToViews {
  readonly services: MessageServices;
  /** The conversation that was open when the message came. */
  readonly session: Session | undefined;
}

/** Where a message about a conversation is done. */
export interface ConversationPlace extends MessagePlace {
  readonly session: Session;
}

/** The messages of the view by their kind. */
export type MessageByKind = { readonly [Message in ToHost as Message["kind"]]: Message };

/** Does a message; what it throws is a bug. */
export type MessageRun<Message, Place = MessagePlace> = (message: Message, place: Place) => unknown;

/** Does nothing where no conversation is open: then the view shows none, or is about to. */
export function inConversation<Message>(run: MessageRun<Message, ConversationPlace>): MessageRun<Message> {
  return (message, place) => {
    const { session } = place;
    return session === undefined ? undefined : run(message, { ...place, session });
  };
}
