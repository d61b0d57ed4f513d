/** Entry of the thread that works on files. Started by `FileThread`. */

import { parentPort, workerData } from "node:worker_threads";
import { serveFiles } from "./serveFiles.ts";

serveFiles(parentPort, workerData);
