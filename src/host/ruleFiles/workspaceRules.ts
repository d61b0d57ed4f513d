/**
 * Finds the rule files of a workspace, under the names that other tools use. Read only in a trusted workspace while the
 * setting is on; links are not followed.
 */

import path from "node:path";
import * as vscode from "vscode";
import { localize } from "../../protocol/localize.ts";
import type { CurrentSettings } from "../editor/liveSettings.ts";
import { activeSelection, fileUriOf } from "../notebooks/openNotebooks.ts";
import { RULE_FILES } from "../tools/paths/guardedFiles.ts";
import { isReachedWithoutLinks } from "./linkCheck.ts";
import { ruleFilesFor, type RuleFile, type RuleSource } from "./ruleText.ts";

/** Also read in the folders between the active file and the workspace folder. */
const NEAR_THE_FILE = "AGENTS.md";
/** Per file; the rest is cut. */
const MOST_BYTES = 256 * 1024;
/** Most folders checked on the way to the active file. */
const MOST_LEVELS = 12;

interface CachedText {
  readonly stamp: string;
  readonly text: string;
}

/** The rule files of this window. A file found near an active one stays, so that requests keep their prefix. */
export class WorkspaceRules {
  readonly #settings: CurrentSettings;
  readonly #nearbyFiles = new Map<string, { readonly uri: vscode.Uri; readonly name: string }>();
  readonly #cache = new Map<string, CachedText>();

  constructor(settings: CurrentSettings) {
    this.#settings = settings;
  }

  /** The current files for a context window in tokens. */
  async files(contextWindow: number): Promise<readonly RuleFile[]> {
    if (!vscode.workspace.isTrusted || !this.#settings.current.workspaceRules) return [];
    this.#rememberNearby();
    const folders = vscode.workspace.workspaceFolders ?? [];
    const top = folders.flatMap(({ uri, name }) =>
      RULE_FILES.map((file) => ({
        uri: vscode.Uri.joinPath(uri, file),
        name: folders.length > 1 ? `${name}/${file}` : file,
        why: localize("Rules of this workspace"),
      })),
    );
    const nearbyFiles = [...this.#nearbyFiles.values()]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map((file) => ({ ...file, why: localize("Rules of the folder of a file that was open in the editor") }));
    const sources = await Promise.all([...top, ...nearbyFiles].map((file) => this.#source(file)));
    return ruleFilesFor(
      sources.filter((source) => source !== undefined),
      contextWindow,
    );
  }

  #rememberNearby(): void {
    const selected = activeSelection();
    const open = selected === undefined ? undefined : fileUriOf(selected.document.uri);
    const folder = open === undefined ? undefined : vscode.workspace.getWorkspaceFolder(open);
    if (open === undefined || folder?.uri.scheme !== open.scheme) return;
    const parts = open.path.slice(folder.uri.path.length).split("/").slice(1, -1).slice(0, MOST_LEVELS);
    for (let level = 1; level <= parts.length; level++) {
      const below = parts.slice(0, level);
      const uri = vscode.Uri.joinPath(folder.uri, ...below, NEAR_THE_FILE);
      this.#nearbyFiles.set(uri.toString(), { uri, name: [...below, NEAR_THE_FILE].join("/") });
    }
  }

  async #source(file: {
    readonly uri: vscode.Uri;
    readonly name: string;
    readonly why: string;
  }): Promise<RuleSource | undefined> {
    const key = file.uri.toString();
    try {
      const { type, size, mtime } = await vscode.workspace.fs.stat(file.uri);
      const liesElsewhere = type !== vscode.FileType.File || !(await hasNoLinks(file.uri)); // a link may lead anywhere
      if (liesElsewhere) return undefined;
      const stamp = `${mtime} ${size}`;
      const known = this.#cache.get(key);
      const text = known?.stamp === stamp ? known.text : await textOf(file.uri, size);
      this.#cache.set(key, { stamp, text });
      return { name: file.name, why: file.why, text, isCut: size > MOST_BYTES };
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) throw error;
      this.#cache.delete(key); // missing or unreadable
      return undefined;
    }
  }
}

/** On this disk a parent folder may be a link, too; elsewhere the file system says what is one. */
async function hasNoLinks(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== "file") return true;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder !== undefined && isReachedWithoutLinks(folder.uri.fsPath, path.relative(folder.uri.fsPath, uri.fsPath));
}

async function textOf(uri: vscode.Uri, size: number): Promise<string> {
  if (size > 16 * MOST_BYTES) return ""; // no rules: it would be read as a whole first
  const bytes = await vscode.workspace.fs.readFile(uri);
  return new TextDecoder().decode(bytes.subarray(0, MOST_BYTES));
}
