/** Names of files and folders: what one part of Forge gives, every other takes, for each kind of workspace. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Tool } from "../../../src/core/tools/tool.ts";
import type { Mention } from "../../../src/host/mentions/mention.ts";
import { nameWithLines, pathMention } from "../../../src/host/mentions/namedFiles.ts";
import { fileNameFromLink, wholeFileName } from "../../../src/webview/answer/fileNames.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { Uri } from "../../support/editor/fakeUri.ts";
import { writeFiles } from "../../support/filesOnDisk.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";
import { NO_PAST_CONVERSATIONS } from "../../support/editor/noPastConversations.ts";

const base = temporaryFolder();
const dist = path.join(base.path, "dist");
const disk = path.join(base.path, "w");

interface Folder {
  readonly name: string;
  readonly uri: Uri;
  readonly index: number;
}
let folders: readonly Folder[] = [];
/** Files that the editor shows: problems and tabs are of these. */
let shown: readonly Uri[] = [];
const inside = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(`${outer}/`);
const folderAround = (uri: Uri): Folder | undefined =>
  folders
    .filter((folder) => folder.uri.scheme === uri.scheme && inside(folder.uri.path, uri.path))
    .toSorted((one, other) => other.uri.path.length - one.uri.path.length)[0];

/** Files of the virtual file system, by path. */
const far = new Map([
  ["/", 2],
  ["/src", 2],
  ["/src/a.ts", 1],
  ["/src/100% #1 [x].ts", 1],
]);
const nothing = { dispose: () => undefined };
const never = (): object => nothing;
class Tab {
  readonly uri: Uri;
  constructor(uri: Uri) {
    this.uri = uri;
  }
}
const repository = {
  get rootUri() {
    return folders[0]?.uri;
  },
  status: () => Promise.resolve(),
  diffWith: (_ref: string, at: string) => {
    const own = JSON.stringify(path.basename(at)).slice(1, -1);
    return Promise.resolve(
      `diff --git "i/${own}" "w/${own}"\nindex 1..2\n--- "i/${own}"\n+++ "w/${own}"\n@@ -1 +1 @@\n-a\n+b`,
    );
  },
  get state() {
    const changes = shown.map((uri) => ({ uri, originalUri: uri, status: 5 }));
    return {
      HEAD: { name: "trunk", commit: "12" },
      indexChanges: [],
      mergeChanges: [],
      workingTreeChanges: changes,
    };
  },
};
const git = { enabled: true, getAPI: () => ({ repositories: [repository], state: "initialized" }) };
const editor = {
  Uri,
  TabInputText: Tab,
  TabInputNotebook: class extends Tab {},
  TabInputTextDiff: class extends Tab {},
  SymbolInformation: class extends Tab {},
  Disposable: { from: never },
  FileSystemError: Error,
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  FilePermission: { Readonly: 1 },
  CancellationTokenSource: class {
    readonly token = { isCancellationRequested: false };
    cancel(): void {
      this.token.isCancellationRequested = true;
    }
    dispose = never;
  },
  commands: { executeCommand: () => Promise.resolve([]) },
  extensions: { getExtension: () => ({ isActive: true, exports: git }) },
  languages: {
    getDiagnostics: () =>
      shown.map((uri) => [uri, [{ message: "odd", severity: 0, range: { start: { line: 0, character: 0 } } }]]),
  },
  window: {
    get tabGroups() {
      return { all: [{ tabs: shown.map((uri) => ({ input: new Tab(uri), label: "", isDirty: false })) }] };
    },
  },
  workspace: {
    isTrusted: true,
    get workspaceFolders() {
      return folders;
    },
    getWorkspaceFolder: folderAround,
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
    createFileSystemWatcher: () => ({ ...nothing, onDidCreate: never, onDidChange: never, onDidDelete: never }),
    onDidChangeWorkspaceFolders: never,
    onDidChangeConfiguration: never,
    notebookDocuments: [],
    textDocuments: [],
    findFiles: () => Promise.resolve([]),
    fs: {
      isWritableFileSystem: () => true,
      stat: ({ scheme, path: at }: Uri) => {
        const type = scheme === "file" ? 1 : far.get(at);
        return type === undefined
          ? Promise.reject(new Error("gone"))
          : Promise.resolve({ type, size: 30, mtime: 1, ctime: 1 });
      },
      readDirectory: ({ path: at }: Uri) => {
        const names = [...far].filter(([each]) => each !== "/" && path.posix.dirname(each) === at);
        return Promise.resolve(names.map(([each, type]) => [path.posix.basename(each), type]));
      },
      readFile: ({ scheme, path: at }: Uri) => Promise.resolve(Buffer.from(`needle far:${at} ${scheme}\n`)),
    },
  },
};

