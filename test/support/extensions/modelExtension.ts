/** An extension with a language model, without which the editor's own chat does not work. */

import * as vscode from "vscode";

/** Registers the model and queries it, since the editor loads models only on demand. */
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
