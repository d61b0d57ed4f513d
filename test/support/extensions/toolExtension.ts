/** An extension with language model tools. */

import * as vscode from "vscode";

export function activate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.lm.registerTool<{ readonly words: string }>("fixture_echo", {
      invoke: ({ input }) =>
        new vscode.LanguageModelToolResult([
          new vscode.LanguageModelTextPart(`${input.words}, AKIAIOSFODNN7EXAMPLE`),
          vscode.LanguageModelDataPart.json({ n: 1 }),
          vscode.LanguageModelDataPart.image(new Uint8Array(12), "image/png"),
        ]),
    }),
    vscode.lm.registerTool("fixture_fail", {
      invoke: () => Promise.reject(new Error("no luck with ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG")),
    }),
    vscode.lm.registerTool("fixture_hang", {
      invoke: () => {
        process.env["FORGE_TEST_HANGS"] = "yes"; // the tests run in the same process
        return new Promise(() => undefined);
      },
    }),
  );
}
