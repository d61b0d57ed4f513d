/** A storage worker that crashes or hangs at the commit of a draft with that text. */

import { parentPort, workerData } from "node:worker_threads";
import { serveStorage } from "../../../src/adapters/sqlite/thread/serveStorage.ts";
import { nodeFileCalls, type FileCalls } from "../../../src/adapters/sqlite/engine/shim/fileCalls.ts";

const calls: FileCalls = {
  ...nodeFileCalls,
  write: (handle, bytes, offset, length, position) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + offset, length).toString("latin1");
    if (text.includes('"dies"')) process.exit(7);
    if (text.includes('"hangs"')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return nodeFileCalls.write(handle, bytes, offset, length, position);
  },
};
void serveStorage(parentPort, workerData, calls);
