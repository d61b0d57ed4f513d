/** Rule files count only if they lie in the workspace itself, not behind a link. */

import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isReachedWithoutLinks } from "../../../src/host/ruleFiles/linkCheck.ts";
import { writeFiles } from "../../support/filesOnDisk.ts";
import { needsLinks, skip } from "../../support/skipped.ts";

describe("isReachedWithoutLinks", () => {
  let base = "";

  before(function () {
    needsLinks(this);
    base = fs.mkdtempSync(path.join(os.tmpdir(), "forge-rules-"));
    writeFiles(base, {
      "outside/copilot-instructions.md": "rules",
      "workspace/AGENTS.md": "rules",
      "workspace/src/AGENTS.md": "rules",
    });
    fs.symlinkSync("../outside", path.join(base, "workspace/.github"));
    fs.symlinkSync("../outside/copilot-instructions.md", path.join(base, "workspace/CLAUDE.md"));
    fs.symlinkSync("workspace", path.join(base, "opened"));
    if (process.platform !== "linux") return;
    writeFiles(base, { "Workspace/docs/AGENTS.md": "rules" });
    fs.symlinkSync("../Workspace/docs", path.join(base, "workspace/docs"));
  });
  after(() => {
    if (base !== "") fs.rmSync(base, { recursive: true, force: true });
  });

  const check = (folder: string, file: string, expected: boolean): void => {
    it(`${folder}/${file} ${expected ? "is" : "is not"} reached without links`, async () => {
      assert.equal(await isReachedWithoutLinks(path.join(base, folder), file), expected);
    });
  };
  check("workspace", "AGENTS.md", true);
  check("workspace", "src/AGENTS.md", true);
  check("opened", "src/AGENTS.md", true);
  check("workspace", ".github/copilot-instructions.md", false);
  check("workspace", "CLAUDE.md", false);
  check("workspace", "none/AGENTS.md", false);
  // A different folder on case-sensitive file systems; missing elsewhere.
  check("workspace", "docs/AGENTS.md", false);

  for (const [system, expected] of [
    ["win32", true],
    ["darwin", true],
    ["linux", false],
  ] as const) {
    it(`${expected ? "ignores" : "minds"} the case of letters on ${system}`, async function () {
      if (process.platform !== "linux") skip(this, "the disk must have both spellings");
      assert.equal(await isReachedWithoutLinks(path.join(base, "workspace"), "docs/AGENTS.md", system), expected);
    });
  }
});
