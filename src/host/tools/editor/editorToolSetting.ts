/** The user's setting for which editor-registered tools models may call. */

import * as vscode from "vscode";

/** Without the prefix `forge.`. */
const SETTING = "tools.editorTools";

export function readEditorToolNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

/** A workspace cannot enable any. */
export function enabledEditorToolNames(): readonly string[] {
  return readEditorToolNames(vscode.workspace.getConfiguration("forge").get(SETTING));
}

/** Writes the user's settings, never the workspace's. */
export async function enableEditorTools(names: readonly string[]): Promise<void> {
  const chosen = names.toSorted();
  await vscode.workspace.getConfiguration("forge").update(SETTING, chosen, vscode.ConfigurationTarget.Global);
}
