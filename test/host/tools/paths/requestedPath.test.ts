/** Paths as models write them, POSIX and Windows: those inside the workspace resolve, all others fail with a code. */

import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import { isInGitFolder, mayHoldSecrets } from "../../../../src/host/tools/paths/guardedFiles.ts";
import { isInsideFolder, placeInside } from "../../../../src/host/tools/paths/insideFolder.ts";
import {
  type NamedRoot,
  type PathStyle,
  pathStyleOf,
  readRequestedPath,
  displayPathOf,
  isTakenName,
  nestedFolders,
  rootNames,
} from "../../../../src/host/tools/paths/requestedPath.ts";

const one: readonly NamedRoot[] = [{ name: "app", folderPath: "/home/u/app" }];
const two: readonly NamedRoot[] = [
  { name: "app", folderPath: "/home/u/app" },
  { name: "lib", folderPath: "/home/u/app/lib" },
];
const windows: readonly NamedRoot[] = [{ name: "app", folderPath: "C:\\Users\\u\\App" }];
const virtual: readonly NamedRoot[] = [{ name: "remote" }];

/** "0:src/a.ts" (root index and relative path), or the failure's code. */
function read(text: string, roots: readonly NamedRoot[], style: PathStyle): string {
  const result = readRequestedPath(text, roots, style);
  return result.ok ? `${result.value.rootIndex}:${result.value.relative}` : result.error.code;
}

describe("readRequestedPath", () => {
  const check = (text: string, expected: string, roots = one, style: PathStyle = "posix"): void => {
    it(`${JSON.stringify(text.slice(0, 60))} in ${roots.map(({ name }) => name).join("+")}, ${style}: ${expected}`, () => {
      assert.equal(read(text, roots, style), expected);
    });
  };
  check("src/a.ts", "0:src/a.ts");
  check("./src//a.ts", "0:src/a.ts");
  check("", "0:");
  check(".", "0:");
  check("src/", "0:src");
  check("a..b/..c/d..", "0:a..b/..c/d..");
  check("/home/u/app/src/a.ts", "0:src/a.ts");
  check("/home/u/app", "0:");
  check("日本語/ñ.md", "0:日本語/ñ.md");
  check("notes:12.md", "0:notes:12.md");
  check("a.ts:12", "0:a.ts:12");
  check("My Component (1) [x]@2x.tsx", "0:My Component (1) [x]@2x.tsx");
  check("data:text/plain,a", "INVALID_INPUT");
  check("👩‍💻/family.txt", "0:👩‍💻/family.txt");

  check("../secret", "OUTSIDE_WORKSPACE");
  check("src/../../secret", "OUTSIDE_WORKSPACE");
  check("src/..", "OUTSIDE_WORKSPACE");
  check("..", "OUTSIDE_WORKSPACE");
  check("/etc/passwd", "OUTSIDE_WORKSPACE");
  check("/home/u/app/../other", "OUTSIDE_WORKSPACE");
  check("/home/u/application/a.ts", "OUTSIDE_WORKSPACE");
  check("/home/u/APP/a.ts", "OUTSIDE_WORKSPACE");
  check("//home/u/app/a.ts", "OUTSIDE_WORKSPACE");
  check("~/.ssh/id_rsa", "OUTSIDE_WORKSPACE");
  check("~", "OUTSIDE_WORKSPACE");
  check("~backup/a", "0:~backup/a");
  check("C:/Windows/system.ini", "OUTSIDE_WORKSPACE");
  check("c:\\Windows", "INVALID_INPUT");
  check("..\\..\\etc\\passwd", "INVALID_INPUT");
  check("\\\\server\\share\\a", "INVALID_INPUT");
  check("file:///home/u/app/a.ts", "INVALID_INPUT");
  check("FILE:/etc/passwd", "INVALID_INPUT");
  check("vscode-userdata:/settings.json", "INVALID_INPUT");
  check("http://example.org/", "INVALID_INPUT");
  check("a\0.ts", "INVALID_INPUT");
  check("a\n.ts", "INVALID_INPUT");
  check("a\u202etxt.exe", "INVALID_INPUT");
  check(".g\u200bit/config", "INVALID_INPUT");
  check("a\u{e0041}", "INVALID_INPUT");
  check("x".repeat(5_000), "INVALID_INPUT");
  check("a.ts", "UNAVAILABLE", []);

  check("src\\a.ts", "0:src/a.ts", windows, "windows");
  check("C:\\Users\\u\\App\\src\\a.ts", "0:src/a.ts", windows, "windows");
  check("c:/users/U/app/src/a.ts", "0:src/a.ts", windows, "windows");
  check("C:\\Users\\u\\Apples\\a.ts", "OUTSIDE_WORKSPACE", windows, "windows");
  check("D:\\Users\\u\\App\\a.ts", "OUTSIDE_WORKSPACE", windows, "windows");
  check("src\\..\\..\\a.ts", "OUTSIDE_WORKSPACE", windows, "windows");
  check("\\\\server\\share\\a.ts", "OUTSIDE_WORKSPACE", windows, "windows");
  check("\\\\?\\C:\\Users\\u\\App\\a.ts", "OUTSIDE_WORKSPACE", windows, "windows");
  check("\\Users\\u\\App\\a.ts", "OUTSIDE_WORKSPACE", windows, "windows");
  check("a.ts:stream", "INVALID_INPUT", windows, "windows");
  check("src\\CON", "INVALID_INPUT", windows, "windows");
  check("com1.txt", "INVALID_INPUT", windows, "windows");
  check("name.", "INVALID_INPUT", windows, "windows");
  check(".git \\config", "INVALID_INPUT", windows, "windows");
  check("a?.ts", "INVALID_INPUT", windows, "windows");
  check("console.ts", "0:console.ts", windows, "windows");

  check("lib/a.ts", "1:a.ts", two);
  check("app/lib/a.ts", "0:lib/a.ts", two);
  check("/home/u/app/lib/a.ts", "1:a.ts", two);
  check("src/a.ts", "INVALID_INPUT", two);
  check("", "INVALID_INPUT", two);
  check("a.ts", "0:a.ts", virtual);
  check("/a.ts", "OUTSIDE_WORKSPACE", virtual);

  it("shows a path in the form in which a model can request it", () => {
    assert.equal(displayPathOf({ rootIndex: 0, relative: "src/a.ts" }, one), "src/a.ts");
    assert.equal(displayPathOf({ rootIndex: 0, relative: "" }, one), ".");
    assert.equal(displayPathOf({ rootIndex: 1, relative: "a.ts" }, two), "lib/a.ts");
  });

  it("never returns a path outside the workspace, for any request", () => {
    const segment = fc.oneof(
      fc.constantFrom("..", ".", "", "~", "C:", "src", "a.ts", "CON", "...", ". ."),
      fc.string(),
    );
    const request = fc
      .array(segment, { maxLength: 6 })
      .chain((segments) => fc.constantFrom("/", "\\", "//").map((separator) => segments.join(separator)));
    const systems = [
      { style: "posix", roots: one, own: path.posix },
      { style: "windows", roots: windows, own: path.win32 },
    ] as const;
    fc.assert(
      fc.property(request, fc.constantFrom(...systems), (text, { style, roots, own }) => {
        const result = readRequestedPath(text, roots, style);
        if (!result.ok) return;
        const root = roots[0]?.folderPath ?? "";
        assert.ok(
          isInsideFolder(root, own.join(root, result.value.relative), own),
          JSON.stringify([text, result.value]),
        );
      }),
      { seed: 5, numRuns: 5_000 },
    );
  });
});

