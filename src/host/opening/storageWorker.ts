/** Entry point of the worker threads: one that owns a conversation's file, or one that serves the index over all. */

import { parentPort, workerData } from "node:worker_threads";
import { isSearchIndexStart } from "../search/searchIndexProtocol.ts";
import { serveSearchIndex } from "../search/serveSearchIndex.ts";
import { serveStorage } from "../../adapters/sqlite/thread/serveStorage.ts";
import { nodeFileCalls } from "../../adapters/sqlite/engine/shim/fileCalls.ts";
import { snowballStemmer } from "../../adapters/stemmers/snowballStemmer.ts";

// An unhandled rejection terminates the thread, which the host notices.
if (isSearchIndexStart(workerData)) void serveSearchIndex(parentPort, workerData);
else void serveStorage(parentPort, workerData, nodeFileCalls, snowballStemmer);
