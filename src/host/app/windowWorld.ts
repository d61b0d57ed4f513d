/** What all parts of a window stand on: its places, settings, tools and pages. */

import * as vscode from "vscode";
import { systemClock } from "../../adapters/node/clock.ts";
import { ModelRegistry } from "../../core/models/modelRegistry.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { Log } from "../editor/log.ts";
import { startedLog } from "../editor/startedLog.ts";
import type { StatusBar } from "../editor/statusBar.ts";
import { versionOf } from "../editor/versionOf.ts";
import { WindowTools } from "../tools/windowTools.ts";
import type { ChatBackend } from "../view/chatView.ts";
import { ChatViews } from "../view/chatViews.ts";
import { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { LiveSettings } from "./liveSettings.ts";

/** What a window is made from. */
export interface WindowWorldOptions {
  readonly context: vscode.ExtensionContext;
  readonly statusBar: StatusBar;
  /** Stands behind the pages; asked for when one says something. */
  readonly backend: () => ChatBackend;
  /** Hears what the pages are told. */
  readonly listener: (body: ToViewBody) => void;
  readonly bug: (error: unknown) => void;
}

/** What lives as long as the window, whatever conversation is open in it. */
export interface WindowWorld {
  readonly statusBar: StatusBar;
  readonly log: Log;
  readonly registry: ModelRegistry;
  readonly settings: LiveSettings;
  readonly tools: WindowTools;
  readonly documents: ReadOnlyDocuments;
  readonly views: ChatViews;
  /** Tells all pages, and who listens. */
  readonly emit: (body: ToViewBody) => void;
  readonly secrets: vscode.SecretStorage;
  /** The editor's storage for this user. */
  readonly memento: vscode.Memento;
  /** The extension's own folder. */
  readonly storage: string;
  /** The addresses of the window's folders, one a line; empty without any. */
  readonly workspace: string;
  /** Folder of the shipped files. */
  readonly dist: string;
  /** Forge's own version. */
  readonly version: string;
  /** Takes note of something that threw and never should. */
  readonly bug: (error: unknown) => void;
}

/** Puts it together. `log`, `tools` and `documents` are for the caller to dispose of. */
export function createWindowWorld({ context, statusBar, backend, listener, bug }: WindowWorldOptions): WindowWorld {
  const log = startedLog(context);
  const registry = new ModelRegistry();
  const dist = vscode.Uri.joinPath(context.extensionUri, "dist");
  const views = new ChatViews({ dist, clock: systemClock, backend });
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    statusBar,
    log,
    registry,
    settings: new LiveSettings(registry, log),
    tools: new WindowTools(dist.fsPath, bug, views.holdFocus),
    documents: new ReadOnlyDocuments(),
    views,
    emit: (body) => {
      views.post(body);
      listener(body);
    },
    secrets: context.secrets,
    memento: context.globalState,
    storage: context.globalStorageUri.fsPath,
    workspace: folders.map(({ uri }) => uri.toString()).join("\n"),
    dist: dist.fsPath,
    version: versionOf(context.extension),
    bug,
  };
}
