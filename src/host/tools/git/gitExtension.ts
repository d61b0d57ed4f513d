/** The API of the built-in git extension, as far as it is used and can be checked. */

import * as vscode from "vscode";
import { thrownText } from "../../../core/errors.ts";
import { ok, type Result } from "../../../core/result.ts";
import { failure, type ToolFailure } from "../toolFailure.ts";

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly originalUri: vscode.Uri;
  /** The extension's `Status` enum. */
  readonly status: number;
}

export interface GitState {
  readonly HEAD:
    { readonly name?: string; readonly commit?: string; readonly ahead?: number; readonly behind?: number } | undefined;
  readonly indexChanges: readonly GitChange[];
  readonly workingTreeChanges: readonly GitChange[];
  readonly mergeChanges: readonly GitChange[];
  readonly untrackedChanges?: readonly GitChange[];
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: GitState;
  /** Refreshes `state`. */
  status(): Promise<void>;
  diffIndexWithHEAD(path: string): Promise<string>;
  diffWith(ref: string, path: string): Promise<string>;
  /** Newest first; rejects without a commit. */
  log?(options: { readonly maxEntries: number; readonly maxParents: number }): Promise<readonly GitCommit[]>;
}

interface GitCommit {
  readonly hash: string;
  readonly parents: readonly string[];
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): {
    readonly repositories: readonly GitRepository[];
    readonly state: string;
    readonly git?: { readonly path?: string };
  };
}

/** Longest wait for the extension to find its repositories. */
const START_LIMIT_MS = 5_000;

/** The repositories of the open folders; the error says why there are none. */
export async function gitRepositories(): Promise<Result<readonly GitRepository[], ToolFailure>> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  if (extension === undefined) return failure("UNAVAILABLE", "The editor's git extension is not installed.");
  try {
    const git = extension.isActive ? extension.exports : await extension.activate();
    if (!git.enabled) {
      return failure("UNAVAILABLE", 'Git is switched off in the editor (setting "git.enabled"), or not installed.');
    }
    const api = git.getAPI(1);
    for (let waited = 0; api.state !== "initialized" && waited < START_LIMIT_MS; waited += 100) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const inWorkspace = api.repositories.filter(({ rootUri }) => touchesWorkspace(rootUri));
    if (inWorkspace.length === 0) return failure("UNAVAILABLE", "No open folder is in a git repository.");
    // By address: the extension has them in the order in which it found them.
    return ok(inWorkspace.toSorted((one, other) => (one.rootUri.toString() < other.rootUri.toString() ? -1 : 1)));
  } catch (error) {
    return failure("UNAVAILABLE", `The editor's git extension does not answer: ${thrownText(error)}`);
  }
}

/** Absolute path of the editor's git; `undefined` if it has none. */
export async function gitProgram(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
  try {
    const git = extension?.isActive === false ? await extension.activate() : extension?.exports;
    return git?.enabled === true ? git.getAPI(1).git?.path : undefined;
  } catch {
    return undefined; // as without git
  }
}

/** Whether a repository is in an open folder, or contains one. */
function touchesWorkspace(root: vscode.Uri): boolean {
  const inside = (outer: vscode.Uri, inner: vscode.Uri): boolean =>
    outer.scheme === inner.scheme && (inner.path === outer.path || inner.path.startsWith(`${outer.path}/`));
  return (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => inside(uri, root) || inside(root, uri));
}
