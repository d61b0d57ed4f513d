import * as vscode from "vscode";
import { localize } from "../../../protocol/localize.ts";
import type { ReplicaControl } from "../replicaControl.ts";

/** Shows in the status bar how far the first sending is, until it is done, fails or stops. Does not wait for it. */
export function followFirstSending(control: Pick<ReplicaControl, "status" | "onDidChange">): void {
  const isUnderWay = (): boolean => {
    const { state, waiting, checkedAtMs } = control.status;
    return state === "working" && (waiting > 0 || checkedAtMs === undefined);
  };
  if (!isUnderWay()) return;
  const options = { location: vscode.ProgressLocation.Window, title: localize("Forge: sending conversations") };
  void vscode.window.withProgress(
    options,
    (progress) =>
      new Promise<void>((resolve) => {
        const update = (): void => {
          const { conversations, waiting } = control.status;
          progress.report({ message: localize("{0} of {1}", conversations - waiting, conversations) });
          if (isUnderWay()) return;
          listening.dispose();
          resolve();
        };
        const listening = control.onDidChange(update);
        update();
      }),
  );
}
