/** Where a page of the chat stands: in the side bar, or in a tab of the editor. The two differ in nothing else. */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";

/** A place that shows one page. */
export interface ChatSurface {
  readonly webview: vscode.Webview;
  readonly isTab: boolean;
  /** Whether it is in sight now. */
  isVisible(): boolean;
  /** Brings it to the front; `takesFocus`: with the keyboard. */
  show(takesFocus: boolean): void;
  /** Names it; empty while the conversation has no title. */
  setTitle(title: string): void;
  /** Says on its icon that something happened or waits; nothing takes that away. */
  setBadge(badge: vscode.ViewBadge | undefined): void;
  onVisibility(listener: () => void): vscode.Disposable;
  onDispose(listener: () => void): vscode.Disposable;
}

/** The view in the side bar. */
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

/** A tab. */
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
    setBadge: () => undefined, // a tab has none; its neighbour in the side bar, or the indicator, tells
    onVisibility: (listener) => panel.onDidChangeViewState(listener),
    onDispose: (listener) => panel.onDidDispose(listener),
  };
}

/** How a tab is made. */
export const TAB_TYPE = "forge.chatTab";

/** Opens a tab beside the file that is open, or in its place; `extension` is Forge's own folder. */
export function openTab(extension: vscode.Uri): ChatSurface {
  const panel = vscode.window.createWebviewPanel(TAB_TYPE, "Forge", vscode.ViewColumn.Active);
  panel.iconPath = vscode.Uri.joinPath(extension, "media", "icon.svg");
  return panelSurface(panel);
}
