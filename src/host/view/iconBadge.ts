/**
 * A view that is never shown. The editor counts its badge on the icon of Forge, also before the chat was opened there:
 * the chat's own view carries a badge only from then on.
 */

import * as vscode from "vscode";
import type { IconBadge } from "./chatViews.ts";

export function createIconBadge(): IconBadge & { dispose(): void } {
  const view = vscode.window.createTreeView<never>("forge.waiting", {
    treeDataProvider: { getChildren: () => [], getTreeItem: (item) => item },
  });
  return {
    setBadge: (badge) => {
      view.badge = badge;
    },
    dispose: () => {
      view.dispose();
    },
  };
}
