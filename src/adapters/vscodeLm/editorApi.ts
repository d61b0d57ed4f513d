/** The part of the editor's API that is used. It is handed in, so that tests can stand in for it. */

import type * as vscode from "vscode";

/** The module `vscode` is one. */
export type EditorApi = Pick<
  typeof vscode,
  | "CancellationTokenSource"
  | "LanguageModelChatMessage"
  | "LanguageModelDataPart"
  | "LanguageModelTextPart"
  | "LanguageModelToolCallPart"
  | "LanguageModelToolResultPart"
> & {
  readonly env: Pick<typeof vscode.env, "appName">;
  readonly lm: Pick<typeof vscode.lm, "selectChatModels">;
};
