/** The buttons of the page: most stand for a command of the palette. */

import type { Session } from "../session/session.ts";
import { revealInAllPages, revealSummary } from "../view/revealMessage.ts";
import type { Presenter } from "../view/presenter.ts";
import { showFailureIn } from "../words/showFailureIn.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { ViewCommand } from "../../protocol/viewCommand.ts";
import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { rescueInChat } from "../conversations/rescue/rescueInChat.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { pickStrategy } from "../pickers/strategyPicker.ts";
import { openServerSettings } from "../pickers/serverCommands.ts";
import { showOffer } from "../view/readOnlyDocuments.ts";
import { info } from "../words/banners.ts";
import { useOffer } from "./useOffer.ts";
import { type CommandHandler, providerSetup, withConversation } from "./commandWrappers.ts";

export const VIEW_COMMAND_HANDLERS: Readonly<Record<ViewCommand, CommandId | CommandHandler>> = {
  addKey: "forge.setApiKey",
  useServer: "forge.useServer",
  useEditorModels: "forge.useEditorModels",
  useOllama: providerSetup(({ servers }) => servers.useFoundServer("ollama")),
  useLmStudio: providerSetup(({ servers }) => servers.useFoundServer("lmStudio")),
  useLlamaCpp: providerSetup(({ servers }) => servers.useFoundServer("llamaCpp")),
  useVllm: providerSetup(({ servers }) => servers.useFoundServer("vllm")),
  fetchModel: "forge.fetchOllamaModel",
  lookAgain: providerSetup(async ({ conversations, servers, presenter }) => {
    if (await servers.lookAgain()) return;
    const isTrue = conversations.session?.model.whileUnchanged();
    presenter.showBanner(info(localize("Asked again, with the same result.")), isTrue);
  }),
  openServerSettings: ({ models }) => openServerSettings(models.connections),
  switchModel: "forge.switchModel",
  summarize: "forge.summarizeContext",
  chooseStrategy: withConversation((session, { models, keyboard }) =>
    pickStrategy(session, models.settings.current, keyboard),
  ),
  showContext: "forge.showContext",
  newConversation: "forge.newConversation",
  openConversation: "forge.openConversation",
  exportConversation: "forge.exportConversation",
  importConversation: "forge.importConversation",
  showLog: "forge.showLog",
  setUpReplica: "forge.setUpReplica",
  cancelSummary: "forge.cancelSummary",
  useSummary: ({ conversations, presenter }) => conversations.session && useOffer(conversations.session, presenter),
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
  stop: "forge.stop",
  retry: ({ conversations }) => conversations.session?.retry(),
  continueAnswer: ({ conversations }) => conversations.session?.continueAnswer(),
  editQuestion: ({ conversations, window }) => {
    window.views.post({ kind: "focusComposer" });
    return conversations.session?.editQuestion();
  },
  showSummary: async ({ conversations, presenter, window }) => {
    presenter.closeBanner();
    const { session } = conversations;
    if (session !== undefined) await showNewestSummary(session, presenter, window.views);
  },
  showVersion: async ({ conversations, presenter, window }) => {
    const { session } = conversations;
    const shown = await session?.showNewVersion();
    if (session !== undefined && shown !== undefined) await revealInAllPages(session, shown, window.views, presenter);
  },
  closeBanner: ({ presenter }) => {
    presenter.closeBanner();
  },
  openSettings: () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:forge-chat.forge"),
};

/** Scrolls the chat to the marker of the newest summary; does nothing when there is none. */
async function showNewestSummary(
  session: Session,
  presenter: Presenter,
  views: Pick<ChatViews, "post">,
): Promise<void> {
  const summaryId = session.opened.manager.history.summaries.at(-1)?.id;
  views.post({ kind: "snapshot", view: presenter.snapshot() }); // after it, `before` is the oldest row of all pages
  const before = session.transcript.page.rows[0]?.rowId;
  if (summaryId === undefined || before === undefined) return;
  const revealed = await revealSummary(session, { summaryId, before }, views.post);
  showFailureIn(revealed, presenter);
}
