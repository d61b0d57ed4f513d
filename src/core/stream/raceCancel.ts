/** Waits for work that may hang, and for an abort that must not. */

import type { CancelSignal } from "../ports.ts";

/** What `work` comes to, or `cancelled` as soon as `cancel` aborts. What the work comes to after that is dropped. */
export function raceCancel<T>(work: Promise<T>, cancel: CancelSignal, cancelled: T): Promise<T> {
  if (cancel.aborted) {
    work.catch(() => undefined);
    return Promise.resolve(cancelled);
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => {
      resolve(cancelled);
    };
    cancel.addEventListener("abort", onAbort);
    work.then(resolve, reject).finally(() => {
      cancel.removeEventListener("abort", onAbort);
    });
  });
}
