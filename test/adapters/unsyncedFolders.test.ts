/** File systems that sync files but no folders: Forge works there as well as on any other. */

import assert from "node:assert/strict";
import { nodeFiles } from "../../src/adapters/node/files.ts";
import { nodeFileCalls } from "../../src/adapters/sqlite/engine/shim/fileCalls.ts";
import { skip } from "../support/skipped.ts";

/** Linux keeps one where it always is. */
const FOLDER_WITHOUT_SYNC = "/proc";

describe("a folder whose file system cannot sync folders", () => {
  const calls: readonly [who: string, syncFolder: (path: string) => Promise<void> | void][] = [
    ["what opens conversations", (path) => nodeFiles.syncFolder(path)],
    [
      "the store",
      (path) => {
        nodeFileCalls.syncFolder(path);
      },
    ],
  ];
  for (const [who, syncFolder] of calls) {
    it(`stops ${who} no more than Windows does`, async function () {
      if (process.platform !== "linux") skip(this, "only Linux has such a folder at hand");
      await syncFolder(FOLDER_WITHOUT_SYNC);
    });
    it(`is told by ${who} from one that is gone`, async function () {
      if (process.platform === "win32") skip(this, "Windows syncs no folders");
      await assert.rejects(async () => {
        await syncFolder("/nowhere-at-all");
      }, /ENOENT/);
    });
  }
});
