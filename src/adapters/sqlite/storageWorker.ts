/** Entry of the thread that owns a conversation's file. Started by `openConversationStore`. */

import { parentPort, workerData } from "node:worker_threads";
import { serveStorage } from "./serveStorage.ts";
import { nodeFileCalls } from "./shim/fileCalls.ts";

// A rejection ends the thread, which the host hears of.
void serveStorage(parentPort, workerData, nodeFileCalls);
