/**
 * Handles the user's actions on code and file names in answers. Answers are untrusted: every path is checked as for
 * tools, every edit is a diff to accept or refuse, every command is shown before it runs.
 */

import type { CodeToHost } from "../../protocol/toHost.ts";
import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import type { ToViewBody } from "../../protocol/toView.ts";
import type { ChatViews } from "../view/chatViews.ts";
import type { ReadOnlyDocuments } from "../view/readOnlyDocuments.ts";
import { onOneLine } from "../tools/hiddenText.ts";
import type { WindowTools } from "../tools/windowTools.ts";
import { WorkQueue } from "../../core/workQueue.ts";
import { applyCode } from "./applyCode.ts";
import { insertAtCursor, openAsNewFile } from "./codeInEditor.ts";
import { runCode } from "./runCode.ts";
import { showDiagram } from "./showDiagram.ts";
import { resolveFileNames } from "./workspaceNames.ts";
import { showInformation } from "../editor/boxes/messages.ts";

export class CodeHandler {
  readonly #dist: string;
  readonly #tools: Pick<WindowTools, "proposals">;
  readonly #documents: Pick<ReadOnlyDocuments, "preview">;
  readonly #views: Pick<ChatViews, "restoreFocus">;
  /** One lookup at a time: each starts a thread. */
  readonly #asking = new WorkQueue();

  /** `dist` is the folder of the bundled files. */
  constructor(
    dist: string,
    tools: Pick<WindowTools, "proposals">,
    documents: Pick<ReadOnlyDocuments, "preview">,
    views: Pick<ChatViews, "restoreFocus">,
  ) {
    this.#dist = dist;
    this.#tools = tools;
    this.#documents = documents;
    this.#views = views;
  }

  /** Resolves when done; failures are shown as notifications. */
  async handle(message: CodeToHost, reply: (body: ToViewBody) => void): Promise<void> {
    switch (message.kind) {
      case "findFiles": {
        const found = await this.#asking.run(() => resolveFileNames(this.#dist, message.paths));
        if (found.size > 0) reply({ kind: "files", paths: [...found.keys()] });
        return;
      }
      case "openFile":
        await this.#open(message);
        return;
      case "code":
        await this.#act(message);
    }
  }

  async #act(message: Extract<CodeToHost, { kind: "code" }>): Promise<void> {
    switch (message.act) {
      case "insert":
        await insertAtCursor(message.text);
        return;
      case "newFile":
        await openAsNewFile(message.text, message.language);
        return;
      case "apply":
        await applyCode(message, this.#dist, this.#tools.proposals);
        return;
      case "run":
        await runCode(message, this.#views);
        return;
      case "diagram":
        await showDiagram(message, this.#documents);
    }
  }

  async #open({ path, line, column }: Extract<CodeToHost, { kind: "openFile" }>): Promise<void> {
    const named = (await resolveFileNames(this.#dist, [path])).get(path);
    if (named === undefined) {
      void showInformation(localize("{0} is not in the workspace any more.", onOneLine(path)));
      return;
    }
    const { uri } = named.place;
    if (named.kind === "folder") {
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return;
    }
    const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
    const options = line === 0 ? {} : { selection: new vscode.Range(at, at) };
    // Like a click in the explorer: files that are not text, such as images, open in their own editor.
    await vscode.commands.executeCommand("vscode.open", uri, { preview: true, ...options });
  }
}
