/** Which language Forge speaks in this editor. */

import * as vscode from "vscode";

/** The language that Forge has words in and the user reads, such as "de"; `undefined` for its own, English. */
export function languageOfTable(): string | undefined {
  return /bundle\.l10n\.([\w-]+)\.json$/.exec(vscode.l10n.uri?.path ?? "")?.[1];
}
