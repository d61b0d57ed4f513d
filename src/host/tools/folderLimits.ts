/**
 * Limits of the open folders: nothing runs in a virtual file system, git does not know it, and a read-only
 * one is not changed. Models are told with the tools, users where they choose tools and are asked about calls.
 */

import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import { isolated } from "../../protocol/rightToLeft.ts";
import { onOneLine } from "./hiddenText.ts";
import { type WorkspaceRoot, workspaceRoots } from "./workspaceRoots.ts";

type Need = "disk" | "writable";

/** Needs of tools in a folder; the others work in every one. */
const NEEDS: ReadonlyMap<string, Need> = new Map([
  ["run_command", "disk"],
  ["git_status", "disk"],
  ["git_diff", "disk"],
  ["edit_file", "writable"],
]);

/** For the tool's description; empty where it works in every open folder. */
export function limitNote(tool: string): string {
  const limit = limitOf(tool);
  if (limit === undefined) return "";
  const { need, without, others } = limit;
  const lacks = need === "disk" ? "not on this machine's disk" : "on a read-only file system";
  if (others.length === 0) return ` It does not work now: the workspace is ${lacks}.`;
  return ` It works in: ${others.join(", ")}. It does not work in: ${without.join(", ")} (${lacks}).`;
}

/** For the user's list of tools; undefined where the tool works in every open folder. */
export function limitWords(tool: string): string | undefined {
  const limit = limitOf(tool);
  if (limit === undefined) return undefined;
  const names = limit.without.map((name) => isolated(onOneLine(name))).join(", ");
  if (limit.need === "disk") return localize("not in {0}, as it is not on this machine’s disk", names);
  return localize("not in {0}, as its file system is read-only", names);
}

/**
 * True if it needs the disk, and all open folders are elsewhere. Changes with the open folders alone: that a file system
 * is read-only may be known only later.
 */
export function worksInNoFolder(tool: string): boolean {
  const limit = limitOf(tool);
  return limit?.need === "disk" && limit.others.length === 0;
}

/** Why nothing can run in a folder that is not on the disk, and where it can. */
export function notOnDisk({ name }: WorkspaceRoot): string {
  const others = limitOf("run_command")?.others ?? [];
  const what = workspaceRoots().length > 1 ? `The folder ${name}` : "The workspace";
  const where = others.length === 0 ? "" : ` Commands run in: ${others.join(", ")}.`;
  return `${what} is not on this machine's disk, so no command can run in it.${where}`;
}

export function isReadOnlyFileSystem({ uri }: WorkspaceRoot): boolean {
  return vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false;
}

interface Limit {
  readonly need: Need;
  /** Names of the folders in which the tool does not work; of those in which it does. */
  readonly without: readonly string[];
  readonly others: readonly string[];
}

function limitOf(tool: string): Limit | undefined {
  const need = NEEDS.get(tool);
  if (need === undefined) return undefined;
  const roots = workspaceRoots();
  const lacks = (root: WorkspaceRoot): boolean =>
    need === "disk" ? root.folderPath === undefined : isReadOnlyFileSystem(root);
  const without = roots.filter(lacks).map(({ name }) => name);
  const others = roots.filter((root) => !lacks(root)).map(({ name }) => name);
  return without.length === 0 ? undefined : { need, without, others };
}
