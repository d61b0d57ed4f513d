/** Rescuing a conversation, seen in the chat. */

import * as vscode from "vscode";
import type { ConversationId } from "../../../core/ids.ts";
import type { Conversations } from "../conversations.ts";

/** Rescues a conversation, or the one that could not be opened, while the view shows that something is going on. */
export async function rescueInChat(conversations: Conversations, id?: ConversationId): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: "forge.chat" } }, () => conversations.rescue(id));
}
