/** Searches the conversations that nobody has open, in a thread of its own. One search at a time: a new one ends the old. */

import { Worker } from "node:worker_threads";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";
import { parseHits } from "../rowCodec.ts";
import type { FolderQuery, FolderSearchStart, FromFolderSearch } from "./folderSearchProtocol.ts";

/** Where the thread and its library lie. */
export interface FolderSearchOptions {
  /** The bundled `storageWorker`. */
  readonly workerFile: string;
  /** `sql-wasm-debug.js`, with its `.wasm` beside it. */
  readonly sqlJsFile: string;
}

/** Who is told what is found. */
export interface FolderSearchWatch {
  /** Called once for each folder; `undefined`: it could not be read. */
  readonly found: (folder: string, hits: readonly SearchHit[] | undefined) => void;
  readonly cancel: CancelSignal;
}

interface UnderWay extends FolderSearchWatch {
  readonly id: number;
  readonly end: (isWhole: boolean) => void;
}

/** The thread, from the first search on. To be ended by whoever made it. */
export class FolderSearch {
  readonly #options: FolderSearchOptions;
  #thread: Worker | undefined;
  #underWay: UnderWay | undefined;
  #lastId = 0;

  constructor(options: FolderSearchOptions) {
    this.#options = options;
  }

  /** Resolves when all folders are done, true, or it was cancelled, followed by another one, or the thread died, false. */
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

  /** Ends what is under way, and the thread. */
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
