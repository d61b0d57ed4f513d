/** Creates chat pages; the first one opens the conversation of this window. */

import type * as vscode from "vscode";
import type { BugReporter } from "../editor/bugReporter.ts";
import { openTab, type ChatSurface } from "../view/chatSurface.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { Conversations } from "./conversations.ts";

export class ChatPages {
  readonly #extension: vscode.Uri;
  readonly #views: ChatViews;
  readonly #conversations: Conversations;
  readonly #bugs: BugReporter;

  /** `extension` is the folder of the installed extension. */
  constructor(extension: vscode.Uri, views: ChatViews, conversations: Conversations, bugs: BugReporter) {
    this.#extension = extension;
    this.#views = views;
    this.#conversations = conversations;
    this.#bugs = bugs;
  }

  /** Creates a page on `surface`, and opens this window's last conversation or a new one. */
  showIn(surface: ChatSurface): void {
    this.#views.add(surface);
    this.#conversations
      .start()
      .catch(this.#bugs.report)
      .finally(() => {
        this.#views.opened();
      });
  }

  /** Opens the chat in an editor tab as well. All pages show the same, so one tab is enough. */
  openTab(): void {
    if (!this.#views.hasTab) this.showIn(openTab(this.#extension));
    this.#views.focusTab();
  }
}
