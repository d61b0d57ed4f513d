/** What each contributed command does. They come from the palette, menus, keys and the indicator. */

import { localize } from "../../protocol/localize.ts";
import { pickConversation } from "../conversations/conversationList.ts";
import { pickToDelete } from "../conversations/deleteConversation.ts";
import { askToEraseEverything } from "../conversations/eraseCommands.ts";
import { renameConversation } from "../conversations/renameConversation.ts";
import { exportConversation, importConversation } from "../conversations/transferCommands.ts";
import { pickFromTrash } from "../conversations/trashPicker.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { addFiles } from "../fromEditor/addFiles.ts";
import { addTerminal } from "../fromEditor/addTerminal.ts";
import { sendCode } from "../fromEditor/sendCode.ts";
import { addKey, removeKey, testKeys } from "../pickers/keyCommands.ts";
import { pickModel } from "../pickers/modelPicker.ts";
import { pickRecovery } from "../pickers/recoveryPicker.ts";
import { findServers, useEditorModels, useServer } from "../pickers/serverCommands.ts";
import { pickTools } from "../pickers/toolsPicker.ts";
import { type CommandRun, connecting, inChat, inFront, say } from "./commandKinds.ts";
import type { CommandWorld } from "./commandWorld.ts";
import { copyMessage, copySelection } from "./copyFromChat.ts";
import { copyDiagnostics } from "./diagnosticsCommand.ts";
import { eraseMessage } from "./eraseMessage.ts";
import { summarizeHere } from "./summarizeHere.ts";

const code = (id: "forge.addSelection" | "forge.explainSelection" | "forge.fixProblems"): CommandRun =>
  inChat((session, world, context) => sendCode(id, context, session, world));

/** Every command of the manifest. */
export const PALETTE_COMMANDS: Readonly<Record<CommandId, CommandRun>> = {
  "forge.summarizeContext": inChat(summarizeHere),
  "forge.cancelSummary": async (world) => {
    const isCancelled = world.conversations.session?.cancelSummary() ?? false;
    if (!isCancelled) await say(world, localize("Nothing is being summarized."));
  },
  "forge.switchModel": inChat(pickModel),
  "forge.recover": inChat(pickRecovery),
  "forge.newConversation": inFront(async ({ focus, conversations }) => {
    focus(); // at once: what is typed while it is being made is in it
    await conversations.openNew();
  }),
  "forge.openConversation": inFront((world) =>
    pickConversation({
      ...world,
      find: (query, messageId) => {
        find(world, query, messageId);
      },
    }),
  ),
  "forge.addFiles": inChat((session, world, context) => addFiles(context, session, world)),
  "forge.addTerminal": inChat((session, world) => addTerminal(false, session, world)),
  "forge.addTerminalSelection": inChat((session, world) => addTerminal(true, session, world)),
  "forge.addSelection": code("forge.addSelection"),
  "forge.explainSelection": code("forge.explainSelection"),
  "forge.fixProblems": code("forge.fixProblems"),
  "forge.renameConversation": inChat(renameConversation),
  "forge.findInConversation": inFront((world, context) => {
    find(world, typeof context === "string" ? context : "", null);
  }),
  "forge.focusChat": inFront(({ focus }) => {
    focus();
  }),
  "forge.openInTab": ({ openTab }) => {
    openTab();
  },
  "forge.deleteConversation": inFront(pickToDelete),
  "forge.openTrash": inFront(pickFromTrash),
  "forge.eraseMessage": inChat(eraseMessage),
  "forge.copySelection": (_world, context) => copySelection(context),
  "forge.copyMessage": ({ conversations, presenter }, context) =>
    conversations.session && copyMessage(conversations.session, presenter, context),
  "forge.eraseEverything": inFront(askToEraseEverything),
  "forge.showContext": async (world) => {
    await inChat(() => world.contextPage.open())(world);
    world.act({ kind: "context", context: world.contextPage.shown }); // with the keyboard in it
  },
  "forge.setApiKey": connecting(addKey),
  "forge.removeApiKey": removeKey,
  "forge.testApiKeys": testKeys,
  "forge.findServers": connecting(findServers),
  "forge.useServer": connecting(useServer),
  "forge.useEditorModels": connecting(useEditorModels),
  "forge.exportConversation": inChat(exportConversation),
  "forge.importConversation": inFront(importConversation),
  "forge.stop": async (world) => {
    const { session } = world.conversations;
    if (session !== undefined && session.activity !== "idle") session.stop();
    else if (session?.cancelSummary() !== true) await say(world, localize("Nothing is running."));
  },
  "forge.chooseTools": inFront((world) => pickTools(world.conversations.session, world)),
  "forge.acceptEdit": ({ proposals }) => {
    proposals.decide("accepted");
  },
  "forge.refuseEdit": ({ proposals }) => {
    proposals.decide("refused");
  },
  "forge.showLog": ({ log }) => {
    log.show();
  },
  "forge.copyDiagnostics": (world) => copyDiagnostics(world, world.version),
};

function find({ act }: CommandWorld, query: string, messageId: number | null): void {
  act({ kind: "openFind", query, messageId });
}
