/** Names of files of a project that is elsewhere now. */

import assert from "node:assert/strict";
import { movedPaths } from "../../../../src/host/tools/paths/movedPath.ts";
import type { NamedRoot } from "../../../../src/host/tools/paths/requestedPath.ts";

const one: readonly NamedRoot[] = [{ name: "Tides", folderPath: "/home/u/tides-new" }];
const two: readonly NamedRoot[] = [{ name: "app", folderPath: "/home/u/app" }, { name: "lib" }];
const windows: readonly NamedRoot[] = [{ name: "app", folderPath: "C:\\Users\\u\\app" }];

describe("movedPaths", () => {
  const check = (text: string, roots: readonly NamedRoot[], expected: readonly string[]): void => {
    it(`${JSON.stringify(text.slice(0, 60))} in ${roots.map(({ name }) => name).join(" + ")}`, () => {
      const groups = movedPaths(text, roots);
      assert.deepEqual(
        groups.map((group) => group.map(({ rootIndex, relative }) => `${rootIndex}:${relative}`).join(" ")),
        expected,
      );
    });
  };
  check("/old/tides/src/a.ts", one, ["0:tides/src/a.ts", "0:src/a.ts"]);
  check("/old/tides/README.md", one, ["0:tides/README.md"]);
  check("/elsewhere/tides-new/README.md", one, ["0:tides-new/README.md", "0:README.md"]);
  check("/elsewhere/Tides/README.md", one, ["0:Tides/README.md", "0:README.md"]);
  check("~/tides/src/a.ts", one, ["0:tides/src/a.ts", "0:src/a.ts"]);
  check("C:\\work\\tides\\src\\a.ts", one, ["0:work/tides/src/a.ts", "0:tides/src/a.ts", "0:src/a.ts"]);
  check("d:/tides/src/a.ts", one, ["0:tides/src/a.ts", "0:src/a.ts"]);
  check("/u/app/src/a.ts", windows, ["0:app/src/a.ts", "0:src/a.ts"]);
  check("/README.md", one, []);
  check("/old/src/a.ts", two, ["0:src/a.ts 1:src/a.ts"]);
  check("/old/lib/a.ts", two, ["0:lib/a.ts 1:lib/a.ts", "1:a.ts"]);
  check("tides-new/src/a.ts", one, ["0:tides-new/src/a.ts", "0:src/a.ts"]);
  check("src/a.ts", two, ["0:src/a.ts 1:src/a.ts"]);
  check("lib/a.ts", two, ["0:lib/a.ts 1:lib/a.ts", "1:a.ts"]);
  check("a.ts", two, []);

  check("/old/../etc/passwd", one, []);
  check("../src/a.ts", one, []);
  check("https://example.org/src/a.ts", one, []);
  check("file:///old/src/a.ts", one, []);
  check("src\\a.ts", one, []);
  check("/old/src/a\u202e.ts", one, []);
  check("/old/src/a\n.ts", one, []);
  check(`/${"a/".repeat(50)}b.ts`, one, []);
  check(`/${"a".repeat(2_000)}/b.ts`, one, []);
  check("/old/src/a.ts", [], []);
});
