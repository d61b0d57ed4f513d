import * as vscode from "vscode";
import type { ConversationId } from "../../../core/ids.ts";
import type { Conversations } from "../conversations.ts";

/** Rescues a conversation with a progress bar in the chat. `id` defaults as in {@link Conversations.rescue}. */
export async function rescueInChat(conversations: Conversations, id?: ConversationId): Promise<void> {
  await vscode.window.withProgress({ location: { viewId: "forge.chat" } }, () => conversations.rescue(id));
}
