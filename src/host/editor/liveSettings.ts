/** The user's settings, read again on each change. */

import * as vscode from "vscode";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { Log } from "./log.ts";
import { readSettings, type Settings } from "./settings.ts";

/** Read access to the settings. */
export interface CurrentSettings {
  /** Replaced on each change: do not cache it. */
  readonly current: Settings;
}

/** Also passes model overrides to the registry. */
export class LiveSettings implements CurrentSettings, vscode.Disposable {
  readonly #registry: Pick<ModelRegistry, "setOverrides">;
  readonly #log: Pick<Log, "error">;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watching: vscode.Disposable;
  #current: Settings;

  /** Fires after the settings were read again. */
  readonly onDidChange = this.#changed.event;

  constructor(registry: Pick<ModelRegistry, "setOverrides">, log: Pick<Log, "error">) {
    this.#registry = registry;
    this.#log = log;
    this.#current = this.#read();
    this.#watching = vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration("forge")) return;
      this.#current = this.#read();
      this.#changed.fire();
    });
  }

  get current(): Settings {
    return this.#current;
  }

  dispose(): void {
    this.#watching.dispose();
    this.#changed.dispose();
  }

  #read(): Settings {
    const configuration = vscode.workspace.getConfiguration("forge");
    const settings = readSettings((name) => configuration.get(name), process.env);
    const set = this.#registry.setOverrides(settings.models);
    if (!set.ok) this.#log.error(`forge.models: ${set.error.field}: expected ${set.error.expected}`);
    return settings;
  }
}
