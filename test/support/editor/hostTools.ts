/** The editor's tools inside a real extension host, called as a turn calls them. */

import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import manifest from "../../../package.json" with { type: "json" };
import type { Tool, ToolCallView, ToolOutcome } from "../../../src/core/tools/tool.ts";
import type { Result } from "../../../src/core/result.ts";
import { WindowTools } from "../../../src/host/tools/windowTools.ts";

/** The workspace's folder on disk. */
export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "a folder is open");
  return folder.uri.fsPath;
}

/** A file of the workspace. */
export function workspaceUri(relative: string): vscode.Uri {
  return vscode.Uri.file(path.join(workspaceFolder(), relative));
}

/** Tools with what was reported of them; to be disposed. */
export class HostTools implements vscode.Disposable {
  readonly bugs: unknown[] = [];
  readonly window: WindowTools;
  #tools: readonly Tool[];

  constructor() {
    const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
    assert.ok(extension, "Forge is installed");
    this.window = new WindowTools(path.join(extension.extensionPath, "dist"), (error) => this.bugs.push(error));
    this.#tools = this.window.createConversationTools();
  }

  /** As for a conversation that has just been opened. */
  forget(): void {
    this.#tools = this.window.createConversationTools();
  }

  /** What may be called. */
  get all(): readonly Tool[] {
    return [...this.#tools, ...this.window.extensionTools([])];
  }

  /** What the user would be told. */
  describe(name: string, input: object): Promise<Result<ToolCallView, string>> {
    return this.#tool(name).describe(JSON.stringify(input));
  }

  /** Describes and runs, as when the user agrees; a call that cannot be described is not run. */
  async run(name: string, input: object, cancel: AbortSignal = new AbortController().signal): Promise<ToolOutcome> {
    const view = await this.describe(name, input);
    if (!view.ok) return { outcome: "error", text: view.error };
    return this.#tool(name).run(JSON.stringify(input), cancel);
  }

  /** Shows what a call would do, and waits for the user's word in the editor. */
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

/** Adds a line to the report of the tests: in an extension host the console belongs to the editor. */
export function report(line: string): void {
  const file = process.env["TEST_REPORT_FILE"];
  if (file === undefined) console.log(line);
  else appendFileSync(file, `${line}\n`);
}
