/** Which of the tools registered in the editor models may ask for: the user's own setting. */

import * as vscode from "vscode";

/** Name of the setting without `forge.`. */
const SETTING = "tools.editorTools";

/** Names in the setting that are texts; anything else in it counts as not set. */
export function readEditorToolNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

/** Names of the tools that the user has enabled; a workspace cannot enable any. */
export function enabledEditorToolNames(): readonly string[] {
  return readEditorToolNames(vscode.workspace.getConfiguration("forge").get(SETTING));
}

/** Stores the user's choice in their own settings. */
export async function enableEditorTools(names: readonly string[]): Promise<void> {
  const chosen = names.toSorted();
  await vscode.workspace.getConfiguration("forge").update(SETTING, chosen, vscode.ConfigurationTarget.Global);
}
