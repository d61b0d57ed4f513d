/** An extension beside Forge that wants to know what was said there, as any extension can ask. */

import * as vscode from "vscode";

/** Registers its one command, which shows what it was told. */
export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand("fixture.recall", async () => {
      const call = { input: { query: "high water" }, toolInvocationToken: undefined };
      const told = await vscode.lm.invokeTool("forge_recall", call).then(
        ({ content }) => content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join(),
        (error: unknown) => `refused: ${error instanceof Error ? error.name : String(error)}`,
      );
      await vscode.window.showInformationMessage(told);
    }),
  );
}
