/** What is there from the first moment: the indicator, the view and the commands. The rest is one lazily loaded app. */

import * as vscode from "vscode";
import { useTranslations } from "../protocol/localize.ts";
import type { ForgeApp } from "./app/app.ts";
import { panelSurface, TAB_TYPE, viewSurface } from "./view/chatSurface.ts";
import { languageOfTable } from "./editor/languageOfTable.ts";
import { COMMAND_IDS } from "./editor/commandIds.ts";
import { registerEditorChat } from "./editorChat/registerEditorChat.ts";
import { registerCodeActions } from "./fromEditor/codeActions.ts";
import { lazy } from "./background/lazy.ts";
import { StatusBar } from "./editor/statusBar.ts";

/** What was registered; `close` ends it in good order. */
export interface Composition {
  close(): Promise<void>;
}

/** Registers everything that Forge contributes. Reads nothing and starts nothing. */
export function compose(context: vscode.ExtensionContext): Composition {
  // First: modules that are loaded from here on read their words as they load.
  useTranslations(vscode.l10n.bundle ?? {}, languageOfTable());
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
        // In its lists of files the editor says behind what was clicked all that is selected.
        (await app()).run(id, Array.isArray(selected) ? selected : context),
      ),
    ),
  );
  // The indicator shows the figures of the last conversation; finding them must not delay the editor's start.
  const startup = setTimeout(() => void app().then((forge) => forge.showLastUsage()), 0);
  context.subscriptions.push({
    dispose: () => {
      clearTimeout(startup);
    },
  });
  return { close: async () => started?.close() };
}
