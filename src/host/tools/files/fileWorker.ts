/** Entry of the file thread, started by `FileThread`. */

import { parentPort, workerData } from "node:worker_threads";
import { serveFiles } from "./serveFiles.ts";

serveFiles(parentPort, workerData);
