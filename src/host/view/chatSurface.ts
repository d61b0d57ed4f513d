/** The container of a chat page: the view in the side bar, or an editor tab. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";

export interface ChatSurface {
  readonly webview: vscode.Webview;
  readonly isTab: boolean;
  isVisible(): boolean;
  /** Reveals it; `takesFocus`: and focuses it. */
  show(takesFocus: boolean): void;
  /** `title` is empty while the conversation has none. */
  setTitle(title: string): void;
  /** `undefined` removes the badge. */
  setBadge(badge: vscode.ViewBadge | undefined): void;
  onVisibility(listener: () => void): vscode.Disposable;
  onDispose(listener: () => void): vscode.Disposable;
}

export function viewSurface(view: vscode.WebviewView): ChatSurface {
  return {
    webview: view.webview,
    isTab: false,
    isVisible: () => view.visible,
    show: (takesFocus) => {
      view.show(!takesFocus);
    },
    setTitle: (title) => {
      view.title = title === "" ? localize("Chat") : title;
    },
    setBadge: (badge) => {
      view.badge = badge;
    },
    onVisibility: (listener) => view.onDidChangeVisibility(listener),
    onDispose: (listener) => view.onDidDispose(listener),
  };
}

export function panelSurface(panel: vscode.WebviewPanel): ChatSurface {
  return {
    webview: panel.webview,
    isTab: true,
    isVisible: () => panel.visible,
    show: (takesFocus) => {
      panel.reveal(undefined, !takesFocus);
    },
    setTitle: (title) => {
      panel.title = title === "" ? "Forge" : title;
    },
    setBadge: () => undefined, // tabs have no badge; the side bar and the status bar show it
    onVisibility: (listener) => panel.onDidChangeViewState(listener),
    onDispose: (listener) => panel.onDidDispose(listener),
  };
}

export const TAB_TYPE = "forge.chatTab";

/** Opens a tab in the active editor group; `extension` is the folder of the extension. */
export function openTab(extension: vscode.Uri): ChatSurface {
  const panel = vscode.window.createWebviewPanel(TAB_TYPE, "Forge", vscode.ViewColumn.Active);
  panel.iconPath = vscode.Uri.joinPath(extension, "media", "icon.svg");
  return panelSurface(panel);
}
