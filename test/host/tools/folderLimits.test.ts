/** Virtual and read-only folders: what works is said before, what does not is refused in words. */

import assert from "node:assert/strict";
import path from "node:path";
import type { Tool } from "../../../src/core/tools/tool.ts";
import { EditProblems } from "../../../src/host/tools/problems/editProblems.ts";
import { ok } from "../../../src/core/result.ts";
import type { KeepChanges } from "../../../src/host/checkpoints/keepChange.ts";
import { realClock } from "../../support/clocks.ts";
import { FakeProblems } from "../../support/editor/fakeProblems.ts";
import { withEditorModule } from "../../support/editor/editorModule.ts";
import { Uri } from "../../support/editor/fakeUri.ts";

class FileSystemError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** `archive` is known to be read-only, `wiki` refuses each write, `unknown` has no provider yet. */
const WRITABLE: Readonly<Record<string, boolean>> = { file: true, memory: true, wiki: true, archive: false };
let folders: readonly { readonly name: string; readonly index: number; readonly uri: Uri }[] = [];
const written: string[] = [];
const editor = {
  Uri,
  FileSystemError,
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  FilePermission: { Readonly: 1 },
  Position: Object,
  Range: Object,
  TextEditorRevealType: {},
  window: {
    showTextDocument: () =>
      Promise.resolve({ document: { validatePosition: (at: object) => at }, revealRange: () => undefined }),
  },
  workspace: {
    isTrusted: true,
    get workspaceFolders() {
      return folders;
    },
    getWorkspaceFolder: (uri: Uri) => folders.find((folder) => folder.uri.scheme === uri.scheme),
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
    notebookDocuments: [],
    textDocuments: [],
    encode: (text: string) => Promise.resolve(Buffer.from(text)),
    decode: (bytes: Uint8Array) => Promise.resolve(Buffer.from(bytes).toString()),
    fs: {
      isWritableFileSystem: (scheme: string) => WRITABLE[scheme],
      stat: ({ path: at }: Uri) =>
        at.includes("new")
          ? Promise.reject(new Error("gone"))
          : Promise.resolve({ type: 2, size: 0, mtime: 1, ctime: 1 }),
      writeFile: (uri: Uri) => {
        if (uri.scheme === "wiki") throw new FileSystemError("NoPermissions");
        written.push(uri.toString());
      },
    },
  },
};

interface Case {
  readonly title: string;
  /** Names, which begin with the scheme of the file system. */
  readonly folders: readonly string[];
  /** At the end of the descriptions, by tool; tools that are not named work everywhere. */
  readonly notes: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, string>>;
  /** Tools that a small window has no room for, as they work in no open folder. */
  readonly useless: readonly string[];
  /** By folder: the folder that the question names, or the refusal. */
  readonly command: readonly string[];
  /** The same for those that are not on the disk. */
  readonly edit: readonly string[];
}

const NOT_ON_DISK = " It does not work now: the workspace is not on this machine's disk.";
const READ_ONLY = " It does not work now: the workspace is on a read-only file system.";
const someOnDisk = (others: string, without: string): string =>
  ` It works in: ${others}. It does not work in: ${without} (not on this machine's disk).`;
const forDisk = (note: string): Readonly<Record<string, string>> => ({
  git_status: note,
  git_diff: note,
  run_command: note,
});
const far = (names: string): string => `not in ${names}, as it is not on this machine’s disk`;

const cases: readonly Case[] = [
  {
    title: "a folder of the disk",
    folders: ["file"],
    notes: {},
    words: {},
    useless: [],
    command: ["asks"],
    edit: [],
  },
  {
    title: "a virtual folder",
    folders: ["memory"],
    notes: forDisk(NOT_ON_DISK),
    words: forDisk(far("memory")),
    useless: ["git_status", "git_diff", "run_command"],
    command: ["UNAVAILABLE: The workspace is not on this machine's disk, so no command can run in it."],
    edit: ["asks, in memory (not on this machine’s disk)"],
  },
  {
    title: "a read-only file system",
    folders: ["archive"],
    notes: { ...forDisk(NOT_ON_DISK), edit_file: READ_ONLY },
    words: { ...forDisk(far("archive")), edit_file: "not in archive, as its file system is read-only" },
    useless: ["git_status", "git_diff", "run_command"],
    command: ["UNAVAILABLE: The workspace is not on this machine's disk, so no command can run in it."],
    edit: [
      "READ_ONLY: new.txt is on a read-only file system: nothing there can be changed, by you or by the user. Nothing was written.",
    ],
  },
  {
    title: "some of each",
    folders: ["memory", "file", "archive", "unknown"],
    notes: {
      ...forDisk(someOnDisk("file", "memory, archive, unknown")),
      edit_file: " It works in: memory, file, unknown. It does not work in: archive (on a read-only file system).",
    },
    words: {
      ...forDisk(far("memory, archive, unknown")),
      edit_file: "not in archive, as its file system is read-only",
    },
    useless: [],
    command: [
      "UNAVAILABLE: The folder memory is not on this machine's disk, so no command can run in it. Commands run in: file.",
      "asks, in file",
      "UNAVAILABLE: The folder archive is not on this machine's disk, so no command can run in it. Commands run in: file.",
      "UNAVAILABLE: The folder unknown is not on this machine's disk, so no command can run in it. Commands run in: file.",
    ],
    edit: [
      "asks, in memory (not on this machine’s disk)",
      "READ_ONLY: archive/new.txt is on a read-only file system: nothing there can be changed, by you or by the user. Nothing was written.",
      "asks, in unknown (not on this machine’s disk)",
    ],
  },
];

