/** The running extension: puts the parts together and binds them to the view, the indicator and the commands. */

import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { systemClock } from "../adapters/node/clock.ts";
import { ModelRegistry } from "../core/models/modelRegistry.ts";
import type { ToViewBody } from "../protocol/toView.ts";
import { ChatHandler } from "./chat/chatHandler.ts";
import { openTab, type ChatSurface } from "./view/chatSurface.ts";
import { ChatViews } from "./view/chatViews.ts";
import { chatFont, onChatFontChange } from "./editor/chatFont.ts";
import { BUG_BANNER } from "./words/bugBanner.ts";
import type { CommandId } from "./editor/commandIds.ts";
import { createContextWorld } from "./context/contextWorld.ts";
import { createConnectionWorld, type ConnectionWorld } from "./session/connectionWorld.ts";
import { Conversations } from "./conversations/conversations.ts";
import { EditorChat } from "./editorChat/editorChat.ts";
import { lastUsage } from "./connections/lastUsage.ts";
import { LearnedCounting } from "./session/learnedCounting.ts";
import type { Log } from "./editor/log.ts";
import { startedLog } from "./editor/startedLog.ts";
import { OutOfSight } from "./session/outOfSight.ts";
import { Attaching } from "./mentions/attaching.ts";
import { Presenter } from "./session/presenter.ts";
import { ReadOnlyDocuments } from "./view/readOnlyDocuments.ts";
import { WorkspaceRules } from "./ruleFiles/workspaceRules.ts";
import { SessionOpener } from "./session/sessionOpener.ts";
import { readSettings, type Settings } from "./editor/settings.ts";
import type { StatusBar } from "./editor/statusBar.ts";
import { WindowTools } from "./tools/windowTools.ts";
import { createToolWorld } from "./session/toolWorld.ts";
import { openedNotes } from "./commands/openedNotes.ts";
import { UserCommands } from "./commands/userCommands.ts";
import { versionOf } from "./editor/versionOf.ts";
import { WalkthroughProgress } from "./commands/walkthroughProgress.ts";

/** Everything that lives as long as the window. */
export class ForgeApp implements vscode.Disposable {
  /** Forge in the editor's own chat. */
  readonly editorChat: EditorChat;
  readonly #log: Log;
  readonly #registry = new ModelRegistry();
  readonly #world: ConnectionWorld;
  readonly #presenter: Presenter;
  readonly #counting: LearnedCounting;
  readonly #conversations: Conversations;
  readonly #commands: UserCommands;
  readonly #handler: ChatHandler;
  readonly #statusBar: StatusBar;
  /** Where conversations lie, and what this window is called. */
  readonly #place: { readonly storage: string; readonly workspace: string };
  readonly #disposables: readonly { dispose(): unknown }[];
  /** Something threw that never should: it is logged, and the user sees that it happened and what is safe. */
  readonly #bug = (error: unknown): void => {
    this.#log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#presenter.showBanner(BUG_BANNER);
  };
  /** A key, a setting or the editor's models changed: it acts at once. */
  readonly #reconnect = (): void => {
    this.#settings = this.#readSettings();
    this.#world.connections.reset();
    this.#conversations.reconnect().catch(this.#bug);
  };
  #settings: Settings;
  readonly #views: ChatViews;

  constructor(context: vscode.ExtensionContext, statusBar: StatusBar) {
    this.#log = startedLog(context);
    this.#statusBar = statusBar;
    const storage = context.globalStorageUri.fsPath;
    const folders = vscode.workspace.workspaceFolders ?? [];
    this.#place = { storage, workspace: folders.map(({ uri }) => uri.toString()).join("\n") };
    const dist = vscode.Uri.joinPath(context.extensionUri, "dist");
    this.#views = new ChatViews({ dist, clock: systemClock, backend: () => this.#handler });
    const outOfSight = new OutOfSight(this.#views);
    this.#settings = this.#readSettings();
    const settings = (): Settings => this.#settings;
    const emit = (body: ToViewBody): void => {
      this.#views.post(body);
      this.editorChat.tell(body);
    };
    const { refresh: refreshView, setTitle: titled, setWaiting: asked, focus, giveBackFocus, act } = this.#views;
    const registry = this.#registry;
    const rules = new WorkspaceRules(() => this.#settings.workspaceRules);
    const documents = new ReadOnlyDocuments();
    const tools = new WindowTools(dist.fsPath, this.#bug, this.#views.holdFocus);
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
      log: this.#log,
      bug: this.#bug,
    });
    const { connections, providers, found } = this.#world;
    const open = { session: () => this.#conversations.session, draftTokens: () => this.#presenter.draftTokens };
    const contextView = createContextWorld({ settings, emit, bug: this.#bug }, open);
    this.#presenter = new Presenter({
      emit,
      refreshView,
      font: chatFont,
      statusBar,
      contextPage: contextView.contextPage,
      titled,
      asked,
      noted: openedNotes(this.#log, new WalkthroughProgress().note),
      waysOut: () => ({ editorModels: providers.editorModels, servers: found.shown }),
      unanswered: (connection) => connections.unanswered(connection),
    });
    this.#counting = new LearnedCounting({ storage, note: (line) => this.#log.info(line) });
    const opener = new SessionOpener({
      counting: this.#counting,
      dist: dist.fsPath,
      clock: systemClock,
      newUuid: randomUUID,
      registry,
      connections,
      settings,
      ruleFiles: (contextWindow) => rules.files(contextWindow),
      tools: createToolWorld(context.globalState, tools, this.#world),
      presenter: this.#presenter,
      emit,
      refreshView,
      noteChange: () => {
        this.#conversations.noteChange();
        outOfSight.note(this.#conversations.session);
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
      ...contextView,
      registry,
      settings,
      counting: this.#counting,
      log: this.#log,
      version: versionOf(context.extension),
      storage,
      dist: dist.fsPath,
      proposals: tools.proposals,
      documents,
      reveal: () => this.#views.reveal(),
      focus,
      act,
      openTab: () => {
        if (!this.#views.hasTab) this.showIn(openTab(context.extensionUri)); // all pages show the same, so one tab is enough
        this.#views.focusTab();
      },
      bug: this.#bug,
    });
    this.#handler = new ChatHandler({
      conversations: this.#conversations,
      presenter: this.#presenter,
      commands: this.#commands,
      log: this.#log,
      storage,
      dist: dist.fsPath,
      tools,
      documents,
      attaching: new Attaching({ dist: dist.fsPath, emit, presenter: this.#presenter, window: tools }),
      emit,
      giveBackFocus,
      bug: this.#bug,
    });
    this.editorChat = new EditorChat({
      conversations: this.#conversations,
      reveal: () => this.#views.reveal(),
      pageIsThere: () => this.#views.whenThere(),
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
      onChatFontChange(refreshView),
      context.secrets.onDidChange(this.#reconnect),
      vscode.lm.onDidChangeChatModels(this.#reconnect),
    ];
  }

  /** Shows the chat on `surface`, and opens the conversation that this window had, or a new one. */
  showIn(surface: ChatSurface): void {
    this.#views.add(surface);
    this.#conversations
      .start()
      .catch(this.#bug)
      .finally(() => {
        this.#views.opened();
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
}
