/** The host's side of the file thread: runs one task, and ends the thread on a timeout. */

import { Worker } from "node:worker_threads";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, type Result } from "../../../core/result.ts";
import { CANCELLED_FAILURE, failure, type ToolFailure } from "../toolFailure.ts";
import type { FileTask, FileThreadData, FileThreadMessage, MatchInput } from "./fileTask.ts";

/** Time after which a task is to end with what it has. */
const TASK_LIMIT_MS = 20_000;
/** Time after that until the thread is terminated: a slow pattern can keep it from checking the deadline. */
const GRACE_MS = 1_000;

export interface FileThreadOptions {
  readonly workerFile: string;
  /** Absolute paths of the workspace folders; empty for one that is not on this disk. */
  readonly folders: readonly string[];
  /** Names of the folders in messages; none where only one is open. */
  readonly names?: readonly string[];
  readonly limitMs?: number;
}

/** A thread with its task. Its creator must end it. */
export class FileThread {
  readonly #worker: Worker;

  constructor({ workerFile, folders, names = [], limitMs = TASK_LIMIT_MS }: FileThreadOptions, task: FileTask) {
    const work: FileThreadData = { folders, names, task, deadlineMs: Date.now() + limitMs };
    this.#worker = new Worker(workerFile, { workerData: work });
  }

  /** Calls `see` with every message until the thread ends. */
  listen(onMessage: (message: FileThreadMessage) => void, failed: (error: unknown) => void): void {
    this.#worker.on("message", onMessage);
    this.#worker.once("error", failed);
  }

  /** Calls `see` with the next message only. */
  listenOnce(onMessage: (message: FileThreadMessage) => void, failed: (error: unknown) => void): void {
    const failedFirst = (error: unknown): void => {
      failed(error);
    };
    this.#worker.once("error", failedFirst);
    this.#worker.once("message", (message: FileThreadMessage) => {
      this.#worker.off("error", failedFirst);
      onMessage(message);
    });
  }

  /** The text is copied. */
  send(message: MatchInput): void {
    this.#worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

export interface FileTaskOptions<T> {
  readonly cancel: CancelSignal;
  /** Picks the result out of the thread's messages. */
  readonly pickResult: (message: FileThreadMessage) => Result<T, ToolFailure> | undefined;
}

/**
 * Runs one task and returns its result; `answer` also gets the hits of a search. A task that has to be terminated fails
 * with `TIMED_OUT`.
 */
export async function runFileTask<T>(
  options: FileThreadOptions,
  task: FileTask,
  { cancel, pickResult }: FileTaskOptions<T>,
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
        const result = pickResult(message);
        if (result !== undefined) resolve(result);
      }, reject);
    });
  } finally {
    clearTimeout(timer);
    cancel.removeEventListener("abort", stop);
    await thread.end();
  }
}
