/** Types of the handlers of page messages. */

import type { ToHost } from "../../protocol/toHost.ts";
import type { CodeHandler } from "../code/codeHandler.ts";
import type { UserCommands } from "../commands/userCommands.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { ContextActions } from "../context/contextActions.ts";
import type { FindInConversation } from "../find/findInConversation.ts";
import type { AttachmentHandler } from "../mentions/attachmentHandler.ts";
import type { Presenter } from "../view/presenter.ts";
import type { Session } from "../session/session.ts";
import type { ViewReplies } from "../view/chatView.ts";
import type { WindowServices } from "../view/windowServices.ts";

/** Services that all handlers share. */
export interface MessageServices {
  readonly window: WindowServices;
  readonly conversations: Conversations;
  readonly presenter: Presenter;
  /** Commands started in the chat: they return the keyboard focus to it. */
  readonly commands: UserCommands;
  readonly attaching: AttachmentHandler;
  readonly contextActions: ContextActions;
  readonly find: FindInConversation;
  readonly code: CodeHandler;
}

export interface MessageContext extends ViewReplies {
  readonly services: MessageServices;
  /** The conversation that was open when the message was received. */
  readonly session: Session | undefined;
}

export interface ConversationMessageContext extends MessageContext {
  readonly session: Session;
}

/** Message types of the page by their kind. */
export type MessageByKind = { readonly [Message in ToHost as Message["kind"]]: Message };

/** Handles one message; what it throws is a bug. */
export type MessageHandler<Message, Place = MessageContext> = (message: Message, context: Place) => unknown;

/** Wraps a handler that needs a conversation: the message is ignored when none is open. */
export function withSession<Message>(
  handler: MessageHandler<Message, ConversationMessageContext>,
): MessageHandler<Message> {
  return (message, context) => {
    const { session } = context;
    return session === undefined ? undefined : handler(message, { ...context, session });
  };
}
