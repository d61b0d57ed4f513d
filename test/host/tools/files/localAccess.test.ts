/** Access to the disk, with real links, races and special files. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { LocalAccess, type WriteTarget } from "../../../../src/host/tools/files/localAccess.ts";
import type { Result } from "../../../../src/core/result.ts";
import type { ToolFailure } from "../../../../src/host/tools/toolFailure.ts";
import { writeFiles } from "../../../support/filesOnDisk.ts";
import { needsLinks } from "../../../support/skipped.ts";

describe("LocalAccess", () => {
  let base: string;
  let root: string;
  let outside: string;

  before(function () {
    needsLinks(this);
    base = fs.mkdtempSync(path.join(os.tmpdir(), "forge-access-"));
    root = path.join(base, "workspace");
    outside = path.join(base, "outside");
    writeFiles(base, {
      "workspace/a.txt": "inside",
      "workspace/sub/b.txt": "below",
      "outside/secret.txt": "SECRET",
      "outside/deep/more.txt": "SECRET",
      "workspace-2/c.txt": "SECRET",
    });
    const links: Readonly<Record<string, string>> = {
      "good.txt": "sub/b.txt",
      goodFolder: "sub",
      "out.txt": "../outside/secret.txt",
      "absolute.txt": path.join(outside, "secret.txt"),
      outFolder: "../outside",
      twice: "outFolder/deep",
      neighbour: "../workspace-2",
      dangling: "../outside/new.txt",
      loop: "loop",
      device: "/dev/zero",
    };
    for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, path.join(root, name));
    execFileSync("mkfifo", [path.join(root, "pipe")]);
  });
  after(() => {
    fs.rmSync(base, { recursive: true, force: true });
  });

  /** The file's text, or the failure's code. */
  const read = (relative: string): string => {
    const opened = new LocalAccess([root]).open(0, relative);
    if (!opened.ok) return opened.error.code;
    const text = Buffer.from(opened.value.read(0, opened.value.sizeBytes)).toString();
    opened.value.close();
    return text;
  };
  const list = (relative: string): string => {
    const listed = new LocalAccess([root]).list(0, relative);
    return listed.ok
      ? listed.value
          .map(({ name, kind }) => `${name}:${kind}`)
          .toSorted()
          .join(" ")
      : listed.error.code;
  };
  const locate = (relative: string): string => {
    const located = new LocalAccess([root]).locate(0, relative);
    return located.ok ? `${located.value.kind}:${located.value.relative}` : located.error.code;
  };

  const check = (how: (relative: string) => string, relative: string, expected: string): void => {
    it(`${how.name}(${relative}): ${expected}`, () => {
      assert.equal(how(relative), expected);
    });
  };
  check(read, "a.txt", "inside");
  check(read, "sub/b.txt", "below");
  check(read, "good.txt", "below");
  check(read, "goodFolder/b.txt", "below");
  check(read, "missing.txt", "NOT_FOUND");
  check(read, "a.txt/b", "NOT_FOUND");
  check(read, "sub", "WRONG_KIND");
  check(read, "out.txt", "OUTSIDE_WORKSPACE");
  check(read, "absolute.txt", "OUTSIDE_WORKSPACE");
  check(read, "outFolder/secret.txt", "OUTSIDE_WORKSPACE");
  check(read, "twice/more.txt", "OUTSIDE_WORKSPACE");
  check(read, "neighbour/c.txt", "OUTSIDE_WORKSPACE");
  check(read, "dangling", "NOT_FOUND");
  check(read, "loop", "OUTSIDE_WORKSPACE");
  check(read, "device", "OUTSIDE_WORKSPACE");
  check(read, "pipe", "WRONG_KIND");
  check(read, "x".repeat(300), "INVALID_INPUT");

  check(list, "sub", "b.txt:file");
  check(list, "goodFolder", "b.txt:file");
  check(list, "outFolder", "OUTSIDE_WORKSPACE");
  check(list, "twice", "OUTSIDE_WORKSPACE");
  check(list, "a.txt", "WRONG_KIND");
  check(list, "none", "NOT_FOUND");

  check(locate, "", "folder:");
  check(locate, "good.txt", "file:sub/b.txt");
  check(locate, "new.txt", "missing:new.txt");
  check(locate, "goodFolder/new/er.txt", "missing:sub/new/er.txt");
  check(locate, "outFolder/new.txt", "OUTSIDE_WORKSPACE");
  check(locate, "twice/new/er.txt", "OUTSIDE_WORKSPACE");
  check(locate, "dangling", "WRONG_KIND");
  check(locate, "dangling/new.txt", "WRONG_KIND");
  check(locate, "a.txt/new.txt", "WRONG_KIND");
  check(locate, "pipe", "WRONG_KIND");

  it("opens a file of another workspace folder, and none of a folder that is not on this disk", () => {
    const access = new LocalAccess([root, path.join(base, "workspace-2"), "", path.join(base, "gone")]);
    const located = access.locate(0, "neighbour/c.txt");
    assert.deepEqual(located.ok ? [located.value.rootIndex, located.value.relative] : located.error, [1, "c.txt"]);
    const codes = [2, 3].map((rootIndex) => codeOf(access.open(rootIndex, "package.json")));
    assert.deepEqual(codes, ["NOT_FOUND", "NOT_FOUND"]);
  });

  it("changes the stamp with every change of a file", () => {
    const stampOf = (): string => {
      const located = new LocalAccess([root]).locate(0, "a.txt");
      return located.ok ? located.value.stamp : located.error.code;
    };
    const stamps = ["one", "two", "one"].map((text) => {
      fs.writeFileSync(path.join(root, "a.txt"), text);
      return stampOf();
    });
    fs.writeFileSync(path.join(root, "a.txt"), "inside");
    assert.equal(new Set(stamps).size, stamps.length);
    assert.equal(stampOf(), stampOf());
  });

  const systems = [
    { name: "when the system reports a handle's path", link: "swapping", placeOf: undefined },
    { name: "when the system reports no path", link: "swappingToo", placeOf: () => undefined },
  ];
  for (const { name, link, placeOf } of systems) {
    it(`reads nothing outside in 10,000 tries while a folder and a link are swapped, ${name}`, async function () {
      this.timeout(60_000);
      const swapping = path.join(root, link);
      fs.mkdirSync(swapping);
      fs.writeFileSync(path.join(swapping, "secret.txt"), "fine");
      const swapper = new Worker(swapForEver, { eval: true, workerData: [swapping, outside] });
      try {
        await new Promise((resolve) => swapper.once("message", resolve));
        const access = new LocalAccess([root], placeOf);
        const seen = new Map<string, number>();
        for (let round = 0; round < 10_000; round++) {
          const opened = access.open(0, `${link}/secret.txt`);
          const text = opened.ok ? Buffer.from(opened.value.read(0, 100)).toString() : opened.error.code;
          if (opened.ok) opened.value.close();
          seen.set(text, (seen.get(text) ?? 0) + 1);
        }
        assert.equal(seen.has("SECRET"), false, "a file outside was read");
        assert.ok((seen.get("OUTSIDE_WORKSPACE") ?? 0) > 0, JSON.stringify([...seen]));
        if (placeOf !== undefined) return;
        assert.ok((seen.get("fine") ?? 0) > 0, JSON.stringify([...seen]));
        const listed = Array.from({ length: 10_000 }, () => access.list(0, link));
        const names = new Set(listed.flatMap((one) => (one.ok ? one.value.map((entry) => entry.name) : [])));
        assert.deepEqual([...names], ["secret.txt"], "a folder outside was listed");
      } finally {
        await swapper.terminate();
      }
    });

    it(`S17 writes nothing outside in 2,000 tries while a folder and a link are swapped, ${name}`, async function () {
      this.timeout(120_000);
      const there = `${link}-writing`;
      const [swapping, aim] = [path.join(root, there), path.join(base, there)];
      const text = (word: string): Uint8Array => new TextEncoder().encode(word);
      for (const folder of [swapping, aim]) {
        fs.mkdirSync(folder);
        fs.writeFileSync(path.join(folder, "a.txt"), "old");
      }
      const swapper = new Worker(swapForEver, { eval: true, workerData: [swapping, aim] });
      const access = new LocalAccess([root], placeOf);
      const counts = { replaced: 0, created: 0, refused: 0 };
      try {
        await new Promise((resolve) => swapper.once("message", resolve));
        for (let round = 0; round < 2_000; round++) {
          const replaced = access.replace(target(`${there}/a.txt`), text("old"), text("newer"));
          while (replaced.ok && !access.replace(target(`${there}/a.txt`), text("newer"), text("old")).ok);
          const created = access.create(target(`${there}/new/${round}.txt`), text("made"));
          if (replaced.ok) counts.replaced++;
          if (created.ok) counts.created++;
          if (!replaced.ok || !created.ok) counts.refused++;
          assert.equal(fs.readFileSync(path.join(aim, "a.txt"), "utf8"), "old");
        }
      } finally {
        await swapper.terminate();
      }
      const written = fs.readdirSync(aim, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const contents = written.map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), "utf8"));
      // Where the system cannot create in an open folder, an empty file may be left.
      const expected = placeOf === undefined ? ["old"] : ["old", ""];
      assert.deepEqual([...new Set(contents)].filter((content) => !expected.includes(content)), []); // prettier-ignore
      if (placeOf === undefined) assert.equal(contents.length, 1);
      assert.ok(counts.refused > 0 && (placeOf !== undefined || (counts.replaced > 0 && counts.created > 0)), JSON.stringify(counts)); // prettier-ignore
    });
  }

  describe("writing", () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    const replace = (relative: string, before: string, after: string, real = relative): string =>
      codeOf(new LocalAccess([root]).replace(target(relative, real), bytes(before), bytes(after)));
    const create = (relative: string, text: string, real = relative): string =>
      codeOf(new LocalAccess([root]).create(target(relative, real), bytes(text)));
    const cases: readonly (readonly [title: string, () => string, expected: string])[] = [
      ["replaces a file by a longer text", () => replace("a.txt", "inside", "inside and more"), "ok"],
      ["replaces a file by a shorter text", () => replace("a.txt", "inside and more", "inside"), "ok"],
      ["replaces a file by a link that stays inside", () => replace("good.txt", "below", "below", "sub/b.txt"), "ok"],
      ["replaces only what it was told is there", () => replace("a.txt", "insid", "x"), "CONFLICT"],
      ["replaces no other file than the one that was checked", () => replace("good.txt", "below", "x"), "CONFLICT"],
      [
        "creates nothing in another folder than the one that was checked",
        () => create("goodFolder/e.txt", "x"),
        "OUTSIDE_WORKSPACE",
      ],
      ["replaces nothing outside", () => replace("out.txt", "SECRET", "x"), "OUTSIDE_WORKSPACE"],
      [
        "replaces nothing in a folder outside",
        () => replace("outFolder/secret.txt", "SECRET", "x"),
        "OUTSIDE_WORKSPACE",
      ],
      ["replaces no device", () => replace("device", "", "x"), "OUTSIDE_WORKSPACE"],
      ["replaces no pipe", () => replace("pipe", "", "x"), "WRONG_KIND"],
      ["creates a file with its folders", () => create("made/deep/c.txt", "c"), "ok"],
      [
        "creates a file in a folder by a link that stays inside",
        () => create("goodFolder/d.txt", "d", "sub/d.txt"),
        "ok",
      ],
      ["creates nothing over a file", () => create("a.txt", "x"), "CONFLICT"],
      ["creates nothing outside", () => create("outFolder/new.txt", "x"), "OUTSIDE_WORKSPACE"],
      ["creates nothing where a link leads to nothing", () => create("dangling", "x"), "WRONG_KIND"],
      ["creates nothing in git's own folder", () => create(".git/hooks/pre-commit", "x"), "NOT_ALLOWED"],
    ];
    for (const [title, act, expected] of cases) {
      it(`S17 ${title}`, () => {
        assert.equal(act(), expected);
      });
    }
    it("S17 has written what it said, and nothing else", () => {
      const texts = ["a.txt", "sub/b.txt", "sub/d.txt", "made/deep/c.txt"].map((name) => fs.readFileSync(path.join(root, name), "utf8")); // prettier-ignore
      assert.deepEqual(texts, ["inside", "below", "d", "c"]);
      assert.deepEqual(fs.readdirSync(outside).toSorted(), ["deep", "secret.txt"]);
      assert.equal(fs.readFileSync(path.join(outside, "secret.txt"), "utf8"), "SECRET");
    });
  });

  it("§2 finds names in another composition of their letters", () => {
    const decomposed = "ordner-spé/학점.txt".normalize("NFD");
    fs.mkdirSync(path.join(root, path.dirname(decomposed)));
    fs.writeFileSync(path.join(root, decomposed), "x");
    const access = new LocalAccess([root]);
    const wanted = ["ordner-spé/학점.txt", decomposed, "ordner-spé/new-é.txt", "sub/b.txt", "none-é/학점.txt"];
    const found = wanted.map((name) => access.spelling(0, name));
    const folder = "ordner-spé".normalize("NFD");
    assert.deepEqual(found, [decomposed, decomposed, `${folder}/new-é.txt`, "sub/b.txt", "none-é/학점.txt"]);
  });
});

/** Repeatedly replaces a real folder with a link to the outside, and puts it back. */
const swapForEver = `
  const fs = require("node:fs");
  const { workerData: [folder, outside], parentPort } = require("node:worker_threads");
  parentPort.postMessage("ready");
  const retry = (step) => {
    for (;;) {
      try {
        return step();
      } catch {
        try {
          fs.rmSync(folder, { recursive: true, force: true }); // it was created anew meanwhile
        } catch {} // and is still written to
      }
    }
  };
  for (;;) {
    fs.renameSync(folder, folder + ".aside");
    retry(() => fs.symlinkSync(outside, folder));
    fs.unlinkSync(folder);
    retry(() => fs.renameSync(folder + ".aside", folder));
  }
`;

function target(relative: string, real = relative): WriteTarget {
  return { rootIndex: 0, relative, real, shown: relative };
}

function codeOf(result: Result<unknown, ToolFailure>): string {
  return result.ok ? "ok" : result.error.code;
}
