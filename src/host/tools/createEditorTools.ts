/** The tools that Forge itself offers to models in this editor. */

import type { Tool } from "../../core/tools/tool.ts";
import { runCommandTool } from "./command/runCommand.ts";
import type { CommandTerminals } from "./command/terminalCommand.ts";
import { editFileTool } from "./edit/editFile.ts";
import { getProblemsTool } from "./editor/getProblems.ts";
import { getSelectionTool } from "./editor/getSelection.ts";
import type { ProposedEdits } from "./edit/proposedEdits.ts";
import type { ReportBug } from "./hostTool.ts";
import { SeenFiles } from "./seenFiles.ts";
import { findFilesTool } from "./findFiles.ts";
import { gitDiffTool, gitStatusTool } from "./git/gitTools.ts";
import { listFilesTool } from "./listFiles.ts";
import { readFileTool } from "./readFile.ts";
import { searchTextTool } from "./searchText.ts";

/**
 * The tools for one conversation, in an order that stays the same. They remember which files its model has seen. Which of
 * them are offered, and which calls the user is asked about, is decided where they are called.
 */
export function createEditorTools(
  dist: string,
  proposals: ProposedEdits,
  terminals: CommandTerminals,
  reportBug: ReportBug,
): readonly Tool[] {
  const seen = new SeenFiles();
  return [
    readFileTool(dist, seen, reportBug),
    listFilesTool(dist, reportBug),
    findFilesTool(dist, reportBug),
    searchTextTool(dist, reportBug),
    getProblemsTool(reportBug),
    getSelectionTool(dist, reportBug),
    gitStatusTool(reportBug),
    gitDiffTool(reportBug),
    editFileTool(dist, proposals, seen, reportBug),
    runCommandTool(dist, terminals, reportBug),
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
