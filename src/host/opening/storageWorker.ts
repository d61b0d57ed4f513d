/** Entry point of the worker threads: one that owns a conversation's file, or one that searches many. */

import { parentPort, workerData } from "node:worker_threads";
import { isFolderSearchStart } from "../../adapters/sqlite/search/folderSearchProtocol.ts";
import { serveFolderSearch } from "../../adapters/sqlite/search/serveFolderSearch.ts";
import { serveStorage } from "../../adapters/sqlite/thread/serveStorage.ts";
import { nodeFileCalls } from "../../adapters/sqlite/engine/shim/fileCalls.ts";
import { snowballStemmer } from "../../adapters/stemmers/snowballStemmer.ts";

// An unhandled rejection terminates the thread, which the host notices.
if (isFolderSearchStart(workerData)) void serveFolderSearch(parentPort, workerData, nodeFileCalls);
else void serveStorage(parentPort, workerData, nodeFileCalls, snowballStemmer);
