/** Where a picker's keyboard stands after a button on one of its lines has changed the lines. */

import * as vscode from "vscode";

/** Stays at the line that a button was pressed on, or, where it is gone, at the one that has its place `at` now. */
export function stayInPicker<Item extends vscode.QuickPickItem>(
  picker: vscode.QuickPick<Item>,
  line: { readonly at: number; readonly isSame: (item: Item) => boolean },
): void {
  const { items } = picker;
  const isChoice = (item: Item): boolean => item.kind !== vscode.QuickPickItemKind.Separator;
  const there = items.find(line.isSame) ?? items.slice(Math.max(0, line.at)).find(isChoice) ?? items.findLast(isChoice);
  if (there !== undefined) picker.activeItems = [there];
}
