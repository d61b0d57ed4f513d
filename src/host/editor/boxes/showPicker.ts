import type * as vscode from "vscode";

/** Shows a picker, which may be filled while it is open, and disposes of it when it closes. `undefined`: dismissed. */
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
