/**
 * Updates the context keys that complete the steps of the walkthrough: a step is complete when it has succeeded, not
 * when it was started.
 */

import * as vscode from "vscode";
import type { Session } from "../session/session.ts";

export class WalkthroughProgress {
  readonly #values = new Map<string, boolean>();

  /** Sets the keys that have changed. */
  update({ connection, opened }: Session): void {
    const keys = {
      "forge.isConnected": connection.isLanguageModel,
      "forge.hasAsked": opened.manager.history.length > 0,
    };
    for (const [key, holds] of Object.entries(keys)) {
      if (this.#values.get(key) === holds) continue;
      this.#values.set(key, holds);
      void vscode.commands.executeCommand("setContext", key, holds);
    }
  }
}
