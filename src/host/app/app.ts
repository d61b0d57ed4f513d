/** The running extension: its parts, bound to the view, the indicator and the commands. */

import * as vscode from "vscode";
import { lastUsage } from "../connections/lastUsage.ts";
import { onChatFontChange } from "../editor/chatFont.ts";
import type { CommandId } from "../editor/commandIds.ts";
import type { StatusBar } from "../editor/statusBar.ts";
import type { EditorChat } from "../editorChat/editorChat.ts";
import { openTab, type ChatSurface } from "../view/chatSurface.ts";
import { BUG_BANNER } from "../words/bugBanner.ts";
import { createConversationParts, type ConversationParts } from "./conversationParts.ts";
import { createUserParts, type UserParts } from "./userParts.ts";
import { createWindowWorld, type WindowWorld } from "./windowWorld.ts";

/** Everything that lives as long as the window. */
export class ForgeApp implements vscode.Disposable {
  readonly #window: WindowWorld;
  readonly #parts: ConversationParts;
  readonly #user: UserParts;
  readonly #disposables: readonly { dispose(): unknown }[];
  /** Something threw that never should: it is logged, and the user sees that it happened and what is safe. */
  readonly #bug = (error: unknown): void => {
    this.#window.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    this.#parts.presenter.showBanner(BUG_BANNER);
  };
  /** A key, a setting or the editor's models changed: it acts at once. */
  readonly #reconnect = (): void => {
    this.#window.settings.update();
    this.#parts.connections.connections.reset();
    this.#parts.conversations.reconnect().catch(this.#bug);
  };

  constructor(context: vscode.ExtensionContext, statusBar: StatusBar) {
    this.#window = createWindowWorld({
      context,
      statusBar,
      backend: () => this.#user.handler,
      listener: (body) => {
        this.editorChat.tell(body);
      },
      bug: this.#bug,
    });
    const { log, tools, documents, views } = this.#window;
    this.#parts = createConversationParts(this.#window);
    this.#user = createUserParts(this.#window, this.#parts, () => {
      if (!views.hasTab) this.showIn(openTab(context.extensionUri)); // all pages show the same, so one tab is enough
      views.focusTab();
    });
    this.#disposables = [
      log,
      tools,
      documents,
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("forge")) this.#reconnect();
      }),
      onChatFontChange(views.refresh),
      context.secrets.onDidChange(this.#reconnect),
      vscode.lm.onDidChangeChatModels(this.#reconnect),
    ];
  }

  /** Forge in the editor's own chat. */
  get editorChat(): EditorChat {
    return this.#user.editorChat;
  }

  /** Shows the chat on `surface`, and opens the conversation that this window had, or a new one. */
  showIn(surface: ChatSurface): void {
    this.#window.views.add(surface);
    this.#parts.conversations
      .start()
      .catch(this.#bug)
      .finally(() => {
        this.#window.views.opened();
      });
  }

  /** Puts the figures of this window's last conversation into the indicator, without opening it. */
  async showLastUsage(): Promise<void> {
    const { storage, workspace, registry, settings, statusBar } = this.#window;
    const { connections, conversations } = this.#parts;
    const { maxOutputTokens } = settings.current().context;
    try {
      const place = { storage, workspace, registry, connections: connections.connections };
      const usage = await lastUsage({ ...place, maxOutputTokens });
      if (conversations.session === undefined) statusBar.show(usage);
    } catch (error) {
      this.#bug(error);
    }
  }

  /** Runs a command of the palette, a menu or a button. The one place where a bug in a command ends. */
  async run(id: CommandId, context?: unknown): Promise<void> {
    await this.#user.commands.run(id, context).catch(this.#bug);
  }

  /** Commits, closes the file and frees the lease. */
  async close(): Promise<void> {
    await this.#parts.conversations.close();
    await this.#parts.counting.settled();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
