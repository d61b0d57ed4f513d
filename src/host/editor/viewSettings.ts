import * as vscode from "vscode";
import { CHAT_FONT_SETTINGS } from "./chatFont.ts";
import { READ_OUT_SETTINGS } from "./readOutSettings.ts";

/** Calls `changed` when a setting changes that only the look or the reading of the chat depends on. */
export function onViewSettingsChange(changed: () => void): vscode.Disposable {
  const names = [...CHAT_FONT_SETTINGS, ...READ_OUT_SETTINGS];
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (names.some((name) => change.affectsConfiguration(name))) changed();
  });
}
