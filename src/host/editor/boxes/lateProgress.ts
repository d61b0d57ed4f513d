/** That something lasts, said only where it does: a notification that comes and goes at once would be noise. */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";

/** What takes no longer is not spoken of, in milliseconds: about as long as people wait without asking themselves why. */
const UNNOTICED_MS = 500;

/** Does `work`; when it lasts, a notification with `title` and Cancel, which aborts the signal, stands until it ends. */
export async function withLateProgress<T>(title: string, work: (cancel: CancelSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  const working = work(cancel.signal);
  const show = (): void => {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    void vscode.window.withProgress(options, async (_, token) => {
      token.onCancellationRequested(() => cancel.abort());
      await Promise.allSettled([working]); // who asked for the work hears how it ended
    });
  };
  const timer = setTimeout(show, UNNOTICED_MS);
  try {
    return await working;
  } finally {
    clearTimeout(timer);
  }
}
