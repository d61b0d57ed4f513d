/** Entry point of the worker threads: one that owns a conversation's file, or one that searches many. */

import { parentPort, workerData } from "node:worker_threads";
import { isFolderSearchStart } from "../search/folderSearchProtocol.ts";
import { serveFolderSearch } from "../search/serveFolderSearch.ts";
import { serveStorage } from "./serveStorage.ts";
import { nodeFileCalls } from "../engine/shim/fileCalls.ts";

// An unhandled rejection terminates the thread, which the host notices.
if (isFolderSearchStart(workerData)) void serveFolderSearch(parentPort, workerData, nodeFileCalls);
else void serveStorage(parentPort, workerData, nodeFileCalls);
