/** The running extension: puts the parts together and binds them to the view, the indicator and the commands. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { systemClock } from "../adapters/node/clock.ts";
import { ModelRegistry } from "../core/models/modelRegistry.ts";
import type { ToViewBody } from "../protocol/toView.ts";
import { ChatHandler } from "./chatHandler.ts";
import { ChatView } from "./chatView.ts";
import type { CommandId } from "./commandIds.ts";
import { createConnectionWorld, type ConnectionWorld } from "./connectionWorld.ts";
import { Conversations } from "./conversations.ts";
import { EditorChat } from "./editorChat/editorChat.ts";
import { lastUsage } from "./lastUsage.ts";
import { LearnedCounting } from "./learnedCounting.ts";
import { Log } from "./log.ts";
import { Presenter } from "./presenter.ts";
import { ReadOnlyDocuments } from "./readOnlyDocuments.ts";
import { SessionOpener } from "./sessionOpener.ts";
import { readSettings, type Settings } from "./settings.ts";
import type { StatusBar } from "./statusBar.ts";
import { WindowTools } from "./tools/windowTools.ts";
import { createToolWorld } from "./toolWorld.ts";
import { UserCommands } from "./userCommands.ts";
import { versionOf } from "./versionOf.ts";

/** Everything that lives as long as the window. */
export class ForgeApp implements vscode.Disposable {
  /** Forge in the editor's own chat. */
  readonly editorChat: EditorChat;
  readonly #log = new Log();
  readonly #registry = new ModelRegistry();
  readonly #world: ConnectionWorld;
  readonly #presenter: Presenter;
  readonly #counting: LearnedCounting;
  readonly #conversations: Conversations;
  readonly #commands: UserCommands;
  readonly #handler: ChatHandler;
  readonly #dist: vscode.Uri;
  readonly #statusBar: StatusBar;
  /** Where conversations lie, and what this window is called. */
  readonly #place: { readonly storage: string; readonly workspace: string };
  readonly #disposables: readonly { dispose(): unknown }[];
  readonly #bug = (error: unknown): void => {
    this.#showBug(error);
  };
  #settings: Settings;
  #view: ChatView | undefined;
  #waitingForView: (() => void)[] = [];

  constructor(context: vscode.ExtensionContext, statusBar: StatusBar) {
    this.#statusBar = statusBar;
    this.#place = {
      storage: context.globalStorageUri.fsPath,
      workspace: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.toString()).join("\n"),
    };
    const { storage } = this.#place;
    this.#dist = vscode.Uri.joinPath(context.extensionUri, "dist");
    this.#settings = this.#readSettings();
    const settings = (): Settings => this.#settings;
    const emit = (body: ToViewBody): void => {
      this.#view?.post(body);
      this.editorChat.tell(body);
    };
    const refreshView = (): void => this.#view?.refresh();
    const registry = this.#registry;
    const documents = new ReadOnlyDocuments();
    const tools = new WindowTools(this.#dist.fsPath, this.#bug);
    this.#world = createConnectionWorld({
      secrets: context.secrets,
      storage: context.globalState,
      folder: storage,
      registry,
      opened: () => this.#conversations.session?.opened,
      settings,
      reconnect: () => this.#conversations.reconnect(),
      changed: () => {
        this.#presenter.update();
      },
      showBanner: (banner) => {
        this.#presenter.showBanner(banner);
      },
      logError: (text) => {
        this.#log.error(text);
      },
      bug: this.#bug,
    });
    const { connections, providers, found } = this.#world;
    this.#presenter = new Presenter({
      emit,
      refreshView,
      statusBar,
      titled: (title) => this.#view?.setTitle(title),
      asked: (waiting) => this.#view?.setWaiting(waiting),
      waysOut: () => ({ editorModels: providers.editorModels, servers: found.shown }),
    });
    this.#counting = new LearnedCounting({ storage, note: (line) => this.#log.info(line) });
    const opener = new SessionOpener({
      counting: this.#counting,
      dist: this.#dist.fsPath,
      clock: systemClock,
      newUuid: randomUUID,
      registry,
      connections,
      settings,
      tools: createToolWorld(context.globalState, tools, this.#world),
      presenter: this.#presenter,
      emit,
      refreshView,
      noteChange: () => {
        this.#conversations.noteChange();
      },
      bug: this.#bug,
    });
    this.#conversations = new Conversations({
      ...this.#place,
      clock: systemClock,
      newUuid: randomUUID,
      opener,
      connections,
      presenter: this.#presenter,
      log: this.#log,
    });
    this.#commands = new UserCommands({
      conversations: this.#conversations,
      presenter: this.#presenter,
      ...this.#world,
      registry,
      settings,
      counting: this.#counting,
      log: this.#log,
      version: versionOf(context.extension),
      storage,
      dist: this.#dist.fsPath,
      proposals: tools.proposals,
      documents,
      reveal: () => this.#reveal(),
      focus: () => this.#view?.focus(),
      bug: this.#bug,
    });
    this.#handler = new ChatHandler({
      conversations: this.#conversations,
      presenter: this.#presenter,
      commands: this.#commands,
      log: this.#log,
      emit,
      bug: this.#bug,
    });
    this.editorChat = new EditorChat({
      conversations: this.#conversations,
      reveal: () => this.#reveal(),
      pageIsThere: async () => this.#view?.whenThere(),
      handler: this.#handler,
      bug: this.#bug,
    });
    this.#disposables = [
      this.#log,
      tools,
      documents,
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("forge")) this.#reconnect();
      }),
      context.secrets.onDidChange(() => {
        this.#reconnect();
      }),
      vscode.lm.onDidChangeChatModels(() => {
        this.#reconnect();
      }),
    ];
  }

  /** Shows the chat in `view`, and opens the conversation that this window had, or a new one. */
  showIn(view: vscode.WebviewView): void {
    const shown = new ChatView(view, this.#dist, this.#handler, systemClock);
    this.#view = shown;
    this.#presenter.update(); // the mark of a view that was moved, while a call waits for the user's word
    view.onDidDispose(() => {
      if (this.#view === shown) this.#view = undefined;
    });
    this.#conversations
      .start()
      .catch(this.#bug)
      .finally(() => {
        for (const resolve of this.#waitingForView.splice(0)) resolve();
      });
  }

  /** Puts the figures of this window's last conversation into the indicator, without opening it. */
  async showLastUsage(): Promise<void> {
    try {
      const usage = await lastUsage({
        ...this.#place,
        connections: this.#world.connections,
        registry: this.#registry,
        maxOutputTokens: this.#settings.context.maxOutputTokens,
      });
      if (this.#conversations.session === undefined) this.#statusBar.show(usage);
    } catch (error) {
      this.#bug(error);
    }
  }

  /** Runs a command of the palette, a menu or a button. The one place where a bug in a command ends. */
  async run(id: CommandId, context?: unknown): Promise<void> {
    await this.#commands.run(id, context).catch(this.#bug);
  }

  /** Commits, closes the file and frees the lease. */
  async close(): Promise<void> {
    await this.#conversations.close();
    await this.#counting.settled();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  #readSettings(): Settings {
    const configuration = vscode.workspace.getConfiguration("forge");
    const settings = readSettings((name) => configuration.get(name), process.env);
    const set = this.#registry.setOverrides(settings.models);
    if (!set.ok) this.#log.error(`forge.models: ${set.error.field}: expected ${set.error.expected}`);
    return settings;
  }

  /** A key, a setting or the editor's models changed: it acts at once. */
  #reconnect(): void {
    this.#settings = this.#readSettings();
    this.#world.connections.reset();
    this.#conversations.reconnect().catch(this.#bug);
  }

  /** Brings the chat to the front and waits until a conversation is open in it. */
  async #reveal(): Promise<void> {
    if (this.#view === undefined) {
      const shown = new Promise<void>((resolve) => this.#waitingForView.push(resolve));
      await vscode.commands.executeCommand("forge.chat.focus", { preserveFocus: true });
      await shown;
    } else {
      this.#view.reveal();
    }
  }

  /** Something threw that never should: it is logged, and the user sees that it happened and what is safe. */
  #showBug(error: unknown): void {
    this.#log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#presenter.showBanner({
      tone: "error",
      text: "Forge made a mistake. Everything shown so far is kept; the log says more.",
      actions: [
        { label: "Try again", command: "reopen" },
        { label: "Show log", command: "showLog" },
      ],
    });
  }
}
