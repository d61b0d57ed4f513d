/** Runs the conversations of the retention benchmark on all processors. */

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Cell, CellRequest } from "./retentionCell.ts";

/** More threads would be limited by memory. */
const MOST_THREADS = 4;

/** Returns the results in the order of the requests. Calls `done` for each in order. */
export async function retentionCells(
  requests: readonly CellRequest[],
  done: (cell: Cell) => void,
): Promise<readonly Cell[]> {
  const cells = new Map<number, Cell>();
  let next = 0;
  let told = 0;
  const tell = (): void => {
    for (let cell = cells.get(told); cell !== undefined; cell = cells.get(++told)) done(cell);
  };
  const work = async (): Promise<void> => {
    const thread = new Worker(new URL("retentionThread.ts", import.meta.url));
    try {
      for (let index = next++; index < requests.length; index = next++) {
        thread.postMessage(requests[index]);
        cells.set(index, await answerOf(thread));
        tell();
      }
    } finally {
      await thread.terminate();
    }
  };
  const threads = Math.min(MOST_THREADS, availableParallelism(), requests.length);
  await Promise.all(Array.from({ length: threads }, work));
  return requests.flatMap((_, index) => cells.get(index) ?? []);
}

function answerOf(thread: Worker): Promise<Cell> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      thread.off("message", found);
      thread.off("error", failed);
    };
    const found = (cell: Cell): void => {
      stop();
      resolve(cell);
    };
    const failed = (error: unknown): void => {
      stop();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    thread.on("message", found);
    thread.on("error", failed);
  });
}
