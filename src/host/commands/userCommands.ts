/** What each command does. Commands come from the palette, menus, the indicator and buttons of the view. */

import * as vscode from "vscode";
import { assertNever } from "../../core/result.ts";
import { localize } from "../../protocol/localize.ts";
import type { ViewCommand } from "../../protocol/toView.ts";
import type { CommandId } from "../editor/commandIds.ts";
import { renameConversation } from "../conversations/renameConversation.ts";
import { pickConversation } from "../conversations/conversationList.ts";
import { rescueInChat } from "../conversations/rescueInChat.ts";
import { pickToDelete } from "../conversations/deleteConversation.ts";
import { copyDiagnostics } from "./diagnosticsCommand.ts";
import { askToEraseEverything } from "../conversations/eraseCommands.ts";
import { eraseMessage } from "./eraseMessage.ts";
import { addKey, removeKey, testKeys } from "../pickers/keyCommands.ts";
import { pickModel } from "../pickers/modelPicker.ts";
import { pickRecovery } from "../pickers/recoveryPicker.ts";
import { findServers, useEditorModels, useFoundServer, useServer } from "../pickers/serverCommands.ts";
import { showOffer } from "../view/readOnlyDocuments.ts";
import type { Session } from "../session/session.ts";
import { showNewestSummary } from "./showSummary.ts";
import { pickTools } from "../pickers/toolsPicker.ts";
import { exportConversation, importConversation } from "../conversations/transferCommands.ts";
import { pickFromTrash } from "../conversations/trashPicker.ts";
import { summarizeHere } from "./summarizeHere.ts";
import type { CommandWorld } from "./commandWorld.ts";
import { sendCode } from "../fromEditor/sendCode.ts";

/** Runs commands by name. */
export class UserCommands {
  /** What commands work with; the view's own acts, too. */
  readonly world: CommandWorld;

  constructor(world: CommandWorld) {
    this.world = world;
  }

