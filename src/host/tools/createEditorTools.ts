/** Forge's own tools for models in this editor. */

import type { Tool } from "../../core/tools/tool.ts";
import type { KeepChanges } from "../checkpoints/keepChange.ts";
import { runCommandTool } from "./command/runCommand.ts";
import type { CommandTerminals } from "./command/commandTerminals.ts";
import { editFileTool } from "./edit/editFile.ts";
import { getProblemsTool } from "./editor/getProblems.ts";
import { getSelectionTool } from "./editor/getSelection.ts";
import type { ProposedEdits } from "./edit/proposedEdits.ts";
import type { ReportBug } from "./hostTool.ts";
import type { EditProblems } from "./problems/editProblems.ts";
import { SeenFiles } from "./seenFiles.ts";
import { findFilesTool } from "./findFiles.ts";
import { gitDiffTool, gitStatusTool } from "./git/gitTools.ts";
import { listFilesTool } from "./listFiles.ts";
import { readFileTool } from "./readFile.ts";
import { searchTextTool } from "./searchText.ts";

/**
 * The tools of one conversation, in a fixed order. They share a record of the files that its model has seen. Callers
 * decide which ones are offered, and which calls need approval.
 */
export function createEditorTools(
  dist: string,
  proposals: ProposedEdits,
  problems: EditProblems,
  terminals: CommandTerminals,
  keep: KeepChanges,
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
    editFileTool(dist, proposals, problems, seen, keep, reportBug),
    runCommandTool(dist, terminals, keep, reportBug),
  ];
}

/** Tools that do nothing without an open folder. */
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
