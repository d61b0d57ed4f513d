/**
 * What the reader wants done with code in an answer, and with names of files. An answer is data: every path goes through
 * the door of the tools, every edit of a file is a diff that is accepted or refused, every command is shown before it runs.
 */

import * as vscode from "vscode";
import type { CodeToHost } from "../../protocol/codeView.ts";
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
import { findNamed } from "./workspaceNames.ts";

/** Does it, for one window. */
export class CodeHandler {
  readonly #dist: string;
  readonly #tools: Pick<WindowTools, "proposals" | "terminals">;
  readonly #documents: Pick<ReadOnlyDocuments, "preview">;
  readonly #views: Pick<ChatViews, "giveBackFocus">;
  /** Names are looked up one question after the other, each in a thread of its own. */
  readonly #asking = new WorkQueue();

  /** `dist` is the folder of the shipped files. */
  constructor(
    dist: string,
    tools: Pick<WindowTools, "proposals" | "terminals">,
    documents: Pick<ReadOnlyDocuments, "preview">,
    views: Pick<ChatViews, "giveBackFocus">,
  ) {
    this.#dist = dist;
    this.#tools = tools;
    this.#documents = documents;
    this.#views = views;
  }

  /** Resolves when it is done; what the user has to know is said in a notification. */
  async handle(message: CodeToHost, reply: (body: ToViewBody) => void): Promise<void> {
    switch (message.kind) {
      case "findFiles": {
        const found = await this.#asking.run(() => findNamed(this.#dist, message.paths));
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
        await runCode(message, this.#tools.terminals, this.#views);
        return;
      case "diagram":
        await showDiagram(message, this.#documents);
    }
  }

  async #open({ path, line, column }: Extract<CodeToHost, { kind: "openFile" }>): Promise<void> {
    const named = (await findNamed(this.#dist, [path])).get(path);
    if (named === undefined) {
      void vscode.window.showInformationMessage(localize("{0} is not in the workspace any more.", onOneLine(path)));
      return;
    }
    const { uri } = named.place;
    if (named.kind === "folder") {
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return;
    }
    const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
    const options = line === 0 ? {} : { selection: new vscode.Range(at, at) };
    // As a click in the explorer: files that are no text, such as images, open in their own editor.
    await vscode.commands.executeCommand("vscode.open", uri, { preview: true, ...options });
  }
}