  /** Runs a contributed command; `context` is what the editor says of where it was asked for, such as a row of the chat. */
  async run(id: CommandId, context?: unknown): Promise<void> {
    const { conversations, log, presenter } = this.world;
    presenter.dropNote();
    switch (id) {
      case "forge.summarizeContext":
        await this.#inChat((session) => summarizeHere(session, this.world.presenter, context));
        return;
      case "forge.cancelSummary":
        if (conversations.session?.cancelSummary() !== true) await this.#say(localize("Nothing is being summarized."));
        return;
      case "forge.switchModel":
        await this.#inChat((session) => pickModel(session, this.world));
        return;
      case "forge.recover":
        await this.#inChat(pickRecovery);
        return;
      case "forge.newConversation":
        await this.world.reveal();
        this.world.focus(); // at once: what is typed while it is being made is in it
        await conversations.openNew();
        return;
      case "forge.openConversation":
        await this.world.reveal();
        await pickConversation({ ...this.world, find: this.#find });
        return;
      case "forge.addSelection":
      case "forge.explainSelection":
      case "forge.fixProblems":
        await this.#inChat((session) => sendCode(id, context, session, this.world));
        return;
      case "forge.renameConversation":
        await this.#inChat((session) => renameConversation(session, this.world));
        return;
      case "forge.findInConversation":
        await this.world.reveal();
        this.#find(typeof context === "string" ? context : "", null);
        return;
      case "forge.focusChat":
        await this.world.reveal();
        this.world.focus();
        return;
      case "forge.openInTab":
        this.world.openTab();
        return;
      case "forge.deleteConversation":
        await this.world.reveal();
        await pickToDelete(this.world);
        return;
      case "forge.openTrash":
        await this.world.reveal();
        await pickFromTrash(this.world);
        return;
      case "forge.eraseMessage":
        await this.#inChat((session) => eraseMessage(session, this.world.presenter, context));
        return;
      case "forge.eraseEverything":
        await this.world.reveal();
        await askToEraseEverything(this.world);
        return;
      case "forge.showContext":
        await this.#inChat(() => this.world.contextPage.open());
        this.world.act({ kind: "context", context: this.world.contextPage.shown }); // with the keyboard in it
        return;
      case "forge.setApiKey":
        return this.#connect(addKey);
      case "forge.removeApiKey":
        await removeKey(this.world);
        return;
      case "forge.testApiKeys":
        await testKeys(this.world);
        return;
      case "forge.findServers":
        return this.#connect(findServers);
      case "forge.useServer":
        return this.#connect(useServer);
      case "forge.useEditorModels":
        return this.#connect(useEditorModels);
      case "forge.exportConversation":
        await this.#inChat((session) => exportConversation(session, this.world.presenter));
        return;
      case "forge.importConversation":
        await this.world.reveal();
        await importConversation(this.world);
        return;
      case "forge.stop":
        if ((conversations.session?.activity ?? "idle") === "idle") await this.#say(localize("Nothing is running."));
        else conversations.session?.stop();
        return;
      case "forge.chooseTools":
        await this.world.reveal();
        await pickTools(conversations.session, this.world.bug);
        return;
      case "forge.acceptEdit":
        this.world.proposals.decide("accepted");
        return;
      case "forge.refuseEdit":
        this.world.proposals.decide("refused");
        return;
      case "forge.showLog":
        log.show();
        return;
      case "forge.copyDiagnostics":
        await copyDiagnostics(this.world, this.world.version);
        return;
      default:
        assertNever(id);
    }
  }

  readonly #find = (query: string, messageId: number | null): void => {
    this.world.act({ kind: "openFind", query, messageId });
  };

  /** Runs what a button of the view asks for. */
  async runFromView(command: ViewCommand): Promise<void> {
    const { conversations } = this.world;
    switch (command) {
      case "addKey":
        return this.run("forge.setApiKey");
      case "useServer":
        return this.run("forge.useServer");
      case "useEditorModels":
        return this.run("forge.useEditorModels");
      case "useOllama":
        return this.#connect((world) => useFoundServer("ollama", world));
      case "useLmStudio":
        return this.#connect((world) => useFoundServer("lmStudio", world));
      case "useLlamaCpp":
        return this.#connect((world) => useFoundServer("llamaCpp", world));
      case "useVllm":
        return this.#connect((world) => useFoundServer("vllm", world));
      case "switchModel":
        return this.run("forge.switchModel");
      case "summarize":
        return this.run("forge.summarizeContext");
      case "showContext":
        return this.run("forge.showContext");
      case "newConversation":
        return this.run("forge.newConversation");
      case "openConversation":
        return this.run("forge.openConversation");
      case "showLog":
        return this.run("forge.showLog");
      case "cancelSummary":
        return this.run("forge.cancelSummary");
      case "useSummary":
        conversations.session?.summaries.automatic.answer("yes");
        return;
      case "declineSummary":
        conversations.session?.summaries.automatic.answer("no");
        return;
      case "previewSummary":
        await showOffer(conversations.session?.summaries.automatic.offer, this.world.documents);
        return;
      case "trySummaryAgain":
        conversations.session?.summaries.automatic.tryAgain();
        return;
      case "moveHere":
        return conversations.moveHere();
      case "takeOver":
        return conversations.reopen(true);
      case "rescue":
        return rescueInChat(conversations);
      case "reopen":
        return conversations.reopen();
      case "retry":
        await conversations.session?.retry();
        return;
      case "showSummary":
        this.world.presenter.closeBanner();
        if (conversations.session !== undefined) await showNewestSummary(conversations.session, this.world);
        return;
      case "closeBanner":
        this.world.presenter.closeBanner();
        return;
      case "openSettings":
        await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:forge-chat.forge");
        return;
      default:
        assertNever(command);
    }
  }

  /** Has the user set up who answers; where that is somebody else then, the way on is a message. */
  async #connect(setUp: (world: CommandWorld) => Promise<void>): Promise<void> {
    await this.world.reveal();
    const { conversations } = this.world;
    const before = conversations.session?.connection;
    await setUp(this.world);
    if (conversations.session?.connection !== before) this.world.focus();
  }

  /** Says in the chat why a command did nothing. */
  async #say(text: string): Promise<void> {
    await this.world.reveal();
    this.world.presenter.showBanner({ tone: "info", text, actions: [] });
  }

  async #inChat(work: (session: Session) => Promise<void>): Promise<void> {
    await this.world.reveal();
    const { session } = this.world.conversations;
    if (session !== undefined) await work(session);
    else await this.#say(localize("That needs an open conversation."));
  }
}
