/** Where the focus goes after commands, by where they were invoked. */

import type { Keyboard } from "../editor/keyboard.ts";
import type { ChatViews } from "./chatViews.ts";

/** For commands invoked by the palette, menus and keys. */
export class EditorKeyboard implements Keyboard {
  readonly #views: ChatViews;

  constructor(views: ChatViews) {
    this.#views = views;
  }

  answered(): void {
    // The editor restores the focus by itself.
  }

  leadToComposer(): void {
    this.#views.focus();
  }
}

/** For commands invoked in the chat. */
export class ChatKeyboard implements Keyboard {
  readonly #views: ChatViews;

  constructor(views: ChatViews) {
    this.#views = views;
  }

  answered(): void {
    this.#views.giveBackFocus();
  }

  /** Only while the focus is in the chat. */
  leadToComposer(): void {
    this.#views.focusIfHere();
  }
}
