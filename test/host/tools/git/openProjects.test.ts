import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { withEditorModule } from "../../../support/editor/editorModule.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";

interface FakeUri {
  readonly scheme: string;
  readonly fsPath: string;
  readonly path: string;
  readonly toString: () => string;
}

function uriOf(fsPath: string, scheme = "file"): FakeUri {
  const toString = (): string => (scheme === "file" ? pathToFileURL(fsPath).href : `${scheme}:${fsPath}`);
  return { scheme, fsPath, path: fsPath, toString };
}

const FIRST = "1".repeat(40);
const workspace = { workspaceFolders: [] as { uri: FakeUri }[], isTrusted: true };
/** Commits that the editor's git lists, by the folder of the repository. */
const commits = new Map<string, readonly { readonly hash: string; readonly parents: readonly string[] }[]>();
let asked = 0;
const api = {
  state: "initialized",
  get repositories() {
    return [...commits].map(([root, listed]) => ({
      rootUri: uriOf(root),
      log: () => {
        asked++;
        return Promise.resolve(listed);
      },
    }));
  },
};
const { OpenProjects } = await withEditorModule(
  "openProjects",
  {
    workspace,
    Uri: { file: (fsPath: string) => uriOf(fsPath) },
    extensions: { getExtension: () => ({ isActive: true, exports: { enabled: true, getAPI: () => api } }) },
  },
  () => import("../../../../src/host/tools/git/openProjects.ts"),
);

describe("OpenProjects", () => {
  let disk: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    disk = temporaryFolder();
    workspace.isTrusted = true;
    commits.clear();
    asked = 0;
  });
  afterEach(() => {
    disk.remove();
  });

  const open = (...folders: readonly string[]): void => {
    workspace.workspaceFolders = folders.map((name) => ({ uri: uriOf(path.join(disk.path, name)) }));
  };
  const repository = (name: string, config: string): string => {
    mkdirSync(path.join(disk.path, name, ".git"), { recursive: true });
    mkdirSync(path.join(disk.path, name, "src"), { recursive: true });
    writeFileSync(path.join(disk.path, name, ".git", "config"), config);
    return path.join(disk.path, name);
  };
  const address = (name: string): string => pathToFileURL(path.join(disk.path, name)).href;

  it("knows a repository by its remotes, without passwords, and a folder of it as the same", async () => {
    repository(
      "a",
      '[remote "up"]\nurl = https://me:secret@b.example/x/y.git\n[remote "o"]\nurl = git@a.example:x/y\n[remote "l"]\nurl = ../z\n',
    );
    open("a", "a/src");
    assert.deepEqual(await new OpenProjects().current(), [
      { remotes: ["a.example/x/y", "b.example/x/y"], folder: address("a") },
    ]);
    assert.equal(asked, 0);
  });

  it("knows a repository without a remote by its first commit, for which git is asked once", async () => {
    const root = repository("a", "[core]\n");
    commits.set(root, [
      { hash: "2".repeat(40), parents: [] },
      { hash: FIRST, parents: [] },
    ]);
    open("a");
    const projects = new OpenProjects();
    const expected = [{ remotes: [], rootCommit: FIRST, folder: address("a") }];
    assert.deepEqual([await projects.current(), await projects.current()], [expected, expected]);
    assert.equal(asked, 1);
  });

  it("takes no other commit for the first one, where the editor's git does not know how to ask", async () => {
    commits.set(repository("a", ""), [{ hash: FIRST, parents: ["2".repeat(40)] }]);
    open("a");
    assert.deepEqual(await new OpenProjects().current(), [{ remotes: [], folder: address("a") }]);
  });

  it("runs no git in a workspace that is not trusted", async () => {
    commits.set(repository("a", ""), [{ hash: FIRST, parents: [] }]);
    open("a");
    workspace.isTrusted = false;
    assert.deepEqual(await new OpenProjects().current(), [{ remotes: [], folder: address("a") }]);
    assert.equal(asked, 0);
  });

  it("knows any other folder by its address", async () => {
    workspace.workspaceFolders = [{ uri: uriOf("/x", "memfs") }, { uri: uriOf(path.join(disk.path, "gone")) }];
    assert.deepEqual(await new OpenProjects().current(), [
      { remotes: [], folder: "memfs:/x" },
      { remotes: [], folder: address("gone") },
    ]);
    workspace.workspaceFolders = [];
    assert.deepEqual(await new OpenProjects().current(), []);
  });
});
