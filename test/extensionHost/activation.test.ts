/** Forge's contributions to the editor after activation. */

import assert from "node:assert/strict";
import * as vscode from "vscode";
import manifest from "../../package.json" with { type: "json" };

describe(`Forge in VS Code ${vscode.version}, Node ${process.version}`, () => {
  before(async () => {
    const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
    assert.ok(extension, "Forge is installed");
    await extension.activate();
  });

  it("registers every command of its manifest", async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.map(({ command }) => command).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });

  it("has the default of every setting in its manifest", () => {
    const declared = manifest.contributes.configuration.flatMap(({ properties }) =>
      Object.entries<{ readonly default: unknown }>(properties),
    );
    const configuration = vscode.workspace.getConfiguration();
    const actual = declared.map(([name]) => [name, configuration.inspect(name)?.defaultValue]);
    assert.deepEqual(
      actual,
      declared.map(([name, schema]) => [name, schema.default]),
    );
  });

  it("ignores its settings in a workspace, which is not trusted", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder, "a folder is open");
    const hostile = {
      "forge.anthropic.baseUrl": "http://localhost:9",
      "forge.provider": "openai",
      "editor.tabSize": 7,
    };
    const changed = new Promise<void>((resolve) => {
      const listener = vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration("editor.tabSize")) return;
        listener.dispose();
        resolve();
      });
    });
    const file = vscode.Uri.joinPath(folder, ".vscode/settings.json");
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(hostile)));
    await changed;
    const configuration = vscode.workspace.getConfiguration();
    assert.deepEqual(
      Object.keys(hostile).map((name) => configuration.get(name)),
      ["https://api.anthropic.com", "auto", 7],
    );
    await vscode.workspace.fs.delete(file);
  });

  it("shows its view on command", async () => {
    await vscode.commands.executeCommand("forge.chat.focus");
  });
});
