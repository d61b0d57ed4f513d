/**
 * The handler of each contributed command. They are started from the palette, menus, key bindings and the status bar.
 */

import { systemClock } from "../../adapters/node/clock.ts";
import { localize } from "../../protocol/localize.ts";
import { pickConversation } from "../conversations/list/conversationPicker.ts";
import { findEverywhere } from "../conversations/list/everywherePicker.ts";
import { pickToDelete } from "../conversations/remove/deleteConversation.ts";
import { askToEraseEverything } from "../conversations/remove/eraseCommands.ts";
import { renameConversation } from "../conversations/list/renameConversation.ts";
import { exportConversation } from "../conversations/transfer/transferCommands.ts";
import { pickFromTrash } from "../conversations/remove/trashPicker.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { addFiles } from "../fromEditor/addFiles.ts";
import { addTerminal } from "../fromEditor/addTerminal.ts";
import { sendCode } from "../fromEditor/sendCode.ts";
import { info } from "../words/banners.ts";
import { ErasedReplica } from "../replica/erasedReplica.ts";
import { pickRecovery } from "../pickers/recoveryPicker.ts";
import { pickTools } from "../pickers/toolsPicker.ts";
import { type CommandHandler, providerSetup, withConversation, withVisibleChat, showInfo } from "./commandWrappers.ts";
import { showAccessibilityHelp, showAnswerAsText } from "./accessibleTexts.ts";
import { copyMessage, copySelection } from "./copyFromChat.ts";
import { copyDiagnostics } from "./diagnosticsCommand.ts";
import { eraseMessage } from "./eraseMessage.ts";
import { moveChat } from "./moveChat.ts";
import { showQuestion } from "./showQuestion.ts";
import { summarizeContext } from "./summarizeContext.ts";

const code = (id: "forge.addSelection" | "forge.explainSelection" | "forge.fixProblems"): CommandHandler =>
  withConversation((session, { presenter, window }, context) =>
    sendCode(id, context, session, presenter, window.views),
  );

const terminal = (isSelected: boolean): CommandHandler =>
  withConversation((session, { attaching, presenter, window }) =>
    addTerminal(isSelected, session, attaching, presenter, window.views),
  );

