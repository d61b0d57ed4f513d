/** An extension beside Forge that offers a language model in the editor: the editor's own chat asks nobody without one. */

import * as vscode from "vscode";

/** Registers the model, and has the editor look at it: it does so only when somebody asks. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const about = { name: "Fixture", family: "fixture", version: "1", maxInputTokens: 16_000, maxOutputTokens: 4_000 };
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("forge-fixture", {
      provideLanguageModelChatInformation: () => [{ ...about, id: "fixture", capabilities: { toolCalling: true } }],
      provideLanguageModelChatResponse: (_model, _messages, _options, progress) => {
        progress.report(new vscode.LanguageModelTextPart("The fixture was asked."));
        return Promise.resolve();
      },
      provideTokenCount: (_model, text) => Promise.resolve(typeof text === "string" ? text.length : 1),
    }),
  );
  await vscode.lm.selectChatModels({ vendor: "forge-fixture" });
}
