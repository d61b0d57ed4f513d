import * as vscode from "vscode";

/** After a refill, reactivates the item whose button was pressed; if it is gone, the one now at its index `at`. */
export function reactivateItem<Item extends vscode.QuickPickItem>(
  picker: vscode.QuickPick<Item>,
  line: { readonly at: number; readonly isSame: (item: Item) => boolean },
): void {
  const { items } = picker;
  const isChoice = (item: Item): boolean => item.kind !== vscode.QuickPickItemKind.Separator;
  const target =
    items.find(line.isSame) ?? items.slice(Math.max(0, line.at)).find(isChoice) ?? items.findLast(isChoice);
  if (target !== undefined) picker.activeItems = [target];
}