export const COMMAND_HANDLERS: Readonly<Record<CommandId, CommandHandler>> = {
  "forge.summarizeContext": withConversation((session, { presenter, keyboard }, context) =>
    summarizeContext(session, presenter, keyboard, context),
  ),
  "forge.cancelSummary": async (services) => {
    const isCancelled = services.conversations.session?.cancelSummary() ?? false;
    if (!isCancelled) await showInfo(services, localize("Nothing is being summarized."));
  },
  "forge.switchModel": withConversation((session, { modelPicker }) => modelPicker.pick(session)),
  "forge.chooseSummarizer": withConversation(async (session, { modelPicker, models, presenter }) => {
    const told = await modelPicker.pickSummarizer(session);
    if (told === undefined) return;
    presenter.showBanner(info(told.text), () => models.settings.current.summarizationModel === told.setting);
  }),
  "forge.recover": withConversation((session, { window, keyboard }) => pickRecovery(session, window.views, keyboard)),
  "forge.newConversation": withVisibleChat(async ({ window, conversations }) => {
    window.views.focus(); // at once, to catch what is typed while it is created
    await conversations.openNew();
  }),
  "forge.openConversation": withVisibleChat(({ conversations, window, keyboard }) =>
    pickConversation(conversations, window.views, keyboard, window.folders.dist, window.bugs),
  ),
  "forge.addFiles": withConversation((session, { attaching, presenter, window }, context) =>
    addFiles(context, session, attaching, presenter, window.views),
  ),
  "forge.addTerminal": terminal(false),
  "forge.addTerminalSelection": terminal(true),
  "forge.addSelection": code("forge.addSelection"),
  "forge.explainSelection": code("forge.explainSelection"),
  "forge.fixProblems": code("forge.fixProblems"),
  "forge.renameConversation": withConversation((session, { conversations, window }) =>
    renameConversation(session, { conversations, dist: window.folders.dist }),
  ),
  "forge.findInConversation": withVisibleChat(({ window }, context) => {
    window.views.focusAndPost({ kind: "openFind", query: typeof context === "string" ? context : "", messageId: null });
  }),
  "forge.findEverywhere": withVisibleChat(({ conversations, window, keyboard }, context) =>
    findEverywhere(typeof context === "string" ? context : "", conversations, window.views, keyboard, window.bugs),
  ),
  "forge.focusChat": withVisibleChat(({ window }) => {
    window.views.focus();
  }),
  "forge.openInTab": ({ pages }) => {
    pages.openTab();
  },
  "forge.moveToSecondarySideBar": () => moveChat("secondary"),
  "forge.moveToPrimarySideBar": () => moveChat("primary"),
  "forge.deleteConversation": withVisibleChat(({ conversations, window }) => pickToDelete(conversations, window.bugs)),
  "forge.openTrash": withVisibleChat(({ conversations, keyboard }) => pickFromTrash(conversations, keyboard)),
  "forge.eraseMessage": withConversation((session, { presenter, keyboard, conversations }, context) =>
    eraseMessage(session, presenter, keyboard, context, conversations.index),
  ),
  "forge.restoreFiles": withConversation(async (session, services, context) => {
    const { restoreFiles } = await import("./restoreFiles.ts");
    await restoreFiles(session, services, context);
  }),
  "forge.keptFileStates": withVisibleChat(async ({ conversations, presenter, keyboard }) => {
    const { showKeptStates } = await import("./keptFileStates.ts");
    await showKeptStates(conversations, presenter, keyboard);
  }),
  "forge.copySelection": (_services, context) => copySelection(context),
  "forge.copyMessage": ({ conversations, presenter }, context) =>
    conversations.session && copyMessage(conversations.session, presenter, context),
  "forge.eraseEverything": withVisibleChat(({ conversations, models, window, replica }) => {
    const { folders, memory } = window;
    const erased = new ErasedReplica(folders.storage, models.secrets, replica);
    return askToEraseEverything(conversations, models, folders.storage, erased, memory);
  }),
  "forge.setUpReplica": withVisibleChat(async ({ conversations, models, window, replica, keyboard }) => {
    const { ReplicaCommands } = await import("../replica/commands/replicaCommands.ts");
    const { folders, documents } = window;
    await new ReplicaCommands(folders, models.secrets, systemClock, replica, conversations, documents, keyboard).run();
  }),
  "forge.showContext": async (services) => {
    const { contextPresenter, window } = services;
    await withConversation(() => contextPresenter.open())(services);
    window.views.focusAndPost({ kind: "context", context: contextPresenter.shown }); // posted again, so that the page focuses it
  },
  "forge.setApiKey": providerSetup(({ keys }) => keys.add()),
  "forge.removeApiKey": ({ keys }) => keys.remove(),
  "forge.testApiKeys": ({ keys }) => keys.test(),
  "forge.findServers": providerSetup(({ servers }) => servers.findServers()),
  "forge.useServer": providerSetup(({ servers }) => servers.useServer()),
  "forge.useEditorModels": providerSetup(({ servers }) => servers.useEditorModels()),
  "forge.fetchOllamaModel": withVisibleChat(({ ollama }) => ollama.fetch()),
  "forge.deleteOllamaModel": withVisibleChat(({ ollama }) => ollama.delete()),
  "forge.exportConversation": withConversation((session, { presenter, keyboard }) =>
    exportConversation(session, presenter, keyboard),
  ),
  "forge.importConversation": withVisibleChat(async ({ conversations, importing, presenter, keyboard, window }) => {
    const { ImportCommand } = await import("../conversations/import/importCommand.ts");
    await new ImportCommand(await importing.load(), conversations, presenter, keyboard, window).run();
  }),
  "forge.stop": async (services) => {
    const { session } = services.conversations;
    if (session !== undefined && session.activity !== "idle") session.stop();
    else if (session?.cancelSummary() !== true) await showInfo(services, localize("Nothing is running."));
  },
  "forge.chooseTools": withVisibleChat(({ conversations, keyboard, window }) =>
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
  "forge.showQuestion": showQuestion,
  "forge.accessibilityHelp": ({ window }) => showAccessibilityHelp(window.documents),
  "forge.showAnswerAsText": withConversation((session, { presenter, window }) =>
    showAnswerAsText(session, presenter, window.documents),
  ),
};
