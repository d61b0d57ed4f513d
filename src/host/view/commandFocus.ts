/** Where the focus goes after commands, by where they were invoked. */

import type { CommandFocus } from "../editor/commandFocus.ts";
import type { ChatViews } from "./chatViews.ts";

/** For commands invoked by the palette, menus and keys. */
export class EditorCommandFocus implements CommandFocus {
  readonly #views: ChatViews;

  constructor(views: ChatViews) {
    this.#views = views;
  }

  afterPrompt(): void {
    // The editor restores the focus by itself.
  }

  focusComposer(): void {
    this.#views.focus();
  }
}

/** For commands invoked in the chat. */
export class ChatCommandFocus implements CommandFocus {
  readonly #views: ChatViews;

  constructor(views: ChatViews) {
    this.#views = views;
  }

  afterPrompt(): void {
    this.#views.restoreFocus();
  }

  /** Only while the focus is in the chat. */
  focusComposer(): void {
    this.#views.focusIfHere();
  }
}
