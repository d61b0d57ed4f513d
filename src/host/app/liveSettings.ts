/** The user's settings of this window, as they were when they last changed. */

import * as vscode from "vscode";
import type { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { Log } from "../editor/log.ts";
import { readSettings, type Settings } from "../editor/settings.ts";

/** Holds them, and tells the registry what they say of models. */
export class LiveSettings {
  readonly #registry: Pick<ModelRegistry, "setOverrides">;
  readonly #log: Pick<Log, "error">;
  #settings: Settings;

  /** Reads them at once. */
  constructor(registry: Pick<ModelRegistry, "setOverrides">, log: Pick<Log, "error">) {
    this.#registry = registry;
    this.#log = log;
    this.#settings = this.#read();
  }

  /** The newest; to be asked for each time. */
  readonly current = (): Settings => this.#settings;

  /** Reads them again. */
  update(): void {
    this.#settings = this.#read();
  }

  #read(): Settings {
    const configuration = vscode.workspace.getConfiguration("forge");
    const settings = readSettings((name) => configuration.get(name), process.env);
    const set = this.#registry.setOverrides(settings.models);
    if (!set.ok) this.#log.error(`forge.models: ${set.error.field}: expected ${set.error.expected}`);
    return settings;
  }
}
