import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { thirdPartyNotices } from "../../scripts/thirdPartyNotices.mjs";

describe("notices of third parties", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "forge-notices-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  function addPackage(name: string, files: Readonly<Record<string, string>>): string {
    const its = path.join(folder, "node_modules", name);
    mkdirSync(its, { recursive: true });
    const manifest = JSON.stringify({ name, version: "1.2.3", license: "MIT" });
    for (const [file, text] of Object.entries({ "package.json": manifest, ...files }))
      writeFileSync(path.join(its, file), text);
    return `node_modules/${name}/index.js`;
  }

  it("have the text of each package once, in order, and nothing of the project's own files", async () => {
    const files = [
      addPackage("zebra", { LICENSE: "Take it.\n" }),
      addPackage("@scope/ant", { "LICENCE.md": "Take it, too.", "License-data": "And the data." }),
      "src/extension.ts",
      "node_modules/zebra/lib/other.js",
    ];
    assert.equal(
      await thirdPartyNotices(folder, files),
      [
        "Forge contains the following packages.\n",
        "@scope/ant 1.2.3 (MIT)\n======================\n\nTake it, too.\n\nAnd the data.\n\n",
        "zebra 1.2.3 (MIT)\n=================\n\nTake it.\n\n",
      ].join("\n"),
    );
  });

  for (const [title, files] of [
    ["no text", {}],
    ["an empty text", { LICENSE: "\n" }],
  ] as const) {
    it(`fail for a package with ${title}, whatever its manifest says`, async () => {
      const file = addPackage("zebra", files);
      await assert.rejects(thirdPartyNotices(folder, [file]), /the text of the licence of zebra is missing/);
    });
  }
});
