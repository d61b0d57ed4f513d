/** Checks the sources against the rules of `support/architecture.ts`, and those rules against planted breaches. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type SourceFiles, findBreaches } from "./support/architecture.ts";

const project = path.resolve(import.meta.dirname, "..");

function sourceFiles(): SourceFiles {
  const patterns = ["{src,test,scripts,bench}/**/*.{ts,tsx,mts,mjs}", "*.mjs", "src/webview/answer/{code,math}/*.css"];
  const paths = globSync(patterns, { cwd: project }).map((file) => file.replaceAll("\\", "/"));
  return new Map(paths.map((file) => [file, readFileSync(path.join(project, file), "utf8")]));
}

describe("architecture", () => {
  it("is followed by every source file", () => {
    assert.deepEqual(findBreaches(sourceFiles()), []);
  });

  const check = (title: string, planted: Readonly<Record<string, string>>, expected: readonly string[]): void => {
    it(`finds ${title}`, () => {
      assert.deepEqual(findBreaches(new Map(Object.entries(planted))), expected);
    });
  };

  check(
    "nothing in files that follow the rules",
    { "src/core/ids.ts": "export const one = 1;\n", "src/core/turn/turn.ts": 'import "../ids.ts";' },
    [],
  );
  check(
    "texts of others that would be drawn as icons or links",
    {
      "src/host/pickers/one.ts": "await vscode.window.showQuickPick(inList(items), {});\nqueue.items = [];",
      "src/host/pickers/two.ts": "await vscode.window.showQuickPick(\n  items,\n);",
      "src/host/pickers/three.ts": "const picker = createQuickPick();\npicker.items =\n  items;",
      "src/host/pickers/four.ts": "void vscode.window.showErrorMessage(title);",
      "src/host/editor/boxes/messages.ts": "vscode.window.showWarningMessage(text);",
    },
    [
      "src/host/pickers/four.ts shows a message not by boxes/messages.ts",
      "src/host/pickers/three.ts fills a list not by inList",
      "src/host/pickers/two.ts fills a list not by inList",
    ],
  );
  check("a package in the core", { "src/core/ids.ts": 'import fs from "node:fs";' }, [
    "src/core/ids.ts imports node:fs",
  ]);
  check("a type import of a package in the core", { "src/core/ids.ts": 'import type { Uri } from "vscode";' }, [
    "src/core/ids.ts imports vscode",
  ]);
  check("a dynamic import of a package in the core", { "src/core/ids.ts": 'void import("openai");' }, [
    "src/core/ids.ts imports openai",
  ]);
  check(
    "a core file that imports the host",
    { "src/core/ids.ts": 'import "../host/editor/log.ts";', "src/host/editor/log.ts": "" },
    ["src/core/ids.ts imports src/host/editor/log.ts"],
  );
  check(
    "a core import against the folder order",
    { "src/core/models/model.ts": 'import "../turn/turn.ts";', "src/core/turn/turn.ts": "" },
    ["src/core/models/model.ts imports src/core/turn/turn.ts"],
  );
  check(
    "a host import against the folder order",
    {
      "src/host/session/session.ts": 'import "../commands/userCommands.ts";',
      "src/host/commands/userCommands.ts": 'import "../session/session.ts";',
      "src/host/app/app.ts": 'import "../session/session.ts";',
    },
    [
      "cycle: src/host/commands/userCommands.ts > src/host/session/session.ts > src/host/commands/userCommands.ts",
      "src/host/session/session.ts imports src/host/commands/userCommands.ts",
    ],
  );
  check(
    "an adapter that imports another adapter",
    { "src/adapters/openai/client.ts": 'import "../anthropic/client.ts";', "src/adapters/anthropic/client.ts": "" },
    ["src/adapters/openai/client.ts imports src/adapters/anthropic/client.ts"],
  );
  check(
    "an adapter that imports another adapter's library",
    { "src/adapters/openai/client.ts": 'import "@anthropic-ai/sdk";' },
    ["src/adapters/openai/client.ts imports @anthropic-ai/sdk"],
  );
  check(
    "a package whose name only starts like an allowed one",
    { "src/protocol/parse.ts": 'import "valibot-extra";' },
    ["src/protocol/parse.ts imports valibot-extra"],
  );
  check(
    "an import of the HTTP transport outside the providers",
    {
      "src/adapters/http/exchange.ts": "",
      "src/adapters/ollama/client.ts": 'import "../http/exchange.ts";',
      "src/adapters/node/files.ts": 'import "../http/exchange.ts";',
      "src/host/app/app.ts": 'import "../../adapters/http/exchange.ts";',
    },
    [
      "src/adapters/node/files.ts imports src/adapters/http/exchange.ts",
      "src/host/app/app.ts imports src/adapters/http/exchange.ts",
    ],
  );
  check(
    "a webview file that imports the core",
    { "src/webview/state/state.ts": 'import type {} from "../../core/ids.ts";', "src/core/ids.ts": "" },
    ["src/webview/state/state.ts imports src/core/ids.ts"],
  );
  check("a file outside all layers", { "src/helpers.ts": "" }, ["src/helpers.ts belongs to no layer"]);
  check(
    "an import without a file extension",
    { "src/host/editor/log.ts": 'import "./lazy";', "src/host/editor/lazy.ts": "" },
    ["src/host/editor/log.ts imports ./lazy, which is no source file"],
  );
  check(
    "names of files that are made at a second place",
    {
      "src/host/code/runCode.ts": "vscode.workspace.asRelativePath(uri);",
      "src/host/tools/workspaceRoots.ts": "vscode.workspace.getWorkspaceFolder(uri);",
    },
    ["src/host/code/runCode.ts calls asRelativePath, as only src/host/tools/workspaceRoots.ts does"],
  );
  check("a default export", { "src/host/editor/log.ts": "export default class {}" }, [
    "src/host/editor/log.ts has a default export",
  ]);
  check("a barrel file", { "src/host/editor/all.ts": 'export * from "./log.ts";', "src/host/editor/log.ts": "" }, [
    "src/host/editor/all.ts passes on what another file exports",
  ]);
  check(
    "an import cycle, once",
    {
      "src/host/editor/a.ts": 'import "./b.ts";',
      "src/host/editor/b.ts": 'import "./c.ts";',
      "src/host/editor/c.ts": 'import "./a.ts";',
    },
    ["cycle: src/host/editor/a.ts > src/host/editor/b.ts > src/host/editor/c.ts > src/host/editor/a.ts"],
  );
});
