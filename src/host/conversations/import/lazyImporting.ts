/** Importing and keeping in this window, loaded when it is first needed. */

import { existsSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import type { Clock } from "../../../core/clock.ts";
import { lazy } from "../../background/lazy.ts";
import type { ForgeFolders } from "../../editor/forgeFolders.ts";
import type { Log } from "../../editor/log.ts";
import type { Conversations } from "../conversations.ts";
import type { Importing } from "./importing.ts";
import type { Keeping, WatchFiles } from "./keeping.ts";

export interface LoadedImporting {
  readonly importing: Importing;
  readonly keeping: Keeping;
}

/** The start of a window has other things to do. */
const START_MS = 15_000;

export class LazyImporting {
  readonly load: () => Promise<LoadedImporting>;
  readonly #folders: ForgeFolders;
  readonly #clock: Clock;
  readonly #reportBug: (error: unknown) => void;
  #loaded: LoadedImporting | undefined;
  #cancelStart: (() => void) | undefined;

  constructor(
    conversations: Conversations,
    folders: ForgeFolders,
    clock: Clock,
    log: Pick<Log, "info">,
    reportBug: (error: unknown) => void,
  ) {
    this.#folders = folders;
    this.#clock = clock;
    this.#reportBug = reportBug;
    this.load = lazy(async () => {
      const { Importing } = await import("./importing.ts");
      const { Keeping } = await import("./keeping.ts");
      const importing = new Importing(conversations, folders);
      const keeping = new Keeping({ importing, folders, watch, clock, log, reportBug });
      this.#loaded = { importing, keeping };
      return this.#loaded;
    });
  }

  /** Keeps what the user has named, if anything. */
  startLater(): void {
    this.#cancelStart = this.#clock.after(START_MS, () => {
      if (!existsSync(path.join(this.#folders.storage, "importing", "kept.json"))) return;
      this.#start().catch(this.#reportBug);
    });
  }

  async close(): Promise<void> {
    this.#cancelStart?.();
    await this.#loaded?.keeping.dispose();
  }

  async #start(): Promise<void> {
    await (await this.load()).keeping.start();
  }
}

const watch: WatchFiles = (folder, pattern, onChange) => {
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(vscode.Uri.file(folder), pattern),
  );
  const heard = [watcher.onDidCreate(onChange), watcher.onDidChange(onChange)];
  return vscode.Disposable.from(watcher, ...heard);
};
