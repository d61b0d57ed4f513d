/** Where the editor comes in. What happens is in `host/compose.ts`. */

import type * as vscode from "vscode";
import { compose, type Composition } from "./host/compose.ts";

let composition: Composition | undefined;

/** Registers what Forge offers and returns at once; everything else is loaded when it is first needed. */
export function activate(context: vscode.ExtensionContext): void {
  composition = compose(context);
}

/** Lets go of the open conversation: commits, closes the file, frees the lease. */
export async function deactivate(): Promise<void> {
  await composition?.close();
  composition = undefined;
}
