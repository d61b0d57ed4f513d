/** A storage worker with a delay of 10 ms per sync. */

import { parentPort, workerData } from "node:worker_threads";
import { serveStorage } from "../../../src/adapters/sqlite/thread/serveStorage.ts";
import { nodeFileCalls, type FileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";

const ADDED_MS = 10;
const never = new Int32Array(new SharedArrayBuffer(4));
const calls: FileCalls = {
  ...nodeFileCalls,
  sync: (handle) => {
    nodeFileCalls.sync(handle);
    Atomics.wait(never, 0, 0, ADDED_MS);
  },
};
void serveStorage(parentPort, workerData, calls);
