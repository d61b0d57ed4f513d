/** Tools in a real extension host, called as a turn calls them. */

import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import manifest from "../../../package.json" with { type: "json" };
import type { Tool, ToolCallView, ToolOutcome } from "../../../src/core/tools/tool.ts";
import { ok, type Result } from "../../../src/core/result.ts";
import type { ChangedFile } from "../../../src/host/checkpoints/fileStates.ts";
import type { KeepChanges } from "../../../src/host/checkpoints/keepChange.ts";
import type { EditorProblems } from "../../../src/host/tools/problems/problemReports.ts";
import { WindowTools } from "../../../src/host/tools/windowTools.ts";

export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "a folder is open");
  return folder.uri.fsPath;
}

export function workspaceUri(relative: string): vscode.Uri {
  return vscode.Uri.file(path.join(workspaceFolder(), relative));
}

/** Edits wait for no language service: the tests of the UI do. */
const NO_PROBLEMS: EditorProblems = {
  openFiles: () => [],
  openFile: () => undefined,
  onDidReport: () => ({ dispose: () => undefined }),
  onDidClose: () => ({ dispose: () => undefined }),
};

/** Tools and their reported bugs. Dispose after use. */
export class HostTools implements vscode.Disposable {
  readonly bugs: unknown[] = [];
  /** Files before and after each edit, as they are kept before it. */
  readonly kept: ChangedFile[] = [];
  readonly window: WindowTools;
  #tools: readonly Tool[];

  constructor() {
    const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
    assert.ok(extension, "Forge is installed");
    const dist = path.join(extension.extensionPath, "dist");
    this.window = new WindowTools(dist, (error) => this.bugs.push(error), NO_PROBLEMS);
    this.#tools = this.window.createConversationTools(this.#keep);
  }

  /** Resets the tools as for a newly opened conversation. */
  forget(): void {
    this.#tools = this.window.createConversationTools(this.#keep);
  }

  readonly #keep: KeepChanges = {
    edit: (_title, file) => {
      this.kept.push(file);
      const correct = (after: Uint8Array | undefined): Promise<Result<void, never>> => {
        this.kept.splice(-1, 1, { ...file, after });
        return Promise.resolve(ok(undefined));
      };
      return Promise.resolve(ok({ correct }));
    },
    commandNote: () => "As it was",
    command: async (_title, run) => ok({ result: await run(), kept: ok(undefined) }),
  };

  /** Callable tools. */
  get all(): readonly Tool[] {
    return [...this.#tools, ...this.window.extensionTools([])];
  }

  /** Description of a call as shown to the user. */
  describe(name: string, input: object): Promise<Result<ToolCallView, string>> {
    return this.#tool(name).describe(JSON.stringify(input));
  }

  /** Describes and runs a call, as if the user allowed it. A call that cannot be described is not run. */
  async run(name: string, input: object, cancel: AbortSignal = new AbortController().signal): Promise<ToolOutcome> {
    const view = await this.describe(name, input);
    if (!view.ok) return { outcome: "error", text: view.error };
    return this.#tool(name).run(JSON.stringify(input), cancel);
  }

  /** Previews a call, and waits for the user's decision in the editor. */
  async preview(name: string, input: object, cancel: AbortSignal): Promise<"allowed" | "denied" | undefined> {
    const { preview } = this.#tool(name);
    assert.ok(preview, `${name} shows what it would do`);
    return preview(JSON.stringify(input), cancel);
  }

  dispose(): void {
    this.window.dispose();
  }

  #tool(name: string): Tool {
    const tool = this.all.find(({ definition }) => definition.name === name);
    assert.ok(tool, `there is a tool ${name}`);
    return tool;
  }
}

/** Adds a line to the test report, since the console of an extension host belongs to the editor. */
export function report(line: string): void {
  const file = process.env["TEST_REPORT_FILE"];
  if (file === undefined) console.log(line);
  else appendFileSync(file, `${line}\n`);
}
