/** Used part of the module `vscode`, injected so that tests can replace it. */

import type * as vscode from "vscode";

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
