/** The tools that a model may ask for in this editor. */

import * as vscode from "vscode";
import type { Tool } from "../../core/tools/tool.ts";
import { runCommandTool } from "./command/runCommand.ts";
import type { CommandTerminals } from "./command/terminalCommand.ts";
import { editFileTool } from "./edit/editFile.ts";
import { enabledEditorTools } from "./editor/editorTools.ts";
import { getProblemsTool } from "./editor/getProblems.ts";
import { getSelectionTool } from "./editor/getSelection.ts";
import { SeenFiles, type ToolsEnvironment } from "./environment.ts";
import { findFilesTool } from "./findFiles.ts";
import { gitDiffTool, gitStatusTool } from "./git/gitTools.ts";
import { listFilesTool } from "./listFiles.ts";
import { readFileTool } from "./readFile.ts";
import { searchTextTool } from "./searchText.ts";

/**
 * The tools as things are now, in an order that stays the same. There are none in a workspace that is not trusted: no
 * file of it is read there unless the user adds it. They remember which files the model has seen, so one conversation
 * keeps what it got as long as what is offered does not change.
 */
export function createEditorTools(environment: ToolsEnvironment, terminals: CommandTerminals): readonly Tool[] {
  if (!vscode.workspace.isTrusted) return [];
  const { reportBug } = environment;
  const seen = new SeenFiles();
  const own = [
    readFileTool(environment, seen),
    listFilesTool(environment),
    findFilesTool(environment),
    searchTextTool(environment),
    getProblemsTool(reportBug),
    getSelectionTool(environment),
    gitStatusTool(reportBug),
    gitDiffTool(reportBug),
    editFileTool(environment, seen),
    runCommandTool(environment, terminals),
  ];
  const taken = new Set([...own.map(({ definition }) => definition.name), "recall_history"]);
  return [...own, ...enabledEditorTools(environment.enabledEditorTools(), taken, reportBug)];
}
