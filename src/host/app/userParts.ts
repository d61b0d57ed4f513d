/** What the user of a window acts by: commands, the chat's pages, and Forge in the editor's own chat. */

import { ChatHandler } from "../chat/chatHandler.ts";
import { countDraft } from "../chat/draftTokens.ts";
import { UserCommands } from "../commands/userCommands.ts";
import { EditorChat } from "../editorChat/editorChat.ts";
import { Attaching } from "../mentions/attaching.ts";
import type { Session } from "../session/session.ts";
import type { ConversationParts } from "./conversationParts.ts";
import type { WindowWorld } from "./windowWorld.ts";

/** What stands behind all that the user does. */
export interface UserParts {
  /** Those of the palette, menus and keys. */
  readonly commands: UserCommands;
  readonly handler: ChatHandler;
  readonly editorChat: EditorChat;
}

/** Puts the parts together. `openTab` shows the conversation in a tab of the editor, too. */
export function createUserParts(window: WindowWorld, parts: ConversationParts, openTab: () => void): UserParts {
  const { log, storage, dist, tools, documents, views, emit, bug } = window;
  const { conversations, presenter, connections, contextView, counting } = parts;
  const { focus, focusIfHere, giveBackFocus, act } = views;
  const reveal = (): Promise<void> => views.reveal();
  const attaching = new Attaching({ dist, emit, presenter, window: tools });
  const shared = {
    ...connections,
    ...contextView,
    conversations,
    presenter,
    counting,
    registry: window.registry,
    log,
    version: window.version,
    storage,
    dist,
    proposals: tools.proposals,
    documents,
    reveal,
    focus,
    giveBackFocus,
    act,
    countDraft: (session: Session) => countDraft(session, presenter),
    attachFiles: (uris: readonly string[], session: Session) => attaching.handle({ kind: "attachUris", uris }, session),
    attachTerminal: (isSelected: boolean, session: Session) => attaching.addTerminal(isSelected, session),
    openTab,
    bug,
  };
  const commands = new UserCommands({ ...shared, answered: () => undefined, leadToComposer: focus });
  const handler = new ChatHandler({
    conversations,
    presenter,
    commands: new UserCommands({ ...shared, answered: giveBackFocus, leadToComposer: focusIfHere }),
    log,
    storage,
    dist,
    tools,
    documents,
    attaching,
    emit,
    giveBackFocus,
    bug,
  });
  const editorChat = new EditorChat({
    conversations,
    reveal,
    pageIsThere: () => views.whenThere(),
    handler,
    bug,
  });
  return { commands, handler, editorChat };
}
