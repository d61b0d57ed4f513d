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
import { type Place, placeAt, placeOfUri, rootPlaces } from "../tools/workspaceRoots.ts";
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
  /** Addresses. */
  readonly #nearbyFiles = new Set<string>();
  readonly #cache = new Map<string, CachedText>();

  constructor(settings: CurrentSettings) {
    this.#settings = settings;
  }

  /** The current files for a context window in tokens. */
  async files(contextWindow: number): Promise<readonly RuleFile[]> {
    if (!vscode.workspace.isTrusted || !this.#settings.current.workspaceRules) return [];
    this.#rememberNearby();
    const top = rootPlaces().flatMap((folder) =>
      RULE_FILES.map((file) => ({ place: placeAt(folder, file), why: localize("Rules of this workspace") })),
    );
    const nearbyFiles = [...this.#nearbyFiles]
      .flatMap((uri) => placeOfUri(vscode.Uri.parse(uri)) ?? [])
      .sort((one, other) => (one.shown < other.shown ? -1 : 1))
      .map((place) => ({
        place,
        why: localize("Rules of the folder of a file that was open in the editor"),
      }));
    const sources = await Promise.all([...top, ...nearbyFiles].map((file) => this.#source(file)));
    return ruleFilesFor(
      sources.filter((source) => source !== undefined),
      contextWindow,
    );
  }

  #rememberNearby(): void {
    const selected = activeSelection();
    const open = selected === undefined ? undefined : fileUriOf(selected.document.uri);
    const place = open === undefined ? undefined : placeOfUri(open);
    if (place === undefined) return;
    const parts = place.relative.split("/").slice(0, -1).slice(0, MOST_LEVELS);
    for (let level = 1; level <= parts.length; level++) {
      const near = placeAt(place, [...parts.slice(0, level), NEAR_THE_FILE].join("/"));
      this.#nearbyFiles.add(near.uri.toString());
    }
  }

  async #source(file: { readonly place: Place; readonly why: string }): Promise<RuleSource | undefined> {
    const { uri, shown } = file.place;
    const key = uri.toString();
    try {
      const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
      const liesElsewhere = type !== vscode.FileType.File || !(await hasNoLinks(file.place)); // a link may lead anywhere
      if (liesElsewhere) return undefined;
      const stamp = `${mtime} ${size}`;
      const known = this.#cache.get(key);
      const text = known?.stamp === stamp ? known.text : await textOf(uri, size);
      this.#cache.set(key, { stamp, text });
      return { name: shown, why: file.why, text, isCut: size > MOST_BYTES };
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) throw error;
      this.#cache.delete(key); // missing or unreadable
      return undefined;
    }
  }
}

/** On this disk a parent folder may be a link, too; elsewhere the file system says what is one. */
async function hasNoLinks({ root, relative }: Place): Promise<boolean> {
  return root.folderPath === undefined || isReachedWithoutLinks(root.folderPath, path.normalize(relative));
}

async function textOf(uri: vscode.Uri, size: number): Promise<string> {
  if (size > 16 * MOST_BYTES) return ""; // no rules: it would be read as a whole first
  const bytes = await vscode.workspace.fs.readFile(uri);
  return new TextDecoder().decode(bytes.subarray(0, MOST_BYTES));
}