describe("E:folders names that are given", () => {
  const letters = fc.constantFrom("a", "~", ".", " ", "é", "@", ":", "[", "%", "#", "(2)", "c", "data", "lib", "-");
  const segment = fc
    .array(letters, { minLength: 1, maxLength: 4 })
    .map((list) => list.join(""))
    .filter((name) => name !== "." && name !== "..");
  const folders = fc.array(fc.oneof(segment, fc.constantFrom("", "..", "Web/App", "a\\b", "x\u202e")), {
    minLength: 1,
    maxLength: 4,
  });

  it("are taken, whatever folders and files are called", () => {
    fc.assert(
      fc.property(folders, fc.array(segment, { maxLength: 4 }), fc.nat(), (names, segments, at) => {
        const roots = rootNames(names, "posix").map((name, index) => ({ name, address: `file:///w${String(index)}` }));
        const place = { rootIndex: at % roots.length, relative: segments.join("/") };
        assert.equal(new Set(roots.map(({ name }) => name)).size, roots.length);
        assert.deepEqual(readRequestedPath(displayPathOf(place, roots), roots, "posix"), { ok: true, value: place });
      }),
      { seed: 28, numRuns: 5_000 },
    );
  });

  it("are those of the innermost folder", () => {
    const roots = ["/w", "/w/lib", "/w/lib/in", "/w/library"].map((at) => ({ name: at, address: `file://${at}` }));
    const shown = ["a", "lib", "lib/a", "lib/in/a", "lib/inner", "library/a", "libr"].map((relative) =>
      displayPathOf({ rootIndex: 0, relative }, roots),
    );
    assert.deepEqual(shown, ["/w/a", "/w/lib", "/w/lib/a", "/w/lib/in/a", "/w/lib/inner", "/w/library/a", "/w/libr"]);
    assert.deepEqual(nestedFolders(0, roots), ["lib", "lib/in", "library"]);
  });
});

