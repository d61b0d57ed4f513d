/** What each button of the view does: most are a command that the palette has, too. */

import * as vscode from "vscode";
import type { ViewCommand } from "../../protocol/toView.ts";
import { rescueInChat } from "../conversations/rescueInChat.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { lookAgain, openServerSettings, useFoundServer } from "../pickers/serverCommands.ts";
import { showOffer } from "../view/readOnlyDocuments.ts";
import { info } from "../words/banners.ts";
import { type CommandRun, connecting } from "./commandKinds.ts";
import { showNewestSummary } from "./showSummary.ts";

/** Every button: the command that it stands for, or what it does. */
export const VIEW_COMMANDS: Readonly<Record<ViewCommand, CommandId | CommandRun>> = {
  addKey: "forge.setApiKey",
  useServer: "forge.useServer",
  useEditorModels: "forge.useEditorModels",
  useOllama: connecting((world) => useFoundServer("ollama", world)),
  useLmStudio: connecting((world) => useFoundServer("lmStudio", world)),
  useLlamaCpp: connecting((world) => useFoundServer("llamaCpp", world)),
  useVllm: connecting((world) => useFoundServer("vllm", world)),
  lookAgain: connecting((world) =>
    lookAgain(world, (text) => {
      world.presenter.showBanner(info(text));
    }),
  ),
  openServerSettings,
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
  previewSummary: ({ conversations, documents }) =>
    showOffer(conversations.session?.summaries.automatic.offer, documents),
  trySummaryAgain: ({ conversations }) => {
    conversations.session?.summaries.automatic.tryAgain();
  },
  moveHere: ({ conversations }) => conversations.moveHere(),
  takeOver: ({ conversations }) => conversations.reopen(true),
  rescue: ({ conversations }) => rescueInChat(conversations),
  reopen: ({ conversations }) => conversations.reopen(),
  retry: ({ conversations }) => conversations.session?.retry(),
  showSummary: async (world) => {
    world.presenter.closeBanner();
    const { session } = world.conversations;
    if (session !== undefined) await showNewestSummary(session, world);
  },
  closeBanner: ({ presenter }) => {
    presenter.closeBanner();
  },
  openSettings: () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:forge-chat.forge"),
};
