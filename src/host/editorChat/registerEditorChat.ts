import * as vscode from "vscode";
import type { EditorChat } from "./editorChat.ts";

const PARTICIPANT = "forge-chat.forge";
const RECALL_TOOL = "forge_recall";
import { SHOW_MESSAGE } from "./messageLink.ts";

/**
 * Registers the participant, the tool and the command of the message links, as named in the manifest. `chat` is called,
 * and its code loaded, on first use.
 */
export function registerEditorChat(
  { extensionUri }: vscode.ExtensionContext,
  chat: () => Promise<EditorChat>,
): readonly { dispose(): unknown }[] {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT, async (request, _context, stream, token) =>
    (await chat()).answer(request, stream, token),
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, "media/icon.png");
  return [
    participant,
    vscode.lm.registerTool(RECALL_TOOL, {
      prepareInvocation: async ({ input }) => (await chat()).prepareRecall(input),
      invoke: async ({ input }) => (await chat()).recall(input),
    }),
    vscode.commands.registerCommand(SHOW_MESSAGE, async (conversation: unknown, message: unknown) =>
      (await chat()).showMessage(conversation, message),
    ),
  ];
}