interface Loaded {
  readonly tools: readonly Tool[];
  readonly content: (name: string) => Promise<readonly unknown[]>;
  readonly resolved: (name: string) => Promise<string | undefined>;
  /** Files in the menu, once there are `count`. */
  readonly mentioned: (query: string, count: number) => Promise<readonly string[]>;
  readonly rules: () => Promise<readonly string[]>;
  readonly sent: (uri: Uri) => string;
}

const NEVER = new AbortController().signal;

/** All producers and consumers of names, on one fake of the editor. */
async function loadAll(): Promise<Loaded> {
  const [{ createEditorTools }, mentions, { MentionFinder }, { resolveFileNames }, { WorkspaceRules }, roots] =
    await Promise.all([
      import("../../../src/host/tools/createEditorTools.ts"),
      import("../../../src/host/mentions/mentionContent.ts"),
      import("../../../src/host/mentions/mentionFinder.ts"),
      import("../../../src/host/code/workspaceNames.ts"),
      import("../../../src/host/ruleFiles/workspaceRules.ts"),
      import("../../../src/host/tools/workspaceRoots.ts"),
    ]);
  const unused: unknown = {};
  const keep = { commandNote: () => "", edit: unused as never, command: unused as never };
  const tools = createEditorTools(dist, unused as never, unused as never, unused as never, keep, (bug) => {
    throw bug;
  });
  const asks = <T>(question: () => Promise<T>): Promise<T> => question();
  return {
    tools,
    content: async (name) => {
      const read = await mentions.fileContent(name, { tools, cancel: NEVER, asks });
      const { label, text } = { label: "", text: read.ok ? "" : read.error, ...(read.ok ? read.value : {}) };
      return [label, idIn(text)];
    },
    resolved: async (name) => (await resolveFileNames(dist, [name])).get(name)?.place.uri.toString(),
    mentioned: async (query, count) => {
      const finder = new MentionFinder(dist, NO_PAST_CONVERSATIONS);
      try {
        for (;;) {
          let found: readonly Mention[] = [];
          await finder.find(query, NEVER, ({ mentions: some }) => (found = some));
          const files = found.flatMap(({ kind, path: at }) =>
            kind === "file" && at?.endsWith(".ts") === true ? [at] : [],
          );
          if (files.length >= count) return files;
        }
      } finally {
        finder.dispose();
      }
    },
    rules: async () => {
      const settings = { current: { workspaceRules: true } };
      return (await new WorkspaceRules(settings as never).files(100_000)).map(({ label }) => label);
    },
    sent: (uri) => roots.pathOrName(uri as never),
  };
}

/** The content of a file says which it is. */
function idIn(text: string): string {
  return /needle (\S+:.*?)(?: file| forge-memory)?$/m.exec(text)?.[1] ?? text;
}

