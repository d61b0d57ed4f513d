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

interface ActiveSearch extends FolderSearchWatch {
  readonly id: number;
  readonly end: (isWhole: boolean) => void;
}

/** Starts the thread on the first search. The creator must call `end`. */
export class FolderSearch {
  readonly #options: FolderSearchOptions;
  #thread: Worker | undefined;
  #activeSearch: ActiveSearch | undefined;
  #lastId = 0;

  constructor(options: FolderSearchOptions) {
    this.#options = options;
  }

  /** Resolves with true when all folders are done; false if cancelled, superseded, or the thread died. */
  search(query: Omit<FolderQuery, "id">, watch: FolderSearchWatch): Promise<boolean> {
    this.#activeSearch?.end(false);
    if (watch.cancel.aborted) return Promise.resolve(false);
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const stop = (): void => {
        end(false);
        this.#thread?.postMessage({ id, query: "", limit: 1, folders: [] } satisfies FolderQuery);
      };
      const end = (isWhole: boolean): void => {
        watch.cancel.removeEventListener("abort", stop);
        if (this.#activeSearch?.id === id) this.#activeSearch = undefined;
        resolve(isWhole);
      };
      watch.cancel.addEventListener("abort", stop);
      this.#activeSearch = { ...watch, id, end };
      this.#thread ??= this.#start();
      this.#thread.postMessage({ ...query, id } satisfies FolderQuery);
    });
  }

  /** Cancels the current search and terminates the thread. */
  async end(): Promise<void> {
    this.#activeSearch?.end(false);
    await this.#thread?.terminate();
    this.#thread = undefined;
  }

  #start(): Worker {
    const start: FolderSearchStart = { searchesFolders: true, sqlJsFile: this.#options.sqlJsFile };
    const thread = new Worker(this.#options.workerFile, { workerData: start });
    const isOver = (): void => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#activeSearch?.end(false);
    };
    thread.on("message", (message: FromFolderSearch) => {
      this.#receive(message);
    });
    thread.once("error", isOver);
    thread.once("exit", isOver);
    return thread;
  }

  #receive(message: FromFolderSearch): void {
    const search = this.#activeSearch;
    if (search?.id !== message.id) return;
    if (message.kind === "searched") search.end(true);
    else search.found(message.folder, message.kind === "found" ? parseHits(message.json) : undefined);
  }
}
