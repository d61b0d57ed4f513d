import assert from "node:assert/strict";
import fc from "fast-check";
import { isSameProject, portableProject, type Project } from "../../../src/core/history/project.ts";

const [A, B] = ["github.com/o/a", "github.com/o/b"];
const [FIRST, OTHER] = ["1".repeat(40), "2".repeat(40)];
const remote = (...remotes: readonly string[]): Project => ({ remotes, folder: "file:///a" });

const PAIRS: readonly (readonly [name: string, one: Project, other: Project, isSame: boolean])[] = [
  ["one remote, two folders", remote(A), { remotes: [A], folder: "file:///b" }, true],
  ["one remote in common", remote(A, B), { remotes: [B], folder: "file:///b" }, true],
  ["other remotes, one folder", remote(A), remote(B), false],
  ["other remotes, one first commit", { remotes: [A], rootCommit: FIRST }, { remotes: [B], rootCommit: FIRST }, false],
  ["no remote, one first commit", { remotes: [], rootCommit: FIRST }, { remotes: [], rootCommit: FIRST }, true],
  [
    "no remote, other first commits",
    { remotes: [], rootCommit: FIRST, folder: "file:///a" },
    { remotes: [], rootCommit: OTHER, folder: "file:///a" },
    false,
  ],
  [
    "one has a remote, one first commit",
    { remotes: [A], rootCommit: FIRST },
    { remotes: [], rootCommit: FIRST },
    false,
  ],
  ["a remote was added in a folder", remote(), remote(A), true],
  ["only one has a commit yet, one folder", { ...remote(), rootCommit: FIRST }, remote(), true],
  ["other folders", remote(), { remotes: [], folder: "file:///b" }, false],
  ["nothing known", { remotes: [] }, { remotes: [] }, false],
];

describe("isSameProject", () => {
  for (const [name, one, other, isSame] of PAIRS)
    it(`${name}: ${isSame ? "the same" : "another"}`, () => {
      assert.deepEqual([isSameProject(one, other), isSameProject(other, one)], [isSame, isSame]);
    });

  const project = fc.record(
    {
      remotes: fc.uniqueArray(fc.constantFrom(A, B), { maxLength: 2 }),
      rootCommit: fc.constantFrom(FIRST, OTHER),
      folder: fc.constantFrom("file:///a", "file:///b"),
    },
    { requiredKeys: ["remotes"] },
  );

  it("says of two the same both ways, and of one that anything is known of that it is itself", () => {
    fc.assert(
      fc.property(project, project, (one, other) => {
        assert.equal(isSameProject(one, other), isSameProject(other, one));
        const isKnown = one.remotes.length > 0 || one.rootCommit !== undefined || one.folder !== undefined;
        assert.equal(isSameProject(one, one), isKnown);
      }),
    );
  });

  it("is told elsewhere by what leaves the machine, which names no folder", () => {
    fc.assert(
      fc.property(project, (one) => {
        const portable = portableProject(one);
        assert.equal(JSON.stringify(portable ?? null).includes("file:"), false);
        if (portable !== undefined) assert.ok(isSameProject(portable, one));
        else assert.deepEqual([one.remotes, one.rootCommit], [[], undefined]);
      }),
    );
  });
});
