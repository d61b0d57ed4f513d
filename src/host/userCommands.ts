/** What each command does. Commands come from the palette, menus, the indicator and buttons of the view. */

import * as vscode from "vscode";
import type { ModelRegistry } from "../core/models/modelRegistry.ts";
import { assertNever } from "../core/result.ts";
import type { ToViewBody, ViewCommand } from "../protocol/toView.ts";
import type { CommandId } from "./commandIds.ts";
import type { ConnectionWorld } from "./connectionWorld.ts";
import { renameConversation } from "./list/renameConversation.ts";
import { pickConversation } from "./list/conversationList.ts";
import { rescueInChat } from "./list/rescueInChat.ts";
import { pickToDelete } from "./deleteConversation.ts";
import { copyDiagnostics } from "./diagnosticsCommand.ts";
import { askToEraseEverything } from "./eraseCommands.ts";
import { eraseMessage } from "./eraseMessage.ts";
import { addKey, removeKey, testKeys } from "./keyCommands.ts";
import type { LearnedCounting } from "./learnedCounting.ts";
import type { Log } from "./log.ts";
import { pickModel } from "./modelPicker.ts";
import type { Presenter } from "./presenter.ts";
import { pickRecovery } from "./recoveryPicker.ts";
import { findServers, useEditorModels, useFoundServer, useServer, type ServerWorld } from "./serverCommands.ts";
import { showOffer, type ReadOnlyDocuments } from "./readOnlyDocuments.ts";
import type { Session } from "./session.ts";
import type { Spending } from "./spending.ts";
import type { ProposedEdits } from "./tools/edit/proposedEdits.ts";
import { pickTools } from "./toolsPicker.ts";
import { exportConversation, importConversation } from "./transferCommands.ts";
import { pickFromTrash } from "./trashPicker.ts";
import { summarizeNow } from "./summarizeCommand.ts";
import { showUsageMenu } from "./usageMenu.ts";

/** What commands work with. */
export interface CommandWorld extends ServerWorld {
  readonly presenter: Presenter;
  readonly registry: ModelRegistry;
  readonly canCall: ConnectionWorld["canCall"];
  readonly spending: Spending;
  readonly counting: LearnedCounting;
  readonly log: Log;
  /** Forge's own version. */
  readonly version: string;
  /** The extension's own folder. */
  readonly storage: string;
  /** Folder of the shipped files. */
  readonly dist: string;
  /** Edits that wait for the user's decision. */
  readonly proposals: ProposedEdits;
  readonly documents: ReadOnlyDocuments;
  /** Brings the chat to the front; resolves when a conversation is open in it. The focus stays where it is. */
  readonly reveal: () => Promise<void>;
  /** Puts the focus into the composer. */
  readonly focus: () => void;
  /** Has the chat do something, with the keyboard in it. */
  readonly act: (body: ToViewBody) => void;
  /** Shows the conversation in a tab of the editor, too. */
  readonly openTab: () => void;
  /** Takes note of something that threw where nobody waits for it. */
  readonly bug: (error: unknown) => void;
}

/** Runs commands by name. */
export class UserCommands {
  readonly #world: CommandWorld;

  constructor(world: CommandWorld) {
    this.#world = world;
  }

  /** Runs a contributed command; `context` is what the editor says of where it was asked for, such as a row of the chat. */
  async run(id: CommandId, context?: unknown): Promise<void> {
    const { conversations, log } = this.#world;
    switch (id) {
      case "forge.summarizeContext":
        await this.#inChat((session) => summarizeNow(session, this.#world.presenter));
        return;
      case "forge.cancelSummary":
        conversations.session?.cancelSummary();
        return;
      case "forge.switchModel":
        await this.#inChat((session) => pickModel(session, this.#world));
        return;
      case "forge.recover":
        await this.#inChat(pickRecovery);
        return;
      case "forge.newConversation":
        await this.#world.reveal();
        this.#world.focus(); // at once: what is typed while it is being made is in it
        await conversations.openNew();
        return;
      case "forge.openConversation":
        await this.#world.reveal();
        await pickConversation({ ...this.#world, find: this.#find });
        return;
      case "forge.renameConversation":
        await this.#inChat((session) => renameConversation(session, this.#world));
        return;
      case "forge.findInConversation":
        await this.#world.reveal();
        this.#find("", null);
        return;
      case "forge.focusChat":
        await this.#world.reveal();
        this.#world.focus();
        return;
      case "forge.openInTab":
        this.#world.openTab();
        return;
      case "forge.deleteConversation":
        await this.#world.reveal();
        await pickToDelete(this.#world);
        return;
      case "forge.openTrash":
        await this.#world.reveal();
        await pickFromTrash(this.#world);
        return;
      case "forge.eraseMessage":
        await this.#inChat((session) => eraseMessage(session, this.#world.presenter, context));
        return;
      case "forge.eraseEverything":
        await this.#world.reveal();
        await askToEraseEverything(this.#world);
        return;
      case "forge.showContext":
        await this.#inChat((session) => showUsageMenu(session, this.#world));
        return;
      case "forge.setApiKey":
        await addKey(this.#world);
        return;
      case "forge.removeApiKey":
        await removeKey(this.#world);
        return;
      case "forge.testApiKeys":
        await testKeys(this.#world);
        return;
      case "forge.findServers":
        await findServers(this.#world);
        return;
      case "forge.useServer":
        await useServer(this.#world);
        return;
      case "forge.useEditorModels":
        await useEditorModels(this.#world);
        return;
      case "forge.exportConversation":
        await this.#inChat((session) => exportConversation(session, this.#world.presenter));
        return;
      case "forge.importConversation":
        await this.#world.reveal();
        await importConversation(this.#world);
        return;
      case "forge.stop":
        conversations.session?.stop();
        return;
      case "forge.chooseTools":
        await this.#world.reveal();
        await pickTools(conversations.session, this.#world.bug);
        return;
      case "forge.acceptEdit":
        this.#world.proposals.decide("accepted");
        return;
      case "forge.refuseEdit":
        this.#world.proposals.decide("refused");
        return;
      case "forge.showLog":
        log.show();
        return;
      case "forge.copyDiagnostics":
        await copyDiagnostics(this.#world, this.#world.version);
        return;
      default:
        assertNever(id);
    }
  }

  readonly #find = (query: string, messageId: number | null): void => {
    this.#world.act({ kind: "openFind", query, messageId });
  };

  /** Runs what a button of the view asks for. */
  async runFromView(command: ViewCommand): Promise<void> {
    const { conversations } = this.#world;
    switch (command) {
      case "addKey":
        return this.run("forge.setApiKey");
      case "useServer":
        return this.run("forge.useServer");
      case "useEditorModels":
        return this.run("forge.useEditorModels");
      case "useOllama":
        return useFoundServer("ollama", this.#world);
      case "useLmStudio":
        return useFoundServer("lmStudio", this.#world);
      case "useLlamaCpp":
        return useFoundServer("llamaCpp", this.#world);
      case "useVllm":
        return useFoundServer("vllm", this.#world);
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
        await showOffer(conversations.session?.summaries.automatic.offer, this.#world.documents);
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
      case "openSettings":
        await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:forge-chat.forge");
        return;
      default:
        assertNever(command);
    }
  }

  async #inChat(work: (session: Session) => Promise<void>): Promise<void> {
    await this.#world.reveal();
    const { session } = this.#world.conversations;
    if (session !== undefined) await work(session);
  }
}
