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
  const isOffered = (): boolean => vscode.lm.tools.some(({ name }) => name === declared?.name);
  const recall = async (input: object, token?: vscode.CancellationToken): Promise<string> => {
    const { content } = await vscode.lm.invokeTool("forge_recall", { input, toolInvocationToken: undefined }, token);
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "?")).join("");
  };

  before(async () => {
    const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
    await extension?.activate();
  });
  after(() => share(undefined));

  it("offers one tool, with what it takes and what it is for", async () => {
    assert.ok(await until(() => isOffered() || undefined, 10_000), "the tool is registered");
    const tool = vscode.lm.tools.find(({ name }) => name === "forge_recall");
    assert.deepEqual(
      [tool?.description, tool?.inputSchema, tool?.tags],
      [declared?.modelDescription, declared?.inputSchema, declared?.tags],
    );
  });

  it("looks up in this window's conversation what another extension asks for, when the user allows it", async () => {
    await share("allow");
    const text = await recall({ query: "high water" });
    assert.match(text, /^From the user's conversation in Forge\n/);
    assert.match(text, /Nothing of that was said\. Try other words\.$/);
    assert.match(await recall({ message: 7 }), /There is no message 7/);
  });

  it("gives nothing while the user has not answered", async () => {
    await share("ask");
    const source = new vscode.CancellationTokenSource();
    let end = "waits";
    const asked = recall({ query: "high water" }, source.token).then(
      () => (end = "answered"),
      () => (end = "refused"),
    );
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    assert.notEqual(end, "answered");
    source.cancel();
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 2_000))]);
    assert.notEqual(end, "answered");
  });

  it("refuses, and is not offered, where the user never shares", async () => {
    await share("never");
    await assert.rejects(recall({ query: "high water" }), /does not let other extensions read/);
    assert.ok(await until(() => !isOffered() || undefined, 10_000), "models are not told of it");
    await share(undefined);
    assert.ok(await until(() => isOffered() || undefined, 10_000), "and are again when that is taken back");
  });

  it("follows a link to a message, and none that names nothing", async () => {
    await vscode.commands.executeCommand("forge.showMessage", "no id", 1);
    await vscode.commands.executeCommand("forge.showMessage", undefined, {});
  });
});
