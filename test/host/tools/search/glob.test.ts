/** Globs and ignore files, compared with an exhaustive matcher and with git, and timed on patterns that are slow elsewhere. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { atAnyDepth, compileGlob } from "../../../../src/host/tools/search/glob.ts";
import { IgnoreRules } from "../../../../src/host/tools/search/ignoreRules.ts";
import { filterFolder, WALK_START, type WalkFolder } from "../../../../src/host/tools/search/walkRules.ts";
import { writeFiles } from "../../../support/filesOnDisk.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";
import { skip } from "../../../support/skipped.ts";

function matches(pattern: string, file: string, options = { braces: true, ignoreCase: false }): boolean {
  const compiled = compileGlob(pattern, options);
  assert.ok(compiled.ok);
  return compiled.value.matches(file);
}

describe("glob", () => {
  const check = (pattern: string, yes: readonly string[], no: readonly string[]): void => {
    it(pattern, () => {
      const files = [...yes, ...no];
      assert.deepEqual(
        files.filter((file) => matches(pattern, file)),
        yes,
      );
    });
  };
  check("*.ts", ["a.ts", ".ts"], ["a.tsx", "src/a.ts", "ats"]);
  check("src/*.ts", ["src/a.ts"], ["src/b/a.ts", "a.ts"]);
  check("**/*.ts", ["a.ts", "src/a.ts", "src/b/c/a.ts"], ["a.js", "a.ts/b"]);
  check("src/**", ["src/a", "src/a/b"], ["src", "srcs/a"]);
  check("src/**/test/**/*.ts", ["src/test/a.ts", "src/x/test/y/a.ts"], ["src/a.ts", "test/a.ts"]);
  check("**/node_modules", ["node_modules", "a/node_modules"], ["a/node_modules/b"]);
  check("**/*학점*", ["학점.txt".normalize("NFD"), "a/학점.txt", "내학점표".normalize("NFD")], ["a/학.txt"]);
  check("spé/*".normalize("NFD"), ["spé/a"], ["spe/a"]);
  check("a?c", ["abc", "a.c"], ["ac", "a/c", "abbc"]);
  check("[a-c]x", ["ax", "cx"], ["dx", "x"]);
  check("[!a-c]x", ["dx"], ["ax", "x"]);
  check("[]]x", ["]x"], ["x"]);
  check("[ab", ["[ab"], ["a"]);
  check("*.{ts,tsx}", ["a.ts", "b.tsx"], ["a.js"]);
  check("{src,test}/**/*.{ts,js}", ["src/a.ts", "test/x/b.js"], ["lib/a.ts"]);
  check("{a,{b,c}}.md", ["a.md", "b.md", "c.md"], ["d.md"]);
  check("{a", ["{a"], ["a"]);
  check("a\\*b", ["a*b"], ["axb"]);
  check("文/*.md", ["文/ä.md"], ["文.md"]);
  check("👩?.txt", ["👩a.txt", "👩👩.txt"], ["👩.txt"]);

  it("matches a bare name at any depth and a path from the root", () => {
    assert.deepEqual([atAnyDepth("*.ts"), atAnyDepth("src/*.ts")], ["**/*.ts", "src/*.ts"]);
  });
  it("ignores case on request", () => {
    assert.equal(matches("SRC/*.TS", "src/a.ts", { braces: true, ignoreCase: true }), true);
  });
  it("refuses a pattern with 4,096 alternatives", () => {
    assert.equal(compileGlob("{a,b}".repeat(12), { braces: true, ignoreCase: false }).ok, false);
  });
  it("is fast on patterns for which a regular expression would not finish", () => {
    const start = performance.now();
    assert.equal(matches(`${"*a".repeat(30)}b`, "a".repeat(250)), false);
    assert.equal(matches(`${"**/a/".repeat(60)}b`, "a/".repeat(250)), false);
    assert.equal(compileGlob("{".repeat(500), { braces: true, ignoreCase: false }).ok, true);
    const took = performance.now() - start;
    assert.ok(took < 200, `${took} ms`);
  });
  it("agrees with an exhaustive matcher for any pattern and path", () => {
    const part = fc.constantFrom("a", "b", "*", "?", "/", "**/", "/**", "ab");
    const pattern = fc
      .array(part, { minLength: 1, maxLength: 7 })
      .map((parts) => parts.join("").replaceAll(/\/{2,}/g, "/"));
    const file = fc.array(fc.constantFrom("a", "b", "ab", "ba", "aab"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pattern, file, (glob, names) => {
        const wanted = glob.split("/").filter((name) => name !== "");
        if (wanted.length === 0) return;
        assert.equal(matches(glob, names.join("/")), plainMatch(wanted, names), `${glob} on ${names.join("/")}`);
      }),
      { seed: 5, numRuns: 20_000 },
    );
  });
});

