/** `Forge: Choose Tools`: which of the tools registered in the editor models may ask for. */

import * as vscode from "vscode";
import { onOneLine } from "../hiddenText.ts";
import { offeredEditorTools } from "./editorTools.ts";

/** Name of the setting without `forge.`. */
const SETTING = "tools.editorTools";

/** Names in the setting that are texts; anything else in it counts as not set. */
export function readEditorToolNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === "string") : [];
}

/** Names of the tools that the user has enabled; a workspace can not enable any. */
export function enabledEditorToolNames(): readonly string[] {
  return readEditorToolNames(vscode.workspace.getConfiguration("forge").get(SETTING));
}

/** Lets the user choose, and stores the choice in the user's settings. */
export async function chooseTools(): Promise<void> {
  const enabled = enabledEditorToolNames();
  const offered = offeredEditorTools();
  const names = new Set(offered.map(({ name }) => name));
  const absent = enabled.filter((name) => !names.has(name));
  if (offered.length === 0 && absent.length === 0) {
    await vscode.window.showInformationMessage(
      "No extension and no MCP server offers tools in this editor yet. Forge's own tools need not be chosen.",
    );
    return;
  }
  const items: (vscode.QuickPickItem & { readonly name: string })[] = [
    ...offered.map(({ name, description }) => ({
      name,
      label: onOneLine(name),
      detail: onOneLine(description.replaceAll(/\s+/g, " "), 160),
      picked: enabled.includes(name),
    })),
    ...absent.map((name) => ({ name, label: onOneLine(name), detail: "Not there now.", picked: true })),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    matchOnDetail: true,
    title: "Tools of the Editor that Models May Ask For",
    placeHolder: "You are asked before any of them runs",
  });
  if (picked === undefined) return;
  const chosen = picked.map(({ name }) => name).toSorted();
  await vscode.workspace.getConfiguration("forge").update(SETTING, chosen, vscode.ConfigurationTarget.Global);
}
