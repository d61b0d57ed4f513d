/** The projects that this window has open, one for each folder, as conversations know them. */

import * as vscode from "vscode";
import { readGitFolder } from "../../../adapters/node/gitFolder.ts";
import { normalizedRemote } from "../../../core/history/gitRemote.ts";
import { isEqualProject, isRootCommit, type Project } from "../../../core/history/project.ts";
import { gitRepositories } from "./gitExtension.ts";

/** More are open in no window that is about a few projects. */
const MOST_FOLDERS = 50;
/** Repositories that grew together have several first commits. */
const MOST_ROOTS = 100;

export class OpenProjects {
  /** By the address of the repository; a first commit never changes. */
  readonly #rootCommits = new Map<string, string>();

  /** Read anew each time: a remote may have been added meanwhile. */
  async current(): Promise<readonly Project[]> {
    const folders = (vscode.workspace.workspaceFolders ?? []).slice(0, MOST_FOLDERS);
    const projects = await Promise.all(folders.map(({ uri }) => this.#projectOf(uri)));
    return projects.filter((one, index) => projects.findIndex((other) => isEqualProject(one, other)) === index);
  }

  async #projectOf(folder: vscode.Uri): Promise<Project> {
    const git = folder.scheme === "file" ? await readGitFolder(folder.fsPath) : undefined;
    if (git === undefined) return { remotes: [], folder: folder.toString() };
    const root = vscode.Uri.file(git.root).toString();
    const remotes = [...new Set(git.remoteUrls.flatMap((url) => normalizedRemote(url) ?? []))].sort();
    const rootCommit = remotes.length > 0 ? undefined : await this.#rootCommitOf(root);
    return { remotes, ...(rootCommit === undefined ? {} : { rootCommit }), folder: root };
  }

  /** By the editor's git, which runs in trusted workspaces only. */
  async #rootCommitOf(root: string): Promise<string | undefined> {
    const known = this.#rootCommits.get(root);
    if (known !== undefined || !vscode.workspace.isTrusted) return known;
    const repositories = await gitRepositories();
    const repository = repositories.ok && repositories.value.find(({ rootUri }) => rootUri.toString() === root);
    if (repository === false || repository?.log === undefined) return undefined;
    try {
      const commits = await repository.log({ maxEntries: MOST_ROOTS, maxParents: 0 });
      // An older extension does not know the option, and lists the newest commits.
      const first = commits.filter(({ parents }) => parents.length === 0).at(-1)?.hash;
      if (first === undefined || !isRootCommit(first)) return undefined;
      this.#rootCommits.set(root, first);
      return first;
    } catch {
      return undefined; // no commit yet
    }
  }
}
