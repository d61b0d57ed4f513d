/** Finds conversations of other tools on this machine, in a thread of its own; the host is told some at a time. */

import { Worker } from "node:worker_threads";
import { thrownText, type Cancelled, type StorageFailed } from "../../../core/errors.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { WorkerStart } from "../thread/workerProtocol.ts";
import type { FoundFile, FromScan, ScanRequest } from "./scanned.ts";

export interface Scan extends Pick<WorkerStart, "folder" | "sqlJsFile"> {
  readonly workerFile: string;
  readonly request: ScanRequest;
  readonly onProgress?: (progress: Pick<FromScan, "done" | "total">) => void;
  readonly cancel: CancelSignal;
}

/** Newest first. Nothing is written but temporary files in `folder`. */
export function scan({
  workerFile,
  request,
  onProgress,
  cancel,
  ...start
}: Scan): Promise<Result<readonly FoundFile[], StorageFailed | Cancelled>> {
  const workerData: WorkerStart = { ...start, scan: request };
  const thread = new Worker(workerFile, { workerData });
  return new Promise((resolve) => {
    const found: FoundFile[] = [];
    let outcome: Result<readonly FoundFile[], StorageFailed | Cancelled> | undefined;
    const died = (detail: string): void => {
      outcome ??= err({ code: "STORAGE_FAILED", reason: "workerDied", detail });
    };
    const stop = (): void => {
      outcome ??= err({ code: "CANCELLED" });
      void thread.terminate();
    };
    thread.on("message", (said: FromScan) => {
      found.push(...said.found);
      if (said.isEnd) outcome ??= ok(found);
      else onProgress?.(said);
    });
    thread.once("error", (error: unknown) => {
      died(thrownText(error));
    });
    thread.once("exit", (code) => {
      cancel.removeEventListener("abort", stop);
      // The last findings may still be in the message queue.
      setImmediate(() => {
        died(`the thread ended with code ${code}`);
        if (outcome !== undefined) resolve(outcome);
      });
    });
    cancel.addEventListener("abort", stop);
    if (cancel.aborted) stop();
  });
}
