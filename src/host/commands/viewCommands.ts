/** The buttons of the page: most stand for a command of the palette. */

import type { ViewCommand } from "../../protocol/viewCommand.ts";
import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { rescueInChat } from "../conversations/rescue/rescueInChat.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { openServerSettings } from "../pickers/serverCommands.ts";
import { showOffer } from "../view/readOnlyDocuments.ts";
import { info } from "../words/banners.ts";
import { type CommandHandler, providerSetup } from "./commandWrappers.ts";
import { showNewestSummary } from "./showNewestSummary.ts";

export const VIEW_COMMAND_HANDLERS: Readonly<Record<ViewCommand, CommandId | CommandHandler>> = {
  addKey: "forge.setApiKey",
  useServer: "forge.useServer",
  useEditorModels: "forge.useEditorModels",
  useOllama: providerSetup(({ servers }) => servers.useFoundServer("ollama")),
  useLmStudio: providerSetup(({ servers }) => servers.useFoundServer("lmStudio")),
  useLlamaCpp: providerSetup(({ servers }) => servers.useFoundServer("llamaCpp")),
  useVllm: providerSetup(({ servers }) => servers.useFoundServer("vllm")),
  lookAgain: providerSetup(async ({ servers, presenter }) => {
    if (!(await servers.lookAgain())) presenter.showBanner(info(localize("Asked again, with the same result.")));
  }),
  openServerSettings: ({ models }) => openServerSettings(models.connections),
  switchModel: "forge.switchModel",
  summarize: "forge.summarizeContext",
  showContext: "forge.showContext",
  newConversation: "forge.newConversation",
  openConversation: "forge.openConversation",
  exportConversation: "forge.exportConversation",
  importConversation: "forge.importConversation",
  showLog: "forge.showLog",
  cancelSummary: "forge.cancelSummary",
  useSummary: ({ conversations }) => {
    conversations.session?.summaries.automatic.answer("yes");
  },
  declineSummary: ({ conversations }) => {
    conversations.session?.summaries.automatic.answer("no");
  },
  previewSummary: ({ conversations, window }) =>
    showOffer(conversations.session?.summaries.automatic.offer, window.documents),
  trySummaryAgain: ({ conversations }) => {
    conversations.session?.summaries.automatic.tryAgain();
  },
  moveHere: ({ conversations }) => conversations.moveHere(),
  takeOver: ({ conversations }) => conversations.reopen(true),
  rescue: ({ conversations }) => rescueInChat(conversations),
  reopen: ({ conversations }) => conversations.reopen(),
  retry: ({ conversations }) => conversations.session?.retry(),
  showSummary: async ({ conversations, presenter, window }) => {
    presenter.closeBanner();
    const { session } = conversations;
    if (session !== undefined) await showNewestSummary(session, presenter, window.views);
  },
  closeBanner: ({ presenter }) => {
    presenter.closeBanner();
  },
  openSettings: () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:forge-chat.forge"),
};
