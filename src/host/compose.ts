/** Activation: registers the status bar item, the views and the commands. Everything else is one lazily loaded app. */

import * as vscode from "vscode";
import { setTranslations } from "../protocol/localize.ts";
import type { ForgeApp } from "./app/app.ts";
import { panelSurface, TAB_TYPE, viewSurface } from "./view/chatSurface.ts";
import { translationLanguage } from "./editor/translationLanguage.ts";
import { COMMAND_IDS } from "./editor/commandIds.ts";
import { registerEditorChat } from "./editorChat/registerEditorChat.ts";
import { registerCodeActions } from "./fromEditor/codeActions.ts";
import { lazy } from "./background/lazy.ts";
import { StatusBar } from "./editor/statusBar.ts";

export interface Composition {
  close(): Promise<void>;
}

/** Registers everything that Forge contributes, without loading the app. */
export function compose(context: vscode.ExtensionContext): Composition {
  // First, because modules read their strings when they are loaded.
  setTranslations(vscode.l10n.bundle ?? {}, translationLanguage());
  const statusBar = new StatusBar();
  context.subscriptions.push(statusBar);

  let started: ForgeApp | undefined;
  const app = lazy(async () => {
    const { ForgeApp } = await import("./app/app.ts");
    started = new ForgeApp(context, statusBar);
    context.subscriptions.push(started);
    return started;
  });

  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider("forge.chat", {
      resolveWebviewView: async (view) => {
        (await app()).showIn(viewSurface(view));
      },
    }),
    vscode.window.registerWebviewPanelSerializer(TAB_TYPE, {
      deserializeWebviewPanel: async (panel) => {
        (await app()).showIn(panelSurface(panel));
      },
    }),
    registerCodeActions(),
    ...registerEditorChat(context, async () => (await app()).editorChat),
    ...COMMAND_IDS.map((id) =>
      vscode.commands.registerCommand(id, async (context?: unknown, selected?: unknown) =>
        // In file lists, the editor passes the clicked item first, then all selected ones.
        (await app()).run(id, Array.isArray(selected) ? selected : context),
      ),
    ),
  );
  // The status bar shows the figures of the last conversation; reading them must not delay the editor's start.
  const startup = setTimeout(() => void app().then((forge) => forge.showLastUsage()), 0);
  context.subscriptions.push({
    dispose: () => {
      clearTimeout(startup);
    },
  });
  return { close: async () => started?.close() };
}
