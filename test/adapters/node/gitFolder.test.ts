import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path, { type PlatformPath } from "node:path";
import { readGitFolder, remoteUrlsIn } from "../../../src/adapters/node/gitFolder.ts";
import { nodeFiles } from "../../../src/adapters/node/files.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

const CONFIG = '[core]\n\tbare = false\n[remote "origin"]\n\turl = git@example.org:a/b.git\n';

describe("readGitFolder", () => {
  let disk: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (disk = temporaryFolder()));
  afterEach(() => {
    disk.remove();
  });

  const write = (name: string, text: string): void => {
    const file = path.join(disk.path, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const read = (folder: string, home = "/nowhere"): ReturnType<typeof readGitFolder> =>
    readGitFolder(path.join(disk.path, folder), nodeFiles, home);

  it("finds the repository of a folder in it", async () => {
    write("repo/.git/config", CONFIG);
    write("repo/src/deep/x", "");
    const found = { root: path.join(disk.path, "repo"), remoteUrls: ["git@example.org:a/b.git"] };
    assert.deepEqual(await Promise.all([read("repo"), read("repo/src/deep")]), [found, found]);
  });

  it("finds the repository of a worktree, which has another folder", async () => {
    write("repo/.git/config", CONFIG);
    write("repo/.git/worktrees/tree/commondir", "../..\n");
    write("tree/.git", `gitdir: ${path.join(disk.path, "repo/.git/worktrees/tree")}\n`);
    assert.deepEqual(await read("tree"), {
      root: path.join(disk.path, "tree"),
      remoteUrls: ["git@example.org:a/b.git"],
    });
  });

  it("finds a submodule, and not what contains it", async () => {
    write("repo/.git/config", CONFIG);
    write("repo/.git/modules/sub/config", CONFIG.replace("a/b", "a/sub"));
    write("repo/sub/.git", "gitdir: ../.git/modules/sub\n");
    assert.deepEqual((await read("repo/sub"))?.remoteUrls, ["git@example.org:a/sub.git"]);
  });

  it("does not take a repository in the home folder for that of the folders in it", async () => {
    write(".git/config", CONFIG);
    write("work/app/x", "");
    assert.equal(await read("work/app", disk.path), undefined);
    assert.equal((await read("", disk.path))?.root, disk.path);
  });

  const homes: readonly [system: string, PlatformPath, folder: string, home: string, git: string, other: string][] = [
    ["Windows", path.win32, "c:\\Users\\a\\work", "C:\\Users\\a", "c:\\Users\\a\\.git\\config", "c:\\Users\\b"],
    ["macOS", path.posix, "/Users/a/work", "/Users/a", "/Users/a/.git/config", "/Users/b"],
    ["Linux", path.posix, "/home/a/work", "/home/a", "/home/a/.git/config", "/home/b"],
  ];
  for (const [system, own, folder, home, git, other] of homes) {
    it(`knows the home folder on ${system}, as the editor writes it`, async () => {
      const missing = Object.assign(new Error("ENOENT"), { code: "ENOENT" });
      const files: typeof nodeFiles = {
        ...nodeFiles,
        readStart: (file) => (file === git ? Promise.resolve(Buffer.from(CONFIG)) : Promise.reject(missing)),
      };
      const root = own.dirname(folder);
      assert.equal(await readGitFolder(folder, files, home, own), undefined);
      assert.equal((await readGitFolder(folder, files, other, own))?.root, root);
    });
  }

  it("follows a worktree over drives of Windows", async () => {
    const texts: Readonly<Record<string, string>> = {
      "d:\\trees\\one\\.git": "gitdir: C:/repo/.git/worktrees/one\r\n",
      "C:\\repo\\.git\\worktrees\\one\\commondir": "../..\r\n",
      "C:\\repo\\.git\\config": CONFIG.replaceAll("\n", "\r\n"),
    };
    const missing = Object.assign(new Error("ENOENT"), { code: "ENOENT" });
    const files: typeof nodeFiles = {
      ...nodeFiles,
      readStart: (file) => {
        const text = texts[file];
        return text === undefined ? Promise.reject(missing) : Promise.resolve(Buffer.from(text));
      },
    };
    assert.deepEqual(await readGitFolder("d:\\trees\\one\\src", files, "C:\\Users\\a", path.win32), {
      root: "d:\\trees\\one",
      remoteUrls: ["git@example.org:a/b.git"],
    });
  });

  for (const [name, files] of [
    ["no repository", {}],
    ["a file that names no folder", { "a/.git": "gitdir:\n" }],
    ["a folder that is gone", { "a/.git": "gitdir: ../gone\n" }],
    ["a configuration that git did not write", { "a/.git/config": `[x]\n${"y".repeat(1_000_000)}` }],
  ] as const)
    it(`finds nothing in ${name}`, async () => {
      write("a/x", "");
      for (const [file, text] of Object.entries(files)) write(file, text);
      assert.equal(await read("a", disk.path), undefined);
    });
});

describe("remoteUrlsIn", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['[remote "origin"]\nurl = https://a.example/b # there\n', ["https://a.example/b"]],
    ['[Remote "Up Stream"] URL=a:b\r\n\tpushurl = no\r\n[branch "x"]\r\n\turl = no', ["a:b"]],
    ['[remote "o"]\n\turl = "https://a.example/b#c" ; there\n', ["https://a.example/b#c"]],
    ['[remote "o"]\n\turl = https://a.\\\nexample/\\"b\n', ['https://a.example/"b']],
    ['[remote "a"]\nurl = one\nurl = two\n[remote "b"]\nurl = three', ["one", "two", "three"]],
    ['[remote]\nurl = no\n[url "https://x/"]\ninsteadOf = y\nurl = no\n', []],
    ["\u0000[[[\nurl =", []],
  ];
  for (const [config, urls] of cases)
    it(JSON.stringify(config), () => {
      assert.deepEqual(remoteUrlsIn(config), urls);
    });
});
