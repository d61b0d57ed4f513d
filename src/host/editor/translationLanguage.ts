import * as vscode from "vscode";

/** Language of the loaded translations, such as "de"; `undefined` for the built-in English. */
export function translationLanguage(): string | undefined {
  return /bundle\.l10n\.([\w-]+)\.json$/.exec(vscode.l10n.uri?.path ?? "")?.[1];
}
