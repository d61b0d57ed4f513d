/** A native picker that is filled while it is open. */

import type * as vscode from "vscode";

/** Shows `picker`; answers what was taken, or `undefined` when the user turned away. Then it is closed and disposed of. */
export function showPicker<Item extends vscode.QuickPickItem>(
  picker: vscode.QuickPick<Item>,
): Promise<Item | undefined> {
  const chosen = new Promise<Item | undefined>((resolve) => {
    picker.onDidAccept(() => {
      resolve(picker.selectedItems[0]);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
  });
  picker.show();
  return chosen;
}
