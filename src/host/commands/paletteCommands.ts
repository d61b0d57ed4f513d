/**
 * The handler of each contributed command. They are started from the palette, menus, key bindings and the status bar.
 */

import { localize } from "../../protocol/localize.ts";
import { pickConversation } from "../conversations/list/conversationList.ts";
import { pickToDelete } from "../conversations/remove/deleteConversation.ts";
import { askToEraseEverything } from "../conversations/remove/eraseCommands.ts";
import { renameConversation } from "../conversations/list/renameConversation.ts";
import { exportConversation, importConversation } from "../conversations/transfer/transferCommands.ts";
import { pickFromTrash } from "../conversations/remove/trashPicker.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { addFiles } from "../fromEditor/addFiles.ts";
import { addTerminal } from "../fromEditor/addTerminal.ts";
import { sendCode } from "../fromEditor/sendCode.ts";
import { pickRecovery } from "../pickers/recoveryPicker.ts";
import { pickTools } from "../pickers/toolsPicker.ts";
import { type CommandRun, connecting, inChat, inFront, say } from "./commandKinds.ts";
import { copyMessage, copySelection } from "./copyFromChat.ts";
import { copyDiagnostics } from "./diagnosticsCommand.ts";
import { eraseMessage } from "./eraseMessage.ts";
import { summarizeHere } from "./summarizeHere.ts";

const code = (id: "forge.addSelection" | "forge.explainSelection" | "forge.fixProblems"): CommandRun =>
  inChat((session, { presenter, window }, context) => sendCode(id, context, session, presenter, window.views));

const terminal = (isSelected: boolean): CommandRun =>
  inChat((session, { attaching, presenter, window }) =>
    addTerminal(isSelected, session, attaching, presenter, window.views),
  );

export const PALETTE_COMMANDS: Readonly<Record<CommandId, CommandRun>> = {
  "forge.summarizeContext": inChat((session, { presenter, keyboard }, context) =>
    summarizeHere(session, presenter, keyboard, context),
  ),
  "forge.cancelSummary": async (services) => {
    const isCancelled = services.conversations.session?.cancelSummary() ?? false;
    if (!isCancelled) await say(services, localize("Nothing is being summarized."));
  },
  "forge.switchModel": inChat((session, { modelPicker }) => modelPicker.pick(session)),
  "forge.recover": inChat((session, { window, keyboard }) => pickRecovery(session, window.views, keyboard)),
  "forge.newConversation": inFront(async ({ window, conversations }) => {
    window.views.focus(); // at once, to catch what is typed while it is created
    await conversations.openNew();
  }),
  "forge.openConversation": inFront(({ conversations, window, keyboard }) =>
    pickConversation(conversations, window.views, keyboard, window.folders.dist, window.bugs),
  ),
  "forge.addFiles": inChat((session, { attaching, presenter, window }, context) =>
    addFiles(context, session, attaching, presenter, window.views),
  ),
  "forge.addTerminal": terminal(false),
  "forge.addTerminalSelection": terminal(true),
  "forge.addSelection": code("forge.addSelection"),
  "forge.explainSelection": code("forge.explainSelection"),
  "forge.fixProblems": code("forge.fixProblems"),
  "forge.renameConversation": inChat((session, { conversations, window }) =>
    renameConversation(session, { conversations, dist: window.folders.dist }),
  ),
  "forge.findInConversation": inFront(({ window }, context) => {
    window.views.act({ kind: "openFind", query: typeof context === "string" ? context : "", messageId: null });
  }),
  "forge.focusChat": inFront(({ window }) => {
    window.views.focus();
  }),
  "forge.openInTab": ({ pages }) => {
    pages.openTab();
  },
  "forge.deleteConversation": inFront(({ conversations, window }) => pickToDelete(conversations, window.bugs)),
  "forge.openTrash": inFront(({ conversations, keyboard }) => pickFromTrash(conversations, keyboard)),
  "forge.eraseMessage": inChat((session, { presenter, keyboard }, context) =>
    eraseMessage(session, presenter, keyboard, context),
  ),
  "forge.copySelection": (_services, context) => copySelection(context),
  "forge.copyMessage": ({ conversations, presenter }, context) =>
    conversations.session && copyMessage(conversations.session, presenter, context),
  "forge.eraseEverything": inFront(({ conversations, models, window }) =>
    askToEraseEverything(conversations, models, window.folders.storage),
  ),
  "forge.showContext": async (services) => {
    const { contextPage, window } = services;
    await inChat(() => contextPage.open())(services);
    window.views.act({ kind: "context", context: contextPage.shown }); // posted again, so that the page focuses it
  },
  "forge.setApiKey": connecting(({ keys }) => keys.add()),
  "forge.removeApiKey": ({ keys }) => keys.remove(),
  "forge.testApiKeys": ({ keys }) => keys.test(),
  "forge.findServers": connecting(({ servers }) => servers.findServers()),
  "forge.useServer": connecting(({ servers }) => servers.useServer()),
  "forge.useEditorModels": connecting(({ servers }) => servers.useEditorModels()),
  "forge.exportConversation": inChat((session, { presenter, keyboard }) =>
    exportConversation(session, presenter, keyboard),
  ),
  "forge.importConversation": inFront(({ conversations, presenter, keyboard, window }) =>
    importConversation(conversations, presenter, keyboard, window.folders),
  ),
  "forge.stop": async (services) => {
    const { session } = services.conversations;
    if (session !== undefined && session.activity !== "idle") session.stop();
    else if (session?.cancelSummary() !== true) await say(services, localize("Nothing is running."));
  },
  "forge.chooseTools": inFront(({ conversations, keyboard, window }) =>
    pickTools(conversations.session, keyboard, window.bugs),
  ),
  "forge.acceptEdit": ({ window }) => {
    window.tools.proposals.decide("accepted");
  },
  "forge.refuseEdit": ({ window }) => {
    window.tools.proposals.decide("refused");
  },
  "forge.showLog": ({ window }) => {
    window.log.show();
  },
  "forge.copyDiagnostics": ({ models, conversations, window }) =>
    copyDiagnostics(models, conversations.session, window.version),
};
