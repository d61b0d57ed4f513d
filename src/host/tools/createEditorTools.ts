/** The tools that Forge itself offers to models in this editor. */

import type { Tool } from "../../core/tools/tool.ts";
import { runCommandTool } from "./command/runCommand.ts";
import type { CommandTerminals } from "./command/terminalCommand.ts";
import { editFileTool } from "./edit/editFile.ts";
import { getProblemsTool } from "./editor/getProblems.ts";
import { getSelectionTool } from "./editor/getSelection.ts";
import { SeenFiles, type ToolsEnvironment } from "./environment.ts";
import { findFilesTool } from "./findFiles.ts";
import { gitDiffTool, gitStatusTool } from "./git/gitTools.ts";
import { listFilesTool } from "./listFiles.ts";
import { readFileTool } from "./readFile.ts";
import { searchTextTool } from "./searchText.ts";

/**
 * The tools for one conversation, in an order that stays the same. They remember which files its model has seen. Which of
 * them are offered, and which calls the user is asked about, is decided where they are called.
 */
export function createEditorTools(environment: ToolsEnvironment, terminals: CommandTerminals): readonly Tool[] {
  const { reportBug } = environment;
  const seen = new SeenFiles();
  return [
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
}

/** Those of them that can do nothing where no folder is open. */
export const NEEDS_FOLDER: ReadonlySet<string> = new Set([
  "read_file",
  "list_files",
  "find_files",
  "search_text",
  "get_problems",
  "git_status",
  "git_diff",
  "edit_file",
  "run_command",
]);
