/** The keyboard of commands, by where they are asked for. */

import type { Keyboard } from "../editor/keyboard.ts";
import type { ChatViews } from "./chatViews.ts";

/** For commands of the palette, menus and keys. */
export class EditorKeyboard implements Keyboard {
  readonly #views: ChatViews;

  constructor(views: ChatViews) {
    this.#views = views;
  }

  answered(): void {
    // The editor gives it back by itself.
  }

  leadToComposer(): void {
    this.#views.focus();
  }
}

/** For what is asked for in the chat. */
export class ChatKeyboard implements Keyboard {
  readonly #views: ChatViews;

  constructor(views: ChatViews) {
    this.#views = views;
  }

  answered(): void {
    this.#views.giveBackFocus();
  }

  /** Only where the keyboard is still in the chat. */
  leadToComposer(): void {
    this.#views.focusIfHere();
  }
}