describe("E:folders virtual and read-only folders", () => {
  let tools: readonly Tool[];
  let limitWords: (tool: string) => string | undefined;
  let worksInNoFolder: (tool: string) => boolean;
  before(async () => {
    const unused: unknown = {};
    const keepAnything: KeepChanges = {
      edit: () => Promise.resolve(ok({ correct: () => Promise.resolve(ok(undefined)) })),
      commandNote: () => "",
      command: () => Promise.reject(new Error("no command is run")),
    };
    await withEditorModule("folderLimits", editor, async () => {
      const [{ createEditorTools }, limits] = await Promise.all([
        import("../../../src/host/tools/createEditorTools.ts"),
        import("../../../src/host/tools/folderLimits.ts"),
      ]);
      ({ limitWords, worksInNoFolder } = limits);
      const problems = new EditProblems(new FakeProblems(), realClock);
      const worker = path.resolve(import.meta.dirname, "../../../src/host/tools/files");
      tools = createEditorTools(worker, unused as never, problems, unused as never, keepAnything, (bug) => {
        throw bug;
      });
    });
  });

  function open(names: readonly string[]): void {
    folders = names.map((name, index) => ({ name, index, uri: new Uri(name, `/${name}`) }));
  }

  const named = (name: string): Tool => {
    const tool = tools.find(({ definition }) => definition.name === name);
    assert.ok(tool);
    return tool;
  };

  async function asked(name: string, input: object): Promise<string> {
    const view = await named(name).describe(JSON.stringify(input));
    if (!view.ok) return view.error;
    return view.value.folder === undefined ? "asks" : `asks, in ${view.value.folder}`;
  }

  for (const { title, folders: names, notes, words, useless, command, edit } of cases) {
    it(`are described with the tools, and to users, in ${title}`, () => {
      open([]);
      const plain = new Map(tools.map(({ definition }) => [definition.name, definition.description]));
      open(names);
      const differing = (of: (name: string) => string | undefined): object =>
        Object.fromEntries([...plain.keys()].flatMap((name) => (of(name) ? [[name, of(name)]] : [])));
      assert.deepEqual(
        differing((name) => named(name).definition.description.slice(plain.get(name)?.length)),
        notes,
      );
      assert.deepEqual(
        differing((name) => limitWords(name)?.replaceAll(/[\u2066-\u2069]/g, "")),
        words,
      );
      assert.deepEqual([...plain.keys()].filter(worksInNoFolder), useless);
    });

    it(`take what works, and refuse the rest, in ${title}`, async () => {
      open(names);
      const below = (name: string, file: string): string => (names.length === 1 ? file : path.posix.join(name, file));
      const commands: string[] = [];
      const edits: string[] = [];
      for (const name of names) {
        commands.push(await asked("run_command", { command: "ls", path: below(name, ".") }));
        const text = { path: below(name, "new.txt"), content: "a\n" };
        if (name !== "file") edits.push(await asked("edit_file", text)); // needs a thread
      }
      assert.deepEqual([commands, edits], [command, edit]);
    });
  }

  it("run a command without a folder in the first one of the disk", async () => {
    open(["memory", "file"]);
    assert.equal(await asked("run_command", { command: "ls" }), "asks, in file");
  });

  it("are written where they can be, and else refused in words", async () => {
    open(["memory", "wiki"]);
    const results: string[] = [];
    for (const name of ["memory", "wiki"]) {
      const input = JSON.stringify({ path: `${name}/new.txt`, content: "a\n" });
      await named("edit_file").describe(input);
      results.push((await named("edit_file").run(input, new AbortController().signal)).text);
    }
    assert.deepEqual(results, [
      "memory/new.txt is created (+1 −0).",
      "NOT_ALLOWED: The file system of wiki/new.txt does not allow this. Nothing was written.",
    ]);
    assert.deepEqual(written, ["memory:///memory/new.txt"]);
  });
});
