import assert from "node:assert/strict";
import fc from "fast-check";
import { PathIndex } from "../../../../src/host/mentions/names/pathIndex.ts";

const paths = [
  "app/src/net/uploadClient.ts",
  "app/src/net/upload.ts",
  "app/src/components/My Component.tsx",
  "app/src/up/l.ts",
  "docs/couplet.md",
  "docs/spécial.ts".normalize("NFD"),
  "docs/학점.md".normalize("NFD"),
  "lib/context/ContextManager.ts",
  "lib/context/contextManager.test.ts",
  "lib/parseHttpDate.ts",
  "lib/parseHttpDate2.ts",
  "lib/net/",
];

function best(query: string): string | undefined {
  const index = new PathIndex();
  for (const path of paths) index.add(path);
  return index.best(query, 5)[0];
}

describe("PathIndex", () => {
  for (const [query, path] of [
    ["upload.ts", "app/src/net/upload.ts"],
    ["upload", "app/src/net/upload.ts"],
    ["lib/parseHttpDate.ts", "lib/parseHttpDate.ts"],
    ["net/upl", "app/src/net/upload.ts"],
    ["my c", "app/src/components/My Component.tsx"],
    ["spé", "docs/spécial.ts".normalize("NFD")],
    ["spé".normalize("NFD"), "docs/spécial.ts".normalize("NFD")],
    ["학점", "docs/학점.md".normalize("NFD")],
    ["cm", "lib/context/ContextManager.ts"],
    ["phd", "lib/parseHttpDate.ts"],
    ["phd2", "lib/parseHttpDate2.ts"],
    ["parseHttDate", "lib/parseHttpDate.ts"],
    ["parseHttppDate", "lib/parseHttpDate.ts"],
    ["parseHtrpDate", "lib/parseHttpDate.ts"],
    ["parseHttpDaet", "lib/parseHttpDate.ts"],
    ["couplte", "docs/couplet.md"],
    ["lib/net", "lib/net/"],
    ["upload.ts now", undefined],
    ["xyzzy", undefined],
  ] as const)
    it(`E:mentions finds ${String(path)} by ${JSON.stringify(query)} first`, () => {
      assert.equal(best(query), path);
    });

  it("E:mentions finds any path by its whole and by its name", () => {
    const letters = fc.constantFrom("a", "b", "Z", "9", ".", "_", "-", "é", "학");
    const name = fc.array(letters, { minLength: 1, maxLength: 12 }).map((list) => list.join(""));
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 40 }), (all) => {
        const index = new PathIndex();
        for (const each of all) index.add(each);
        for (const each of all) {
          assert.ok(index.best(each, all.length).includes(each));
          assert.ok(index.best(each.slice(each.lastIndexOf("/") + 1), all.length).includes(each));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("E:mentions gives the first paths without a query", () => {
    const index = new PathIndex();
    for (let count = 0; count < 3_000; count++) index.add(`file${String(count)}`);
    assert.deepEqual(
      [index.size, index.best("", 2), index.best("file2999", 1)],
      [3_000, ["file0", "file1"], ["file2999"]],
    );
  });
});
