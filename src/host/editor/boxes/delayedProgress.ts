/** Progress notifications for slow work only: one that flashes up would be noise. */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";

/** Delay in milliseconds: about as long as people wait without wondering. */
const PROGRESS_DELAY_MS = 500;

/** Runs `work`; if it takes long, shows a notification with `title` and Cancel, which aborts the signal. */
export async function withDelayedProgress<T>(title: string, work: (cancel: CancelSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  const working = work(cancel.signal);
  const show = (): void => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (_, token) => {
      token.onCancellationRequested(() => cancel.abort());
      await Promise.allSettled([working]); // the caller handles a rejection
    });
  };
  const timer = setTimeout(show, PROGRESS_DELAY_MS);
  try {
    return await working;
  } finally {
    clearTimeout(timer);
  }
}
