/** Names of files in the `@` menu, on a real disk: each change is there within 2 seconds of the clock. */

import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { FileNames } from "../../../../src/host/mentions/names/fileNames.ts";
import { ManualClock } from "../../../support/clocks.ts";
import { withEditorModule } from "../../../support/editor/editorModule.ts";
import { writeFiles } from "../../../support/filesOnDisk.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";

/** From a change to its name in the menu. */
const LIMIT_MS = 2_000;

const base = temporaryFolder();
const root = path.join(base.path, "app");
const dist = path.join(base.path, "dist");

interface Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly fsPath: string;
}
const uriOf = (scheme: string, at: string): Uri => ({ scheme, authority: "", path: at, fsPath: at });
const onDisk = [{ name: "app", index: 0, uri: uriOf("file", root) }];
const virtual = [...onDisk, { name: "far", index: 1, uri: uriOf("far", "/far") }];
let folders: readonly (typeof onDisk)[number][] = onDisk;

type Heard = "create" | "change" | "delete";
/** Listeners to changes, by the watcher's pattern. */
let listeners: readonly { readonly glob: string; readonly heard: Heard; readonly tell: (uri: Uri) => void }[] = [];
let folderListener: () => void = () => undefined;
const nothing = { dispose: () => undefined };
const never = (): object => nothing;
/** Names of the virtual folder. */
let farNames: readonly string[] = [];

const editor = {
  Uri: {
    joinPath: ({ scheme, path: at }: Uri, ...names: readonly string[]) => uriOf(scheme, path.posix.join(at, ...names)),
  },
  Disposable: { from: never },
  FileType: { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 },
  FilePermission: { Readonly: 1 },
  workspace: {
    get workspaceFolders() {
      return folders;
    },
    getWorkspaceFolder: (uri: Uri) => folders.find((folder) => uri.path.startsWith(`${folder.uri.path}/`)),
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
    createFileSystemWatcher: (glob: string) => {
      const on = (heard: Heard) => (tell: (uri: Uri) => void) => {
        listeners = [...listeners, { glob, heard, tell }];
        return nothing;
      };
      return { ...nothing, onDidCreate: on("create"), onDidChange: on("change"), onDidDelete: on("delete") };
    },
    onDidChangeWorkspaceFolders: (listener: () => void) => {
      folderListener = listener;
      return nothing;
    },
    onDidChangeConfiguration: never,
    notebookDocuments: [],
    textDocuments: [],
    fs: {
      isWritableFileSystem: () => true,
      stat: () => Promise.resolve({ type: 2, size: 0, mtime: 1, ctime: 1 }),
      readDirectory: () => Promise.resolve(farNames.map((name) => [name, 1])),
    },
  },
};

/** The editor reports a change: a folder that came or went, and not what is in it. */
function report(heard: Heard, ...names: readonly string[]): void {
  for (const name of names) {
    const uri = name.startsWith("far:") ? uriOf("far", `/far/${name.slice(4)}`) : uriOf("file", path.join(root, name));
    for (const { glob, heard: its, tell } of listeners) {
      if (its === heard && (glob === "**/*" || name.endsWith(".gitignore"))) tell(uri);
    }
  }
}

const many = Array.from({ length: 5_000 }, (_, number) => `burst/b${String(number % 50)}/f${String(number)}.ts`);
const BEGINNING = {
  ".gitignore": "*.log\nout/\n",
  "src/a.ts": "",
  "src/net/b.ts": "",
  "src/net/c.ts": "",
};
const STAYS = [".gitignore", "src/", "src/a.ts", "src/net/", "src/net/b.ts", "src/net/c.ts"];
const write = (...names: readonly string[]): void => {
  writeFiles(root, Object.fromEntries(names.map((name) => [name, ""])));
};
const remove = (name: string): void => {
  rmSync(path.join(root, name), { recursive: true });
};
const rename = (from: string, to: string): void => {
  renameSync(path.join(root, from), path.join(root, to));
};

interface Case {
  readonly title: string;
  readonly act: () => void;
  readonly expected: readonly string[];
}

const without = (...gone: readonly string[]): readonly string[] => STAYS.filter((name) => !gone.includes(name));

