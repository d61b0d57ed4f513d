/** Keeps the editor's text of a file in step with the disk. */

import * as vscode from "vscode";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Result } from "../../../core/result.ts";
import type { ToolFailure } from "../toolFailure.ts";

/** Longest wait for the editor to notice a change on disk, when it is made to reload, and the polling interval. */
const RELOAD_LIMIT_MS = 5_000;
const RELOAD_FORCED_AFTER_MS = 2_000;
const RELOAD_POLL_MS = 100;

/**
 * The editor notices changes on disk only after a while; an edit of a stale document would be lost. Waits for it, and
 * makes it reload where it notices nothing. Unsaved changes of the user take precedence. False where it did not come.
 */
export async function waitUntilShown(
  document: vscode.TextDocument,
  bytesOnDisk: () => Promise<Result<Uint8Array, ToolFailure>>,
  cancel: CancelSignal,
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs <= RELOAD_LIMIT_MS && !cancel.aborted; waitedMs += RELOAD_POLL_MS) {
    const bytes = await bytesOnDisk();
    if (document.isDirty || document.isClosed || (bytes.ok && (await isShown(document, bytes.value)))) return true;
    if (waitedMs === RELOAD_FORCED_AFTER_MS) await reloadFromDisk(document);
    await new Promise((resolve) => setTimeout(resolve, RELOAD_POLL_MS));
  }
  return false;
}

async function isShown(document: vscode.TextDocument, bytes: Uint8Array): Promise<boolean> {
  const { encoding } = document;
  return isSameText(document.getText(), await vscode.workspace.decode(bytes, { encoding }));
}

/** The editor reloads only the active file; without unsaved changes, a revert loses nothing. */
async function reloadFromDisk(document: vscode.TextDocument): Promise<void> {
  const { document: inFront } = await vscode.window.showTextDocument(document, { preview: true });
  if (inFront.isDirty || vscode.window.activeTextEditor?.document !== inFront) return;
  await vscode.commands.executeCommand("workbench.action.files.revert");
}

/** Line ends, the byte order mark and the number of bytes without meaning are not seen in the editor. */
function isSameText(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) =>
    text
      .replace(/\r\n?/g, "\n")
      .replace(/^\ufeff/, "")
      .replace(/\ufffd+/g, "\ufffd"),
  );
  return a === b;
}
