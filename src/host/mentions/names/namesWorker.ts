/** Entry of the thread that knows the names of all files, started by `FileNames`. */

import { parentPort } from "node:worker_threads";
import { serveNames } from "./serveNames.ts";

if (parentPort !== null) serveNames(parentPort);