const cases: readonly Case[] = [
  {
    title: "a new file",
    act: () => {
      write("src/new.ts");
      report("create", "src/new.ts");
    },
    expected: [...STAYS, "src/new.ts"],
  },
  {
    title: "a file in a new folder, reported before its folder",
    act: () => {
      write("x/y/z/deep.ts");
      report("create", "x/y/z/deep.ts", "x", "x/y", "x/y/z");
    },
    expected: [...STAYS, "x/", "x/y/", "x/y/z/", "x/y/z/deep.ts"],
  },
  {
    title: "files of a folder that was moved in, of which only itself is reported",
    act: () => {
      write("moved/one.ts", "moved/in/two.ts", "moved/out/three.ts", "moved/four.log");
      report("create", "moved");
    },
    expected: [...STAYS, "moved/", "moved/one.ts", "moved/in/", "moved/in/two.ts"],
  },
  {
    title: "a renamed file",
    act: () => {
      rename("src/a.ts", "src/z.ts");
      report("delete", "src/a.ts");
      report("create", "src/z.ts");
    },
    expected: [...without("src/a.ts"), "src/z.ts"],
  },
  {
    title: "a renamed folder",
    act: () => {
      rename("src/net", "src/wire");
      report("create", "src/wire");
      report("delete", "src/net");
    },
    expected: [".gitignore", "src/", "src/a.ts", "src/wire/", "src/wire/b.ts", "src/wire/c.ts"],
  },
  {
    title: "a deleted file",
    act: () => {
      remove("src/net/b.ts");
      report("delete", "src/net/b.ts");
    },
    expected: without("src/net/b.ts"),
  },
  {
    title: "a deleted folder",
    act: () => {
      remove("src/net");
      report("delete", "src/net");
    },
    expected: without("src/net/", "src/net/b.ts", "src/net/c.ts"),
  },
  {
    title: "a file that was deleted and made again, and a folder that became a file",
    act: () => {
      remove("src/a.ts");
      report("delete", "src/a.ts");
      write("src/a.ts");
      remove("src/net");
      write("src/net");
      report("create", "src/a.ts", "src/net");
      report("delete", "src/net");
    },
    expected: [".gitignore", "src/", "src/a.ts", "src/net"],
  },
  {
    title: "no file that is left out, nor below a folder that is",
    act: () => {
      write("src/run.log", "out/made.ts", "out/deep/made.ts");
      report("create", "src/run.log", "out", "out/made.ts", "out/deep", "out/deep/made.ts");
    },
    expected: STAYS,
  },
  {
    title: "what other rules leave out and let in",
    act: () => {
      write("src/run.log");
      writeFileSync(path.join(root, ".gitignore"), "net/\n");
      report("create", "src/run.log");
      report("change", ".gitignore");
    },
    expected: [".gitignore", "src/", "src/a.ts", "src/run.log"],
  },
  {
    title: "5,000 files at once, as of another branch",
    act: () => {
      write(...many);
      report("create", "burst", ...Array.from({ length: 50 }, (_, at) => `burst/b${String(at)}`), ...many);
    },
    expected: [...STAYS, "burst/", ...Array.from({ length: 50 }, (_, at) => `burst/b${String(at)}/`), ...many],
  },
  {
    title: "5,000 files of which the editor reports a part",
    act: () => {
      write(...many);
      report("create", ...many.slice(0, 450));
    },
    expected: [...STAYS, "burst/", ...Array.from({ length: 50 }, (_, at) => `burst/b${String(at)}/`), ...many],
  },
  {
    title: "a file of a virtual folder",
    act: () => {
      folders = virtual;
      farNames = ["one.ts"];
      folderListener();
      farNames = ["one.ts", "two.ts"];
      report("create", "far:two.ts");
    },
    expected: ["app/", ...STAYS.map((name) => `app/${name}`), "far/", "far/one.ts", "far/two.ts"],
  },
];

describe("E:mentions names in the menu are fresh", () => {
  let load: (clock: ManualClock) => FileNames;
  before(async () => {
    mkdirSync(dist, { recursive: true });
    const worker = path.resolve(import.meta.dirname, "../../../../src/host/mentions/names/namesWorker.ts");
    writeFileSync(path.join(dist, "namesWorker.cjs"), `import(${JSON.stringify(pathToFileURL(worker).href)});\n`);
    const module = await withEditorModule(
      "fileNames",
      editor,
      () => import("../../../../src/host/mentions/names/fileNames.ts"),
    );
    load = (clock) => new module.FileNames(dist, clock);
  });
  let clock: ManualClock;
  let names: FileNames;
  beforeEach(() => {
    rmSync(root, { recursive: true, force: true });
    writeFiles(root, BEGINNING);
    [folders, farNames, listeners] = [onDisk, [], []];
    clock = new ManualClock();
    names = load(clock);
  });
  afterEach(() => {
    names.dispose();
  });

  async function all(): Promise<readonly string[]> {
    const found = await names.find("", 100_000, new AbortController().signal);
    return (found?.paths ?? []).toSorted();
  }

  /** Waits for the disk and the thread, while no time passes on the clock. */
  async function untilThere(expected: readonly string[]): Promise<void> {
    const wanted = expected.toSorted();
    const isSame = (list: readonly string[]): boolean => list.join("\n") === wanted.join("\n");
    let list = await all();
    for (let left = 20_000; left > 0 && !isSame(list); left--) list = await all();
    assert.deepEqual(list, wanted);
  }

  for (const { title, act, expected } of cases) {
    it(`with ${title}`, async () => {
      await untilThere(STAYS);
      act();
      await clock.advance(LIMIT_MS);
      await untilThere(expected);
    });

    it(`with ${title}, while they are read for the first time`, async () => {
      const first = all();
      act();
      await first;
      await clock.advance(LIMIT_MS);
      await untilThere(expected);
    });
  }

  it("and each is there once, however often it is reported", async () => {
    const first = all();
    for (let time = 0; time < 30; time++) {
      write(`src/t${String(time)}.ts`);
      report("create", `src/t${String(time)}.ts`, "src", "src/a.ts");
      await clock.advance(150);
    }
    await first;
    await clock.advance(LIMIT_MS);
    await untilThere([...STAYS, ...Array.from({ length: 30 }, (_, time) => `src/t${String(time)}.ts`)]);
  });
});
