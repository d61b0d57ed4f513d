/** Entry point that the editor loads; `host/compose.ts` does the work. */

import type * as vscode from "vscode";
import { compose, type Composition } from "./host/compose.ts";

let composition: Composition | undefined;

/** Registers commands and views and returns immediately; everything else loads on first use. */
export function activate(context: vscode.ExtensionContext): void {
  composition = compose(context);
}

/** Closes the open conversation: commits, closes the file, releases the lease. */
export async function deactivate(): Promise<void> {
  await composition?.close();
  composition = undefined;
}
