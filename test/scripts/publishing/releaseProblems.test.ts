import assert from "node:assert/strict";
import { manifestLinks, placeholdersIn, readAddresses } from "../../../scripts/publishing/addresses.ts";
import { releaseProblems } from "../../../scripts/publishing/releaseProblems.ts";

const real = {
  repository: "https://code.example/forge",
  securityContact: "security@forge.example",
  conductContact: "conduct@forge.example",
  owners: ["@ada", "@grace"],
};

describe("a release", () => {
  const ready = { tag: "v1.2.0", version: "1.2.0", changelog: "# Changelog\n\n## 1.2.0\n", placeholders: [] };
  const check = (title: string, change: Partial<typeof ready>, expected: readonly string[]): void => {
    it(title, () => {
      assert.deepEqual(releaseProblems({ ...ready, ...change }), expected);
    });
  };
  check("is published when all is ready", {}, []);
  check("is published in advance by another tag", { tag: "pre-1.2.0" }, []);
  check("is refused with a tag of another version", { tag: "v1.2.1" }, [
    "the tag is v1.2.1, and package.json has the version 1.2.0",
  ]);
  check("is refused without a tag", { tag: "" }, ["the tag is missing, and package.json has the version 1.2.0"]);
  check("is refused without its part of the changelog", { changelog: "## 1.2.0-old\n" }, [
    "CHANGELOG.md has no section ## 1.2.0",
  ]);

  it("is refused while an address is a placeholder, which those of the project are", () => {
    const placeholders = placeholdersIn(readAddresses());
    assert.deepEqual(placeholders, ["repository", "securityContact", "conductContact", "owners"]);
    assert.deepEqual(
      releaseProblems({ ...ready, placeholders: ["repository", "owners"] }),
      ["repository", "owners"].map((name) => `.github/addresses.json: ${name} is still a placeholder`),
    );
  });

  it("takes addresses that are there, all of them", () => {
    assert.deepEqual(placeholdersIn(real), []);
    assert.deepEqual(placeholdersIn({ ...real, owners: [] }), ["owners"]);
    assert.deepEqual(placeholdersIn({ ...real, securityContact: "" }), ["securityContact"]);
  });

  it("links to the repository in the stores", () => {
    assert.deepEqual(manifestLinks(real), {
      repository: { type: "git", url: "https://code.example/forge.git" },
      bugs: { url: "https://code.example/forge/issues" },
      homepage: "https://code.example/forge#readme",
      qna: "https://code.example/forge/issues",
    });
  });
});
