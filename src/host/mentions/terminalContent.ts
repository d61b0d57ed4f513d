/**
 * Reads what a terminal shows, as a message part. The editor gives it out only through the clipboard, which is
 * restored.
 */

import * as vscode from "vscode";
import type { AddedPart } from "../../core/journal/addedParts.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { WorkQueue } from "../../core/workQueue.ts";
import { localize } from "../../protocol/localize.ts";
import { sanitizeText, dataText } from "../tools/resultText.ts";

/** The last lines of a terminal that are added. */
const MOST_TERMINAL_LINES = 500;

/** One at a time: a second reader would take the first one's copy for the clipboard to restore. */
const reading = new WorkQueue();

/** All that the active terminal shows; with `isSelected`, its selection unless that is empty. */
export function terminalContent(isSelected = false): Promise<Result<AddedPart, string>> {
  return reading.run(() => contentNow(isSelected));
}

async function contentNow(isSelected: boolean): Promise<Result<AddedPart, string>> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return err(localize("No terminal is open."));
  const held = await vscode.env.clipboard.readText();
  let [selected, shown] = ["", ""];
  try {
    if (isSelected) selected = await copyFromTerminal("copySelection");
    if (selected.trim() === "") shown = await copyFromTerminal("selectAll", "copySelection", "clearSelection");
  } finally {
    await vscode.env.clipboard.writeText(held);
  }
  const text = (shown || selected).trimEnd();
  if (text === "") return err(localize("The terminal shows nothing."));
  const lines = text.split("\n");
  const clean = sanitizeText(lines.slice(-MOST_TERMINAL_LINES).join("\n"));
  const heading =
    shown === "" ? `What is selected in the terminal "${terminal.name}"` : `What the terminal "${terminal.name}" shows`;
  const left = lines.length - MOST_TERMINAL_LINES;
  const notes = left > 0 ? [`${String(left)} earlier lines are left out.`] : [];
  return ok({
    kind: "attachment",
    label: "Terminal",
    text: dataText({ heading, body: clean.text, changes: clean, notes }),
  });
}

/** The clipboard after the terminal commands `acts`. */
async function copyFromTerminal(...terminalCommands: readonly string[]): Promise<string> {
  await vscode.env.clipboard.writeText("");
  for (const act of terminalCommands) await vscode.commands.executeCommand(`workbench.action.terminal.${act}`);
  return vscode.env.clipboard.readText();
}
