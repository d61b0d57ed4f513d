import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import { invariant } from "../../../core/result.ts";
import type { Stemmer } from "../../../core/search/ranking/stemmer.ts";
import { importDocument } from "../import/importDocument.ts";
import { scanPlaces } from "../import/scanPlaces.ts";
import { openStorage, rescueStorage } from "../openStorage.ts";
import type { FileCalls } from "../engine/shim/fileCalls.ts";
import type { ConversationFile } from "../conversationFile.ts";
import { IdleScheduler } from "./idleScheduler.ts";
import {
  isRequest,
  isWorkerStart,
  type FromImport,
  type FromRescue,
  type FromWorker,
  type WorkerStart,
} from "./workerProtocol.ts";

/**
 * Opens the database in `start.folder`, posts whether that succeeded, and serves it until a `close` request. If `start`
 * requests a rescue, an import or a scan, performs only that and posts the result.
 */
export async function serveStorage(
  port: MessagePort | null,
  start: unknown,
  calls: FileCalls,
  stemmer?: Stemmer,
): Promise<void> {
  invariant(port !== null && isWorkerStart(start), "the storage worker is started as a thread, by the store");
  if (start.rescue === true) {
    port.postMessage(await rescueIn(start, calls));
    return;
  }
  if (start.importFile !== undefined) {
    port.postMessage(await importIn(start.importFile, start, calls));
    return;
  }
  if (start.scan !== undefined) {
    for (const found of scanPlaces(start.scan, start.folder, calls)) port.postMessage(found);
    return;
  }
  const post = (answer: FromWorker): void => {
    port.postMessage(answer);
  };
  const opened = await openStorage(start, calls, stemmer);
  if (!opened.ok) {
    post({ kind: "openFailed", error: opened.error });
    return;
  }
  const file = opened.value;
  const spareTime = new IdleScheduler(file, post);
  port.on("message", (request: unknown) => {
    take(request, file);
    takeWaiting(port, file);
    let isClosed = false;
    for (const answer of file.flush(() => spareTime.postKeepAlive())) {
      post(answer);
      isClosed ||= answer.kind === "closed";
    }
    if (isClosed) {
      spareTime.end();
      port.close();
    } else spareTime.begin();
  });
  spareTime.begin();
  post({ kind: "opened", shape: file.shape });
}

async function rescueIn(start: WorkerStart, calls: FileCalls): Promise<FromRescue> {
  const rescued = await rescueStorage(start, calls);
  return rescued.ok ? { kind: "rescued", report: rescued.value } : { kind: "rescueFailed", error: rescued.error };
}

async function importIn(importFile: string, start: WorkerStart, calls: FileCalls): Promise<FromImport> {
  const imported = await importDocument(importFile, start, calls);
  return imported.ok
    ? { kind: "imported", conversations: imported.value }
    : { kind: "importFailed", error: imported.error };
}

/** Takes all requests that arrived during the last commit, so that they form one group. */
function takeWaiting(port: MessagePort, file: ConversationFile): void {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    take(next.message, file);
  }
}

function take(request: unknown, file: ConversationFile): void {
  invariant(isRequest(request), "only the store speaks to its worker");
  file.enqueue(request);
}
