/** Pages of the chat as they are made: each shows the conversation of this window, which is opened with the first. */

import type * as vscode from "vscode";
import type { BugReporter } from "../editor/bugReporter.ts";
import { openTab, type ChatSurface } from "../view/chatSurface.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { Conversations } from "./conversations.ts";

/** Makes them. */
export class ChatPages {
  readonly #extension: vscode.Uri;
  readonly #views: ChatViews;
  readonly #conversations: Conversations;
  readonly #bugs: BugReporter;

  /** `extension` is Forge's own folder. */
  constructor(extension: vscode.Uri, views: ChatViews, conversations: Conversations, bugs: BugReporter) {
    this.#extension = extension;
    this.#views = views;
    this.#conversations = conversations;
    this.#bugs = bugs;
  }

  /** Shows the chat on `surface`, and opens the conversation that this window had, or a new one. */
  showIn(surface: ChatSurface): void {
    this.#views.add(surface);
    this.#conversations
      .start()
      .catch(this.#bugs.report)
      .finally(() => {
        this.#views.opened();
      });
  }

  /** Shows it in a tab of the editor, too. All pages show the same, so one tab is enough. */
  openTab(): void {
    if (!this.#views.hasTab) this.showIn(openTab(this.#extension));
    this.#views.focusTab();
  }
}