/** The exhaustive matcher: tries every split. */
function plainMatch(pattern: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return names.length === 0;
  if (first === "**") {
    if (rest.length === 0) return names.length > 0;
    return [...names, ""].some((_, skip) => plainMatch(rest, names.slice(skip)));
  }
  const [name, ...others] = names;
  return name !== undefined && plainName(Array.from(first), Array.from(name)) && plainMatch(rest, others);
}

function plainName(pattern: readonly string[], name: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return name.length === 0;
  if (first === "*") return [...name, ""].some((_, skip) => plainName(rest, name.slice(skip)));
  return name.length > 0 && (first === "?" || first === name[0]) && plainName(rest, name.slice(1));
}

/** Files below a folder, without ignored ones. */
function kept(root: string, folder: WalkFolder = WALK_START): readonly string[] {
  const here = path.join(root, folder.relative);
  const entries = fs.readdirSync(here, { withFileTypes: true });
  const rules = path.join(here, ".gitignore");
  const text = fs.existsSync(rules) ? fs.readFileSync(rules, "utf8") : undefined;
  const sifted = filterFolder(
    folder,
    entries.map((entry) => ({ name: entry.name, kind: entry.isDirectory() ? "folder" : "file" })),
    text,
    { excludes: [], useIgnoreFiles: true },
  );
  return [...sifted.files.map(({ relative }) => relative), ...sifted.folders.flatMap((below) => kept(root, below))];
}

describe("ignore files", () => {
  let root: string;
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), "forge-ignore-"));
  });
  afterEach(() => {
    fs.rmSync(root, { recursive: true, force: true });
  });
  const write = (file: string, text = ""): void => {
    writeFiles(root, { [file]: text });
  };

  it("exclude git's own folder", () => {
    write(".git/config");
    write("a.ts");
    assert.deepEqual(kept(root), ["a.ts"]);
  });

  it("exclude the same files as git, for many sets of rules", function () {
    this.timeout(60_000);
    if (spawnSync("git", ["--version"]).status !== 0) {
      skip(this, "there is no git here to compare with");
    }
    const names = ["a.log", "b.log", "build", "src", "keep.txt", "x y", "#odd", "!bang", "[z]"];
    const line = fc.constantFrom(
      ...["*.log", "!b.log", "build/", "/build", "src/*.log", "**/keep.txt", "src/**", "!src/keep.txt", "**/src/build"],
      ...[
        "x\\ y",
        "x y  ",
        "\\#odd",
        "\\!bang",
        "[[]z]",
        "/*",
        "!/src",
        "b*",
        "*",
        "!*/",
        "# none",
        "",
        "src",
        "build/**/a.log",
      ],
    );
    const rules = fc.array(line, { maxLength: 5 });
    execFileSync("git", ["init", "-q"], { cwd: root });
    const files = names.flatMap((one) =>
      names.flatMap((two) => [`${one}.d/${two}`, `src/${one}/${two}`, `build/${one}`]),
    );
    for (const file of [...files, "a.log", "b.log", "keep.txt", "x y", "#odd", "!bang", "[z]"]) {
      if (!fs.existsSync(path.join(root, file))) write(file);
    }
    fc.assert(
      fc.property(rules, rules, (top, below) => {
        fs.writeFileSync(path.join(root, ".gitignore"), top.join("\n"));
        fs.writeFileSync(path.join(root, "src/.gitignore"), below.join("\n"));
        const listed = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-standard"], { cwd: root });
        const expected = listed
          .toString()
          .split("\0")
          .filter((file) => file !== "");
        assert.deepEqual(kept(root).toSorted(), expected.toSorted(), JSON.stringify({ top, below }));
      }),
      { seed: 5, numRuns: 150 },
    );
  });

  it("are read in linear time, whatever they contain", () => {
    for (const unit of [" ", "\\ ", "*", "**/", "[", "!"]) {
      assertLinearTime((text) => new IgnoreRules(text).judge("src/a.ts", false), {
        unit,
        behind: "\\x",
        longestUnits: 200_000,
      });
    }
  });
});
