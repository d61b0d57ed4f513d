/** A native picker whose items have buttons that act while it stays open. */

import * as vscode from "vscode";
import { reactivateItem } from "./reactivateItem.ts";
import { inList } from "./inList.ts";

/** A `Choice` closes the picker; `undefined` leaves it open. */
export interface ListOptions<Item extends vscode.QuickPickItem, Choice> {
  readonly title: string;
  readonly placeholder: string;
  /** Called again after each button. */
  readonly items: () => Promise<readonly Item[]>;
  readonly accept: (item: Item) => Choice | undefined;
  readonly press: (item: Item, button: vscode.QuickInputButton) => Promise<Choice | undefined>;
}

/** Resolves to `undefined` when dismissed. */
export async function pickFromList<Item extends vscode.QuickPickItem, Choice>(
  options: ListOptions<Item, Choice>,
): Promise<Choice | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = options.title;
  picker.placeholder = options.placeholder;
  picker.matchOnDescription = true;
  picker.keepScrollPosition = true;
  const fill = async (): Promise<void> => {
    picker.busy = true;
    picker.items = inList(await options.items());
    picker.busy = false;
  };
  try {
    return await new Promise<Choice | undefined>((resolve, reject) => {
      const press = async (item: Item, button: vscode.QuickInputButton): Promise<void> => {
        const choice = await options.press(item, button);
        if (choice !== undefined) {
          resolve(choice);
          return;
        }
        const at = picker.items.indexOf(item);
        await fill();
        reactivateItem(picker, { at, isSame: ({ label }) => label === item.label });
      };
      picker.onDidHide(() => {
        resolve(undefined);
      });
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        const choice = item === undefined ? undefined : options.accept(item);
        if (choice !== undefined) resolve(choice);
      });
      picker.onDidTriggerItemButton(({ item, button }) => {
        press(item, button).catch(reject);
      });
      fill().then(() => {
        picker.show();
      }, reject);
    });
  } finally {
    picker.dispose();
  }
}
