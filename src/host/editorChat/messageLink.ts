/** Links in the editor's chat to a message in Forge's own chat. */

import * as vscode from "vscode";
import { type ConversationId, messageNumber } from "../../core/ids.ts";
import { localize } from "../../protocol/localize.ts";

/** Shows a message in Forge's chat. Not in the manifest: only these links run it. */
export const SHOW_MESSAGE = "forge.showMessage";

export function messageLink(conversation: ConversationId, message: number): vscode.MarkdownString {
  const target = encodeURIComponent(JSON.stringify([conversation, message]));
  const link = new vscode.MarkdownString(
    `[${localize("Message {0}", messageNumber(message))}](command:${SHOW_MESSAGE}?${target})`,
  );
  link.isTrusted = { enabledCommands: [SHOW_MESSAGE] };
  return link;
}
