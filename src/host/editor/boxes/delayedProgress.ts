/** Progress notifications for slow work only: one that flashes up would be noise. */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { localize } from "../../../protocol/localize.ts";

/** Delay in milliseconds: about as long as people wait without wondering. */
const PROGRESS_DELAY_MS = 500;

export interface WorkProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Runs `work`; if it takes long, shows a notification with `title`, how far it is, and Cancel, which aborts the signal.
 */
export async function withDelayedProgress<T>(
  title: string,
  work: (cancel: CancelSignal, report: (progress: WorkProgress) => void) => Promise<T>,
): Promise<T> {
  const cancel = new AbortController();
  let latest: WorkProgress | undefined;
  let show: () => void = () => undefined;
  const working = work(cancel.signal, (progress) => {
    latest = progress;
    show();
  });
  const open = (): void => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (shown, token) => {
      token.onCancellationRequested(() => cancel.abort());
      let percent = 0;
      show = () => {
        if (latest === undefined || latest.total === 0) return;
        const { done, total } = latest;
        const next = Math.floor((100 * done) / total);
        shown.report({ increment: next - percent, message: localize("{0} of {1}", done, total) });
        percent = next;
      };
      show();
      await Promise.allSettled([working]); // the caller handles a rejection
    });
  };
  const timer = setTimeout(open, PROGRESS_DELAY_MS);
  try {
    return await working;
  } finally {
    clearTimeout(timer);
  }
}
