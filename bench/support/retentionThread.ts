/** Worker thread that runs conversations of the retention benchmark and posts the result of each. */

import { parentPort } from "node:worker_threads";
import { retentionCell, type CellRequest } from "./retentionCell.ts";

const port = parentPort;
if (port === null) throw new Error("this is a thread");
port.on("message", (request: CellRequest) => {
  retentionCell(request)
    .then((cell) => {
      port.postMessage(cell);
    })
    .catch((error: unknown) => {
      throw error;
    });
});
