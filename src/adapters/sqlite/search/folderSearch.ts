/** Searches closed conversations in a worker thread. One search at a time: a new one cancels the previous one. */

import { Worker } from "node:worker_threads";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";
import { parseHits } from "../rowCodec.ts";
import type { FolderQuery, FolderSearchStart, FromFolderSearch } from "./folderSearchProtocol.ts";

export interface FolderSearchOptions {
  /** Path of the bundled `storageWorker`. */
  readonly workerFile: string;
  /** Path of `sql-wasm-debug.js`; the `.wasm` file is next to it. */
  readonly sqlJsFile: string;
}

export interface FolderSearchWatch {
  /** Called once per folder; `hits` is `undefined` if the folder could not be read. */
  readonly found: (folder: string, hits: readonly SearchHit[] | undefined) => void;
  readonly cancel: CancelSignal;
}

interface UnderWay extends FolderSearchWatch {
  readonly id: number;
  readonly end: (isWhole: boolean) => void;
}

/** Starts the thread on the first search. The creator must call `end`. */
export class FolderSearch {
  readonly #options: FolderSearchOptions;
  #thread: Worker | undefined;
  #underWay: UnderWay | undefined;
  #lastId = 0;

  constructor(options: FolderSearchOptions) {
    this.#options = options;
  }

  /** Resolves with true when all folders are done; false if cancelled, superseded, or the thread died. */
  search(query: Omit<FolderQuery, "id">, watch: FolderSearchWatch): Promise<boolean> {
    this.#underWay?.end(false);
    if (watch.cancel.aborted) return Promise.resolve(false);
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const stop = (): void => {
        end(false);
        this.#thread?.postMessage({ id, query: "", limit: 1, folders: [] } satisfies FolderQuery);
      };
      const end = (isWhole: boolean): void => {
        watch.cancel.removeEventListener("abort", stop);
        if (this.#underWay?.id === id) this.#underWay = undefined;
        resolve(isWhole);
      };
      watch.cancel.addEventListener("abort", stop);
      this.#underWay = { ...watch, id, end };
      this.#thread ??= this.#start();
      this.#thread.postMessage({ ...query, id } satisfies FolderQuery);
    });
  }

  /** Cancels the current search and terminates the thread. */
  async end(): Promise<void> {
    this.#underWay?.end(false);
    await this.#thread?.terminate();
    this.#thread = undefined;
  }

  #start(): Worker {
    const start: FolderSearchStart = { searchesFolders: true, sqlJsFile: this.#options.sqlJsFile };
    const thread = new Worker(this.#options.workerFile, { workerData: start });
    const isOver = (): void => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#underWay?.end(false);
    };
    thread.on("message", (said: FromFolderSearch) => {
      this.#hear(said);
    });
    thread.once("error", isOver);
    thread.once("exit", isOver);
    return thread;
  }

  #hear(said: FromFolderSearch): void {
    const search = this.#underWay;
    if (search?.id !== said.id) return;
    if (said.kind === "searched") search.end(true);
    else search.found(said.folder, said.kind === "found" ? parseHits(said.json) : undefined);
  }
}
