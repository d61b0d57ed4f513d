/** Texts of lists. The editor draws `$(name)` in them as an icon, whoever wrote it. */

import type * as vscode from "vscode";
import { withoutIcons } from "../../tools/hiddenText.ts";

/** One of Forge's own icons stands before the words. */
const OWN_ICON = /^(?:\$\([a-z-]+\) )?/;

/** The items as they may be given to a list: no icons but one at the beginning of a text. */
export function inList<Item extends vscode.QuickPickItem>(items: readonly Item[]): Item[] {
  return items.map((item) => ({
    ...item,
    label: withOwnIcon(item.label),
    ...(item.description === undefined ? {} : { description: withOwnIcon(item.description) }),
    ...(item.detail === undefined ? {} : { detail: withOwnIcon(item.detail) }),
  }));
}

function withOwnIcon(text: string): string {
  const [icon = ""] = OWN_ICON.exec(text) ?? [];
  return icon + withoutIcons(text.slice(icon.length));
}
