/** The host's end of the thread that works on files: asks one thing, waits, and ends it when that takes too long. */

import { Worker } from "node:worker_threads";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, type Result } from "../../../core/result.ts";
import { CANCELLED_FAILURE, failure, type ToolFailure } from "../toolFailure.ts";
import type { FileTask, FileWork, FromFileWorker, ToMatch } from "./fileTask.ts";

/** How long a task may take before it is asked to end with what it has. */
const TASK_LIMIT_MS = 20_000;
/** How much later it is ended by force: a pattern can keep it from asking for the time. */
const GRACE_MS = 1_000;

/** Threads are made from here. */
export interface FileThreadOptions {
  /** The file that the thread runs. */
  readonly workerFile: string;
  /** Absolute paths of the workspace folders; empty for one that is not on this disk. */
  readonly folders: readonly string[];
  readonly limitMs?: number;
}

/** A thread with its task. To be ended by whoever made it. */
export class FileThread {
  readonly #worker: Worker;

  constructor({ workerFile, folders, limitMs = TASK_LIMIT_MS }: FileThreadOptions, task: FileTask) {
    const work: FileWork = { folders, task, deadlineMs: Date.now() + limitMs };
    this.#worker = new Worker(workerFile, { workerData: work });
  }

  /** Calls `see` with everything that the thread says, until it is ended. */
  listen(see: (message: FromFileWorker) => void, failed: (error: unknown) => void): void {
    this.#worker.on("message", see);
    this.#worker.once("error", failed);
  }

  /** Calls `see` with the next thing that the thread says, once. */
  listenOnce(see: (message: FromFileWorker) => void, failed: (error: unknown) => void): void {
    const failedFirst = (error: unknown): void => {
      failed(error);
    };
    this.#worker.once("error", failedFirst);
    this.#worker.once("message", (message: FromFileWorker) => {
      this.#worker.off("error", failedFirst);
      see(message);
    });
  }

  /** Sends a text to be searched, which is copied. */
  send(message: ToMatch): void {
    this.#worker.postMessage(message);
  }

  /** Ends it, whatever it does. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** How a task is watched. */
export interface FileTaskWatch<T> {
  readonly cancel: CancelSignal;
  /** Picks the answer out of what the thread says. */
  readonly answer: (message: FromFileWorker) => Result<T, ToolFailure> | undefined;
}

/**
 * Does one task and answers with its result; `watch.answer` also sees what a search finds on the way. A task that has to
 * be ended by force is `TIMED_OUT`.
 */
export async function runFileTask<T>(
  options: FileThreadOptions,
  task: FileTask,
  { cancel, answer }: FileTaskWatch<T>,
): Promise<Result<T, ToolFailure>> {
  if (cancel.aborted) return err(CANCELLED_FAILURE);
  const limitMs = options.limitMs ?? TASK_LIMIT_MS;
  const thread = new FileThread(options, task);
  let stop: () => void = () => undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Result<T, ToolFailure>>((resolve, reject) => {
      stop = () => {
        resolve(err(CANCELLED_FAILURE));
      };
      cancel.addEventListener("abort", stop);
      timer = setTimeout(() => {
        resolve(failure("TIMED_OUT", `It took longer than ${Math.round(limitMs / 1000)} seconds and was ended.`));
      }, limitMs + GRACE_MS);
      thread.listen((message) => {
        const result = answer(message);
        if (result !== undefined) resolve(result);
      }, reject);
    });
  } finally {
    clearTimeout(timer);
    cancel.removeEventListener("abort", stop);
    await thread.end();
  }
}
