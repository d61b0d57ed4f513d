/** Entry of the thread that owns a conversation's file, or that searches many. Started by the host's side of each. */

import { parentPort, workerData } from "node:worker_threads";
import { isFolderSearchStart } from "../search/folderSearchProtocol.ts";
import { serveFolderSearch } from "../search/serveFolderSearch.ts";
import { serveStorage } from "./serveStorage.ts";
import { nodeFileCalls } from "../engine/shim/fileCalls.ts";

// A rejection ends the thread, which the host hears of.
if (isFolderSearchStart(workerData)) void serveFolderSearch(parentPort, workerData, nodeFileCalls);
else void serveStorage(parentPort, workerData, nodeFileCalls);
