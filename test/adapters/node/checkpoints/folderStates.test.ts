import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { CheckpointFolder } from "../../../../src/adapters/node/checkpoints/checkpointFolder.ts";
import {
  type FolderChange,
  folderChanges,
  type FolderState,
  folderState,
} from "../../../../src/adapters/node/checkpoints/folderStates.ts";
import type { FileState } from "../../../../src/core/checkpoints/changeSet.ts";

const LIMITS = { mostFileBytes: 1_000, mostFiles: 20, mostBytes: 10_000 };

describe("states of a folder around a command", () => {
  let root: string;
  let folder: string;
  let store: CheckpointFolder;
  let seen: readonly FolderState[];
  beforeEach(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), "forge-folder-")));
    folder = path.join(root, "work");
    mkdirSync(folder);
    store = new CheckpointFolder(path.join(root, "kept"));
    seen = [];
  });
  afterEach(() => {
    rmSync(root, { recursive: true });
  });
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
      cwd: path.join(root, "work"),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  const textOf = async (state: FileState): Promise<string | null> => {
    if (state === null) return null;
    const content = await store.content(state.hash);
    assert.ok(content.ok);
    return Buffer.from(content.value).toString();
  };
  /** Texts before and after `command` of the files that it changed, and those that were not kept. */
  const around = async (
    command: () => void,
    program = "git",
    look: (change: FolderChange) => unknown = () => undefined,
  ): Promise<unknown> => {
    const kept = await store.hashes();
    assert.ok(kept.ok);
    const services = { store, kept: kept.value, limits: LIMITS, seen, ...(program === "" ? {} : { git: program }) };
    const before = await folderState(folder, services);
    assert.ok(before.ok);
    command();
    const changed = await folderChanges(before.value, services);
    assert.ok(changed.ok);
    seen = [changed.value.after];
    const changes: Record<string, readonly (string | null)[]> = {};
    changed.value.changes.forEach(look);
    for (const each of changed.value.changes)
      changes[each.relative] = [await textOf(each.before), await textOf(each.after)];
    return { changes, ...(changed.value.uncovered.size === 0 ? {} : { uncovered: [...changed.value.uncovered] }) };
  };
  const repository = (): void => {
    git("init", "-q");
    for (const name of ["clean.txt", "dirty.txt", "gone.txt", "sub/deep.txt"]) write(name, `${name}\n`);
    write(".gitignore", "ignored/\n");
    git("add", "-A");
    git("commit", "-qm", "first");
    write("dirty.txt", "mine\n");
    write("untracked.txt", "untracked\n");
    write("ignored/a.txt", "a\n");
  };
  const everything = (): void => {
    write("clean.txt", "changed\n");
    write("dirty.txt", "changed, too\n");
    rmSync(path.join(folder, "gone.txt"));
    rmSync(path.join(folder, "untracked.txt"));
    write("new/file.txt", "new\n");
    write("ignored/a.txt", "b\n");
  };
  const CHANGES = {
    "clean.txt": ["clean.txt\n", "changed\n"],
    "dirty.txt": ["mine\n", "changed, too\n"],
    "gone.txt": ["gone.txt\n", null],
    "new/file.txt": [null, "new\n"],
    "untracked.txt": ["untracked\n", null],
  };

  it("are told by git, which is not touched", async () => {
    repository();
    const ofGit = (): readonly unknown[] => [readFileSync(path.join(folder, ".git/index")), git("log", "--oneline")];
    const before = ofGit();
    assert.deepEqual(await around(everything), { changes: CHANGES });
    assert.deepEqual(ofGit(), before);
    assert.deepEqual(await around(() => undefined), { changes: {} });
  });

  it("are told without git, too, with what it would ignore", async () => {
    repository();
    const changes = { ...CHANGES, "ignored/a.txt": ["a\n", "b\n"] };
    assert.deepEqual(await around(everything, ""), { changes });
  });

  it("are told of a folder in a repository alone", async () => {
    repository();
    folder = path.join(folder, "sub");
    const changed = await around(() => {
      write("deep.txt", "changed\n");
      write("../clean.txt", "outside\n");
    });
    assert.deepEqual(changed, { changes: { "deep.txt": ["sub/deep.txt\n", "changed\n"] } });
  });

  const commands: readonly [string, () => void, Readonly<Record<string, readonly (string | null)[]>>][] = [
    ["a commit changes no file", () => git("commit", "-qam", "second"), {}],
    [
      "another branch changes many",
      () => {
        git("stash", "-q");
        git("checkout", "-q", "-b", "other");
        write("clean.txt", "other\n");
        git("commit", "-qam", "other");
      },
      { "clean.txt": ["clean.txt\n", "other\n"], "dirty.txt": ["mine\n", "dirty.txt\n"] },
    ],
    [
      "a reset takes back what was not committed",
      () => git("reset", "-q", "--hard"),
      { "dirty.txt": ["mine\n", "dirty.txt\n"] },
    ],
    [
      "a file is moved",
      () => {
        renameSync(path.join(folder, "clean.txt"), path.join(folder, "moved.txt"));
      },
      { "clean.txt": ["clean.txt\n", null], "moved.txt": [null, "clean.txt\n"] },
    ],
    ["a staged file is unstaged, and changed in no way", () => git("add", "dirty.txt"), {}],
  ];
  for (const [what, command, changes] of commands)
    it(`know of git that ${what}`, async () => {
      repository();
      assert.deepEqual(await around(command), { changes });
    });

  it("are told of a worktree, and of a folder that git ignores", async () => {
    repository();
    git("worktree", "add", "-q", "-b", "other", path.join(root, "tree"));
    folder = path.join(root, "tree");
    const edit = (): void => {
      write("clean.txt", "changed\n");
    };
    assert.deepEqual(await around(edit), { changes: { "clean.txt": ["clean.txt\n", "changed\n"] } });
    folder = path.join(root, "work/ignored");
    const editIgnored = (): void => {
      write("a.txt", "b\n");
    };
    assert.deepEqual(await around(editIgnored), { changes: { "a.txt": ["a\n", "b\n"] } });
  });

  it("are told of a repository that ignores all it was not told to have", async () => {
    repository();
    write(".gitignore", "*\n");
    const edit = (): void => {
      write("clean.txt", "changed\n");
      write("new.txt", "new\n");
    };
    assert.deepEqual(await around(edit), { changes: { "clean.txt": ["clean.txt\n", "changed\n"] } });
  });

  it("make no file of a link that git has", async () => {
    repository();
    symlinkSync("clean.txt", path.join(folder, "link"));
    git("add", "link");
    git("commit", "-qm", "link");
    const changed = await around(() => {
      rmSync(path.join(folder, "link"));
      rmSync(path.join(folder, "clean.txt"));
    });
    assert.deepEqual(changed, {
      changes: { "clean.txt": ["clean.txt\n", null] },
      uncovered: [["link", "unreadable"]],
    });
  });

  const revealing: readonly [string, () => void, readonly string[]][] = [
    [
      "the rules of git change",
      () => {
        write(".gitignore", "");
        write("clean.txt", "changed\n");
      },
      ["ignored/a.txt"],
    ],
    [
      "the repository goes",
      () => {
        rmSync(path.join(folder, ".git"), { recursive: true });
      },
      [".gitignore", "clean.txt", "gone.txt", "ignored/a.txt", "sub/deep.txt"],
    ],
    [
      "the repository is made anew",
      () => {
        rmSync(path.join(folder, ".git"), { recursive: true });
        git("init", "-q");
        git("add", "-A");
        git("commit", "-qm", "anew");
        write("sub/deep.txt", "changed\n");
      },
      ["sub/deep.txt"],
    ],
    [
      "the repository is made anew, without a commit",
      () => {
        rmSync(path.join(folder, ".git"), { recursive: true });
        git("init", "-q");
      },
      [".gitignore", "clean.txt", "gone.txt", "sub/deep.txt"],
    ],
  ];
  for (const [what, command, names] of revealing)
    it(`do not take what was there for new when ${what}`, async () => {
      repository();
      const created: string[] = [];
      const changed = await around(command, "git", ({ relative, before }) => before === null && created.push(relative));
      assert.deepEqual(created, []);
      const { uncovered } = changed as { uncovered: readonly (readonly [string, string])[] };
      assert.deepEqual(
        uncovered,
        names.map((name) => [name, "unseen"]),
      );
    });

  it("do not take what was there for new where a repository begins", async () => {
    write("node_modules/a.js", "a\n");
    write("b.txt", "b\n");
    const changed = await around(() => {
      git("init", "-q");
      write("b.txt", "changed\n");
    });
    assert.deepEqual(changed, {
      changes: { "b.txt": ["b\n", "changed\n"] },
      uncovered: [["node_modules/a.js", "unseen"]],
    });
  });

  for (const program of ["git", ""])
    it(`know which files can be executed, ${program === "" ? "without" : "with"} git`, async () => {
      write("clean.sh", "clean\n");
      write("dirty.sh", "dirty\n");
      for (const name of ["clean.sh", "dirty.sh"]) chmodSync(path.join(folder, name), 0o755);
      git("init", "-q");
      git("add", "clean.sh");
      git("commit", "-qm", "first");
      const modes: unknown[] = [];
      await around(
        () => {
          for (const name of ["clean.sh", "dirty.sh"]) rmSync(path.join(folder, name));
          write("plain.txt", "plain\n");
        },
        program,
        ({ before, after }) => modes.push(before?.isExecutable, after?.isExecutable),
      );
      assert.deepEqual(modes, [true, undefined, true, undefined, undefined, undefined]);
    });

  it("have line ends as git checks them out", async () => {
    git("init", "-q");
    git("config", "core.autocrlf", "true");
    write("a.txt", "a\r\nb\r\n");
    git("add", "-A");
    git("commit", "-qm", "first");
    const changed = await around(() => {
      write("a.txt", "c\r\n");
    });
    assert.deepEqual(changed, { changes: { "a.txt": ["a\r\nb\r\n", "c\r\n"] } });
  });

  it("pass over links, and name what is too large or too much, if it changed", async () => {
    const large = "x".repeat(2_000);
    for (let number = 10; number < 40; number++) write(`many/${String(number)}.txt`, `${String(number)}\n`);
    write("large.txt", large);
    write("other.txt", large);
    symlinkSync("large.txt", path.join(folder, "link"));
    const changed = await around(() => {
      write("large.txt", `${large}more`);
      write("many/10.txt", "changed\n");
      write("many/39.txt", "changed\n");
      rmSync(path.join(folder, "link"));
    }, "");
    assert.deepEqual(changed, {
      changes: { "many/10.txt": ["10\n", "changed\n"] },
      uncovered: [
        ["large.txt", "tooLarge"],
        ["many/39.txt", "tooMany"],
      ],
    });
  });

  it("work in a repository without a commit, and where git does not run", async () => {
    git("init", "-q");
    write("a.txt", "a\n");
    const edit = (): void => {
      write("a.txt", "b\n");
    };
    assert.deepEqual(await around(edit), { changes: { "a.txt": ["a\n", "b\n"] } });
    write("a.txt", "a\n");
    assert.deepEqual(await around(edit, "no-such-git"), { changes: { "a.txt": ["a\n", "b\n"] } });
  });
});