/** A workspace: folders by name and place, and all of its files: name, and file as scheme-free path. */
interface Case {
  readonly title: string;
  readonly folders: readonly (readonly [name: string, at: string])[];
  readonly files: Readonly<Record<string, string>>;
  readonly folderNames: readonly string[];
  /** The name, and what is said of it. */
  readonly missing: readonly [name: string, words: string];
  readonly notes: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: "one folder",
    folders: [["app", "one/app"]],
    files: { "src/a.ts": "one/app/src/a.ts", "src/100% #1 [x].ts": "one/app/src/100% #1 [x].ts" },
    folderNames: ["src"],
    missing: ["src/gone.ts", "NOT_FOUND: There is no src/gone.ts."],
    notes: [],
  },
  {
    title: "three folders",
    folders: [
      ["app", "one/app"],
      ["학점 계산", "two/학점 계산"],
      ["doc", "three/doc"],
    ],
    files: {
      "app/src/a.ts": "one/app/src/a.ts",
      "app/src/100% #1 [x].ts": "one/app/src/100% #1 [x].ts",
      "학점 계산/a.ts": "two/학점 계산/a.ts",
      "doc/a b.ts": "three/doc/a b.ts",
    },
    folderNames: ["app", "학점 계산", "doc"],
    missing: ["doc/src/gone.ts", "NOT_FOUND: There is no doc/src/gone.ts."],
    notes: [],
  },
  {
    title: "folders of equal names, one named like a numbered one",
    folders: [
      ["app", "one/app"],
      ["app (2)", "three/doc"],
      ["app", "four/app"],
    ],
    files: {
      "app/src/a.ts": "one/app/src/a.ts",
      "app/src/100% #1 [x].ts": "one/app/src/100% #1 [x].ts",
      "app (2)/a b.ts": "three/doc/a b.ts",
      "app (3)/src/a.ts": "four/app/src/a.ts",
    },
    folderNames: ["app", "app (2)", "app (3)"],
    missing: ["app (3)/gone.ts", "NOT_FOUND: There is no app (3)/gone.ts."],
    notes: [],
  },
  {
    title: "a folder inside of another one",
    folders: [
      ["app", "five/app"],
      ["lib", "five/app/packages/lib"],
    ],
    files: { "app/a.ts": "five/app/a.ts", "lib/a.ts": "five/app/packages/lib/a.ts" },
    folderNames: ["app", "lib"],
    missing: ["lib/gone.ts", "NOT_FOUND: There is no lib/gone.ts."],
    notes: [],
  },
  {
    title: "a folder that is gone",
    folders: [
      ["gone", "nowhere/gone"],
      ["doc", "three/doc"],
    ],
    files: { "doc/a b.ts": "three/doc/a b.ts" },
    folderNames: ["gone", "doc"],
    missing: ["gone/a.ts", "NOT_FOUND: There is no gone/a.ts."],
    notes: ["Not searched, as the folder is not there: gone."],
  },
  {
    title: "a virtual folder",
    folders: [["far", "forge-memory:/"]],
    files: { "src/a.ts": "far:/src/a.ts", "src/100% #1 [x].ts": "far:/src/100% #1 [x].ts" },
    folderNames: ["src"],
    missing: ["src/gone.ts", "NOT_FOUND: There is no src/gone.ts."],
    notes: [],
  },
  {
    title: "a virtual folder beside one of the disk",
    folders: [
      ["far", "forge-memory:/"],
      ["doc", "three/doc"],
    ],
    files: {
      "far/src/a.ts": "far:/src/a.ts",
      "far/src/100% #1 [x].ts": "far:/src/100% #1 [x].ts",
      "doc/a b.ts": "three/doc/a b.ts",
    },
    folderNames: ["far", "doc"],
    missing: ["far/gone.ts", "NOT_FOUND: There is no far/gone.ts."],
    notes: [],
  },
  {
    title: "folders whose names the settings give, which no path can hold",
    folders: [
      ["Web/App", "one/app"],
      ["..", "three/doc"],
      ["c: d\u202e\n", "four/app"],
    ],
    files: {
      "Web-App/src/a.ts": "one/app/src/a.ts",
      "Web-App/src/100% #1 [x].ts": "one/app/src/100% #1 [x].ts",
      "folder/a b.ts": "three/doc/a b.ts",
      "c- d--/src/a.ts": "four/app/src/a.ts",
    },
    folderNames: ["Web-App", "folder", "c- d--"],
    missing: ["folder/gone.ts", "NOT_FOUND: There is no folder/gone.ts."],
    notes: [],
  },
];