describe("the style of paths", () => {
  for (const [system, expected] of [
    ["win32", "windows"],
    ["darwin", "posix"],
    ["linux", "posix"],
  ] as const) {
    it(`is ${expected} on ${system}`, () => {
      assert.equal(pathStyleOf(system), expected);
    });
  }
});

describe("placeInside", () => {
  const posix = ["/w", undefined, "/w/lib"];
  const windows = ["C:\\w", "C:\\w\\lib", "\\\\server\\share"];
  const check = (roots: readonly (string | undefined)[], real: string, style: PathStyle, expected: string): void => {
    it(`${real} (${style})`, () => {
      const { rootIndex, relative } = placeInside(roots, real, style === "windows" ? path.win32 : path.posix);
      assert.equal(`${rootIndex}:${relative}`, expected);
    });
  };
  check(posix, "/w/src/a.ts", "posix", "0:src/a.ts");
  check(posix, "/w/lib/a.ts", "posix", "2:a.ts");
  check(posix, "/w/lib", "posix", "2:");
  check(posix, "/w/a\\b.ts", "posix", "0:a\\b.ts");
  check(posix, "/elsewhere/a.ts", "posix", "0:/elsewhere/a.ts");
  check(windows, "C:\\w\\src\\a.ts", "windows", "0:src/a.ts");
  check(windows, "c:\\W\\Lib\\a.ts", "windows", "1:a.ts");
  check(windows, "\\\\server\\share\\src\\a.ts", "windows", "2:src/a.ts");
  check(windows, "D:\\w\\a.ts", "windows", "0:D:/w/a.ts");
});

describe("isInsideFolder", () => {
  const check = (folder: string, target: string, style: PathStyle, expected: boolean): void => {
    it(`${target} ${expected ? "is" : "is not"} in ${folder} (${style})`, () => {
      assert.equal(isInsideFolder(folder, target, style === "windows" ? path.win32 : path.posix), expected);
    });
  };
  check("/w/app", "/w/app", "posix", true);
  check("/w/app", "/w/app/a", "posix", true);
  check("/w/app", "/w/app/..a", "posix", true);
  check("/w/app", "/w/app2/a", "posix", false);
  check("/w/app", "/w", "posix", false);
  check("/w/app", "/w/APP/a", "posix", false);
  check("/", "/etc/passwd", "posix", true);
  check("C:\\w\\app", "c:\\W\\APP\\a", "windows", true);
  check("C:\\w\\app", "D:\\w\\app\\a", "windows", false);
  check("C:\\w\\app", "C:\\w\\apple", "windows", false);
  check("C:\\w\\app", "\\\\server\\share\\a", "windows", false);
  check("\\\\server\\share", "\\\\server\\share\\a", "windows", true);
  check("\\\\server\\share", "\\\\server\\other\\a", "windows", false);
});

describe("E:names isTakenName", () => {
  it("is what readRequestedPath takes", () => {
    const letters = fc.constantFrom("a", ".", " ", "é", "@", ":", "[", "\\", "\n", "\u202e", "\u200b", "\0", "\t");
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 6 }), (list) => {
        const name = `ff${list.join("")}x`;
        if (/^[a-z][a-z0-9+.-]+:/i.test(name)) return; // an address, or a name with lines
        const read = readRequestedPath(name, [{ name: "app", folderPath: "/w/app" }], "posix");
        assert.equal(isTakenName(name), read.ok);
      }),
    );
  });
});

describe("guarded files", () => {
  const check = (file: string, expected: string): void => {
    it(`${file}: ${expected === "" ? "nothing special" : expected}`, () => {
      const found = [...(mayHoldSecrets(file) ? ["secrets"] : []), ...(isInGitFolder(file) ? ["git"] : [])];
      assert.equal(found.join(" "), expected);
    });
  };
  for (const file of [".env", "apps/web/.env.local", ".ENV", ".env.production", "server.pem", "tls.KEY"]) {
    check(file, "secrets");
  }
  for (const file of ["id_rsa", "id_ed25519", ".ssh/config", ".aws/config", "secrets.yaml", "prod.tfvars", ".netrc"]) {
    check(file, "secrets");
  }
  for (const file of ["terraform.tfstate", "service-account-prod.json", "release.keystore", "credentials"]) {
    check(file, "secrets");
  }
  for (const file of [".env.example", ".env.local.sample", "environment.ts", "key.ts", "src/secrets/index.ts"])
    check(file, "");
  for (const file of ["id_rsa.pub", "credentials.ts", "tokens.json", ".gitignore", "digit/config", "a.github"])
    check(file, "");
  check(".git/hooks/pre-commit", "git");
  check("sub/.GIT/config", "git");
  check(".git", "git");
  for (const file of ["x/.npmrc", ".envrc", "web/.yarnrc.yml"]) check(file, "secrets");
});
