/** The editor's tools of one window: what they share, whatever conversation is open. */

import type * as vscode from "vscode";
import type { Tool } from "../../core/tools/tool.ts";
import { CommandTerminals } from "./command/terminalCommand.ts";
import { createEditorTools } from "./createEditorTools.ts";
import { ProposedEdits } from "./edit/proposedEdits.ts";
import { enabledEditorToolNames } from "./editor/enabledTools.ts";
import { enabledEditorTools } from "./editor/editorTools.ts";
import type { ReportBug } from "./hostTool.ts";

/** Makes tools, and keeps what they need longer than a conversation is open. */
export class WindowTools implements vscode.Disposable {
  readonly proposals = new ProposedEdits();
  /** Where commands run that the user agreed to. */
  readonly terminals = new CommandTerminals();
  readonly #dist: string;
  readonly #reportBug: ReportBug;
  readonly #names: readonly string[];

  /** `dist` is the folder of the shipped files. */
  constructor(dist: string, reportBug: ReportBug) {
    this.#dist = dist;
    this.#reportBug = reportBug;
    this.#names = this.ofConversation().map(({ definition }) => definition.name);
  }

  /** New ones for a conversation: they remember what its model has seen. */
  ofConversation(): readonly Tool[] {
    return createEditorTools(this.#dist, this.proposals, this.terminals, this.#reportBug);
  }

  /** Those that are registered in the editor and enabled now; `others` are names that are given already. */
  registered(others: readonly string[]): readonly Tool[] {
    return enabledEditorTools(enabledEditorToolNames(), new Set([...this.#names, ...others]), this.#reportBug);
  }

  dispose(): void {
    this.proposals.dispose();
    this.terminals.dispose();
  }
}
