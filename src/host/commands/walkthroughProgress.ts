/** Tells the walkthrough what the user has got to: a step is done when it came to something, not when it was begun. */

import * as vscode from "vscode";
import type { Session } from "../session/session.ts";

/** Passes on each key when it changes. */
export class WalkthroughProgress {
  readonly #told = new Map<string, boolean>();

  /** Something of the open conversation may have changed. */
  note({ connection, opened }: Session): void {
    const keys = {
      "forge.isConnected": connection.isLanguageModel,
      "forge.hasAsked": opened.manager.history.length > 0,
    };
    for (const [key, holds] of Object.entries(keys)) {
      if (this.#told.get(key) === holds) continue;
      this.#told.set(key, holds);
      void vscode.commands.executeCommand("setContext", key, holds);
    }
  }
}
