/** Reads the folders around a command in a thread of its own, which ends with each task. */

import path from "node:path";
import { Worker } from "node:worker_threads";
import { type StorageFailed, thrownText } from "../../core/errors.ts";
import { err, type Result } from "../../core/result.ts";
import type { CommandFiles } from "./commandStates.ts";
import type { CommandTask, CommandTaskAnswer } from "./commandTask.ts";

/** `dist` is the folder of the bundled files, `kept` that of what is kept of the conversation. */
export function commandThread(dist: string, kept: string, git: () => Promise<string | undefined>): CommandFiles {
  const run = async (begins?: CommandTask["begins"]): Promise<CommandTaskAnswer> => {
    const program = await git();
    const task: CommandTask = {
      kept,
      ...(program === undefined ? {} : { git: program }),
      ...(begins === undefined ? {} : { begins }),
    };
    return answerOf(new Worker(path.join(dist, "commandWorker.cjs"), { workerData: task }));
  };
  return {
    begin: (command, folders) => run({ command, folders }) as Promise<Result<undefined, StorageFailed>>,
    end: () => run(),
  };
}

function answerOf(thread: Worker): Promise<CommandTaskAnswer> {
  return new Promise((resolve) => {
    const fail = (detail: string): void => {
      resolve(err({ code: "STORAGE_FAILED", reason: "workerDied", detail }));
    };
    thread.once("message", resolve);
    thread.once("error", (error: unknown) => {
      fail(thrownText(error));
    });
    thread.once("exit", (code) => {
      setImmediate(fail, `the thread ended with code ${String(code)}`); // after a message that is on its way
    });
  });
}
