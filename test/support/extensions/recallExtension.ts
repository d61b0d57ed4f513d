/** An extension that reads Forge's conversation by the public tool. */

import * as vscode from "vscode";

/** Registers a command that shows the tool's result. */
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
