/** The editor's tools of one window, with the state that outlives a conversation. */

import type * as vscode from "vscode";
import { systemClock } from "../../adapters/node/clock.ts";
import type { Tool } from "../../core/tools/tool.ts";
import type { KeepChanges } from "../checkpoints/keepChange.ts";
import { CommandTerminals } from "./command/commandTerminals.ts";
import { createEditorTools } from "./createEditorTools.ts";
import { ProposedEdits } from "./edit/proposedEdits.ts";
import { enabledEditorToolNames } from "./editor/editorToolSetting.ts";
import { enabledEditorTools } from "./editor/editorTools.ts";
import type { ReportBug } from "./hostTool.ts";
import { EditProblems } from "./problems/editProblems.ts";
import type { EditorProblems } from "./problems/problemReports.ts";
import { editorProblems } from "./problems/editorProblems.ts";

export class WindowTools implements vscode.Disposable {
  readonly proposals = new ProposedEdits();
  readonly terminals = new CommandTerminals();
  readonly #problems: EditProblems;
  readonly #dist: string;
  readonly #reportBug: ReportBug;
  readonly #names: readonly string[];

  /** `dist` is the folder of the bundled files. */
  constructor(dist: string, reportBug: ReportBug, editor: EditorProblems = editorProblems) {
    this.#problems = new EditProblems(editor, systemClock);
    this.#dist = dist;
    this.#reportBug = reportBug;
    this.#names = this.createConversationTools().map(({ definition }) => definition.name);
  }

  /** New tools: they remember which files the conversation's model has seen. Without `keep` they only read. */
  createConversationTools(keep: KeepChanges = keepsNothing): readonly Tool[] {
    return createEditorTools(this.#dist, this.proposals, this.#problems, this.terminals, keep, this.#reportBug);
  }

  /** Tools that are registered in the editor and enabled now; `others` are names already in use. */
  extensionTools(others: readonly string[]): readonly Tool[] {
    return enabledEditorTools(enabledEditorToolNames(), new Set([...this.#names, ...others]), this.#reportBug);
  }

  dispose(): void {
    this.proposals.dispose();
    this.#problems.dispose();
    this.terminals.dispose();
  }
}

const fails = (): Promise<never> => Promise.reject(new Error("nothing is changed outside a conversation"));
const keepsNothing: KeepChanges = { edit: fails, command: fails, commandNote: () => "" };