describe("E:folders names of files and folders", function () {
  this.timeout(60_000);

  let forge: Loaded;
  before(async () => {
    const contents = [...new Set(cases.flatMap(({ files }) => Object.values(files)))].filter(
      (file) => !file.startsWith("far:"),
    );
    writeFiles(disk, Object.fromEntries(contents.map((file) => [file, `needle disk:${file}\n`])));
    writeFiles(disk, { "one/app/AGENTS.md": "Rules.\n", "four/app/AGENTS.md": "Other rules.\n" });
    mkdirSync(dist, { recursive: true });
    for (const [file, source] of [
      ["fileWorker.cjs", "tools/files/fileWorker.ts"],
      ["namesWorker.cjs", "mentions/names/namesWorker.ts"],
    ] as const) {
      const url = pathToFileURL(path.resolve(import.meta.dirname, "../../../src/host", source)).href;
      writeFileSync(path.join(dist, file), `import(${JSON.stringify(url)});\n`);
    }
    forge = await withEditorModule("names", editor, loadAll);
  });

  function open(workspace: Case): void {
    folders = workspace.folders.map(([name, at], index) => ({
      name,
      index,
      uri: at.startsWith("forge-memory:") ? new Uri("forge-memory", "/") : Uri.file(path.join(disk, at)),
    }));
    shown = Object.values(workspace.files).map(uriOf);
  }

  function uriOf(file: string): Uri {
    return file.startsWith("far:") ? new Uri("forge-memory", file.slice(4)) : Uri.file(path.join(disk, file));
  }

  const idOf = (file: string): string => (file.startsWith("far:") ? file : `disk:${file}`);

  async function run(name: string, input: object): Promise<string> {
    const tool = forge.tools.find(({ definition }) => definition.name === name);
    const outcome = await tool?.run(JSON.stringify(input), NEVER);
    return outcome?.text ?? "";
  }

  /** Lines of a result that name something, without what stands behind the name. */
  const namesIn = (text: string, behind: RegExp): readonly string[] =>
    text.split("\n").flatMap((line) => (behind.test(line) ? [line.replace(behind, "").replace(/^- /, "")] : []));

  for (const workspace of cases) {
    describe(workspace.title, () => {
      const names = Object.keys(workspace.files).toSorted();
      before(() => {
        open(workspace);
      });

      it("are given alike by tools, mentions, problems, git, code that is sent, and rule files", async () => {
        const found = await run("find_files", { pattern: "*.ts" });
        const given = {
          find_files: namesIn(found, /(?<=^(?!\d+ files? like).*\.ts)$/),
          search_text: namesIn(await run("search_text", { query: "needle" }), /:1: needle .*$/),
          get_problems: namesIn(await run("get_problems", {}), /:1:1: error: odd$/),
          get_selection: namesIn(await run("get_selection", {}), /(?<=^- .*\.ts)$/),
          git_status: namesIn(await run("git_status", {}), / \(modified\)$/),
          git_diff: namesIn(await run("git_diff", {}), /^\+\+\+ b\//),
          mentions: (await forge.mentioned(".ts", names.length)).toSorted(),
          openEditors: (await forge.mentioned("", names.length)).toSorted(),
          sentCode: Object.values(workspace.files).map((file) => forge.sent(uriOf(file))),
          notes: namesIn(found, /(?<=^Not searched.*)$/),
        };
        const sorted = Object.fromEntries(Object.entries(given).map(([by, list]) => [by, list.toSorted()]));
        const expected = Object.fromEntries(Object.keys(given).map((by) => [by, names]));
        assert.deepEqual(sorted, { ...expected, notes: workspace.notes });
      });

      it("are taken by reading, mentions, links, cards, searches and git", async () => {
        for (const [name, file] of Object.entries(workspace.files)) {
          const uri = uriOf(file).toString();
          const link = name
            .split("/")
            .map((segment) => encodeURIComponent(segment))
            .join("/");
          const taken = {
            read_file: idIn(await run("read_file", { path: name })),
            lines: idIn(await run("read_file", { path: `${name}:1-2` })),
            mention: await forge.content(pathMention(name).path ?? ""),
            mentionOfLines: nameWithLines(`${name}:1-2`)?.name,
            inlineCode: await forge.resolved(wholeFileName(name)?.path ?? ""),
            link: await forge.resolved(fileNameFromLink(`${link}#L1`)?.path ?? ""),
            search_text: namesIn(
              await run("search_text", { query: "needle", path: folderOf(name) }),
              /:1: needle .*$/,
            ).filter((each) => each === name),
            git_diff: namesIn(await run("git_diff", { path: name }), /^\+\+\+ b\//),
            get_problems: namesIn(await run("get_problems", { path: name }), /:1:1: error: odd$/),
          };
          assert.deepEqual(taken, {
            read_file: idOf(file),
            lines: idOf(file),
            mention: [name, idOf(file)],
            mentionOfLines: name,
            inlineCode: uri,
            link: uri,
            search_text: [name],
            git_diff: [name],
            get_problems: [name],
          });
        }
      });

      it("name folders in lists and questions, and what is missing as it was written", async () => {
        const command = forge.tools.find(({ definition }) => definition.name === "run_command");
        assert.ok(command);
        const questions = await Promise.all(
          workspace.folderNames.map((at) => command.describe(JSON.stringify({ command: "ls", path: at }))),
        );
        const isFar = (name: string): boolean =>
          workspace.folders.length === 1 ? workspace.folders[0]?.[0] === "far" : name === "far";
        assert.deepEqual(
          questions.map((view) => (view.ok ? [view.value.title, view.value.folder] : view.error.slice(0, 11))),
          workspace.folderNames.map((name) =>
            isFar(name) ? "UNAVAILABLE" : [`Run ls in ${name}`, workspace.folders.length > 1 ? name : undefined],
          ),
        );
        const list = await run("list_files", {});
        assert.deepEqual(namesIn(list, /\/$/).toSorted(), workspace.folderNames.toSorted());
        assert.equal(await run("read_file", { path: workspace.missing[0] }), workspace.missing[1]);
      });
    });
  }

  it("are those of the tools in the rules that are sent", async () => {
    const workspace = cases[2];
    assert.ok(workspace);
    open(workspace);
    assert.deepEqual(await forge.rules(), ["app/AGENTS.md", "app (3)/AGENTS.md"]);
  });
});

function folderOf(name: string): string {
  return name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : "";
}
