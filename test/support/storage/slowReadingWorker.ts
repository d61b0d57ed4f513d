/** A storage worker with some milliseconds of delay per read. */

import { parentPort, workerData } from "node:worker_threads";
import { serveStorage } from "../../../src/adapters/sqlite/thread/serveStorage.ts";
import { nodeFileCalls, type FileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";

const ADDED_MS = 2;
const never = new Int32Array(new SharedArrayBuffer(4));
const calls: FileCalls = {
  ...nodeFileCalls,
  read: (...args) => {
    Atomics.wait(never, 0, 0, ADDED_MS);
    return nodeFileCalls.read(...args);
  },
};
void serveStorage(parentPort, workerData, calls);
