/** Forge in the editor's own chat, and the tool that other extensions' models may call. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import { until } from "../../scripts/vscode/until.ts";
import manifest from "../../package.json" with { type: "json" };

describe("Forge in the editor's chat", () => {
  const [declared] = manifest.contributes.languageModelTools;
  const share = (value: string | undefined): Thenable<void> =>
    vscode.workspace
      .getConfiguration("forge")
      .update("recall.otherExtensions", value, vscode.ConfigurationTarget.Global);
  const offered = (): vscode.LanguageModelToolInformation | undefined =>
    vscode.lm.tools.find(({ name }) => name === declared?.name);
  const recall = async (input: object): Promise<string> => {
    const { content } = await vscode.lm.invokeTool("forge_recall", { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "?")).join("");
  };

  before(async () => {
    const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
    await extension?.activate();
  });
  after(() => share(undefined));

  it("offers one tool with its description, input schema and tags", async () => {
    const tool = await until(offered, 10_000);
    assert.deepEqual(
      [tool?.description, tool?.inputSchema, tool?.tags],
      [declared?.modelDescription, declared?.inputSchema, declared?.tags],
    );
  });

  it("searches this window's conversation for another extension when the user allows it", async () => {
    await share("allow");
    const text = await recall({ query: "high water" });
    assert.match(text, /^From the user's conversation in Forge\n/);
    assert.match(text, /Nothing of that was said\. Try other words\.$/);
    assert.match(await recall({ message: 7 }), /There is no message 7/);
  });

  it("refuses other extensions when the user never shares, whatever the workspace's settings", async () => {
    await share("never");
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder, ".vscode/settings.json");
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from('{"forge.recall.otherExtensions": "allow", "editor.tabSize": 5}'),
    );
    const isRead = (): true | undefined =>
      vscode.workspace.getConfiguration("editor").get("tabSize") === 5 || undefined;
    assert.ok(await until(isRead, 10_000), "the settings of the workspace are read");
    await assert.rejects(recall({ query: "high water" }), /does not let other extensions read/);
    await vscode.workspace.fs.delete(file);
  });

  it("accepts links to messages and ignores those without a valid target", async () => {
    await vscode.commands.executeCommand("forge.showMessage", "no id", 1);
    await vscode.commands.executeCommand("forge.showMessage", undefined, {});
  });
});
