import { Worker } from "node:worker_threads";
import { type Cancelled, type StorageFailed, thrownText } from "../../../core/errors.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { WorkerStart } from "./workerProtocol.ts";

/** Garbage of what is read and soon forgotten: collected at 12 MB, where V8 lets it grow to 48 without a limit. */
const MOST_YOUNG_MB = 12;

/**
 * Runs a storage worker that posts a single answer. Resolves after the thread has exited, so that its files are closed.
 * Aborting `cancel` terminates the thread.
 */
export function runWorkerOnce<Answer>(
  workerFile: string,
  workerData: WorkerStart,
  cancel?: CancelSignal,
): Promise<Result<Answer, StorageFailed | Cancelled>> {
  const thread = new Worker(workerFile, { workerData, resourceLimits: { maxYoungGenerationSizeMb: MOST_YOUNG_MB } });
  return new Promise((resolve) => {
    let answer: Result<Answer, StorageFailed | Cancelled> | undefined;
    const died = (detail: string): void => {
      answer ??= err({ code: "STORAGE_FAILED", reason: "workerDied", detail });
    };
    const stop = (): void => {
      answer ??= err({ code: "CANCELLED" });
      void thread.terminate();
    };
    thread.once("message", (said: Answer) => {
      answer ??= ok(said);
    });
    thread.once("error", (error: unknown) => {
      died(thrownText(error));
    });
    thread.once("exit", (code) => {
      cancel?.removeEventListener("abort", stop);
      // The answer may still be in the message queue.
      setImmediate(() => {
        died(`the thread ended with code ${code}`);
        if (answer !== undefined) resolve(answer);
      });
    });
    cancel?.addEventListener("abort", stop);
    if (cancel?.aborted === true) stop();
  });
}
