/** Thread side of the folder search: searches one file at a time; a new search replaces the current one. */

import { join } from "node:path";
import type { MessagePort } from "node:worker_threads";
import { invariant } from "../../../core/result.ts";
import { DATABASE_FILE } from "../databaseFile.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import { loadSqlJs, type SqlJsShim } from "../engine/sqlJsShim.ts";
import { storageFailureOf } from "../storageErrors.ts";
import { FolderSearchTask } from "./folderSearchTask.ts";
import {
  isFolderQuery,
  type FolderQuery,
  type FolderSearchStart,
  type FromFolderSearch,
} from "./folderSearchProtocol.ts";

/** Interval of checks for a newer search. */
const SLICE_MS = 20;

/** Answers the searches received on `port` until the thread is terminated. */
export async function serveFolderSearch(
  port: MessagePort | null,
  { sqlJsFile }: FolderSearchStart,
  calls: FileCalls,
): Promise<void> {
  invariant(port !== null, "the search is started as a thread");
  const shim = await loadSqlJs(sqlJsFile, calls);
  let wanted: FolderQuery | undefined;
  let isSearching = false;
  const post = (answer: FromFolderSearch): void => {
    port.postMessage(answer);
  };
  const searchAll = async (): Promise<void> => {
    isSearching = true;
    for (let search = wanted; search !== undefined; search = search === wanted ? undefined : wanted) {
      const isWanted = (): boolean => search === wanted;
      for (const folder of search.folders) {
        if (!isWanted()) break;
        const answer = await searchFolder(folder, shim, search, isWanted);
        if (answer !== undefined) post(answer);
      }
      if (isWanted()) post({ kind: "searched", id: search.id });
    }
    isSearching = false;
  };
  port.on("message", (search: unknown) => {
    invariant(isFolderQuery(search), "only the host speaks to its threads");
    wanted = search;
    if (!isSearching) void searchAll();
  });
}

/** `undefined` if the search was superseded. */
async function searchFolder(
  folder: string,
  shim: SqlJsShim,
  search: FolderQuery,
  isWanted: () => boolean,
): Promise<FromFolderSearch | undefined> {
  const { id } = search;
  let reading: FolderSearchTask | undefined;
  try {
    if (shim.files.calls.find(join(folder, DATABASE_FILE)) === undefined) return { kind: "unreadable", id, folder };
    reading = new FolderSearchTask(folder, shim, search);
    while (isWanted()) {
      const json = reading.runSlice(performance.now() + SLICE_MS);
      await new Promise((resolve) => setImmediate(resolve));
      if (json !== undefined) return { kind: "found", id, folder, json };
    }
    return undefined;
  } catch (error) {
    storageFailureOf(error); // rethrows a bug
    return { kind: "unreadable", id, folder };
  } finally {
    reading?.close();
  }
}
