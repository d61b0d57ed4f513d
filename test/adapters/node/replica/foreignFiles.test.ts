import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { foreignFiles } from "../../../../src/adapters/node/replica/foreignFiles.ts";
import { faultyFiles } from "../../../support/storage/faultyFiles.ts";

const CONVERSATION = "00000000-0000-4000-8000-000000000001";

describe("Files of others in a folder for a replica", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "forge-foreign-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const cases: readonly (readonly [title: string, files: readonly string[], foreign: readonly string[]])[] = [
    ["none in an empty folder", [], []],
    [
      "none of those that systems and synchronizers put there",
      [
        ".DS_Store",
        ".stfolder/x",
        ".stignore",
        ".dropbox",
        "desktop.ini",
        "Thumbs.db",
        "Icon\r",
        "$RECYCLE.BIN/x",
        "@eaDir/x",
      ],
      [],
    ],
    ["none of a replica", [`c/${CONVERSATION}/x.segment`, "root/x.root", "probe/x.key", "c/.DS_Store"], []],
    ["all others", ["thesis.docx", "Photos/one.jpg", "a"], ["Photos", "a", "thesis.docx"]],
    ["those where conversations would be", ["c/main.c", `c/${CONVERSATION}/x`], ["c/main.c"]],
  ];
  for (const [title, files, foreign] of cases)
    it(`are ${title}`, async () => {
      for (const file of files) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), "");
      }
      assert.deepEqual(await foreignFiles(folder), { ok: true, value: foreign });
    });

  it("are none where there is no folder", async () => {
    assert.deepEqual(await foreignFiles(join(folder, "gone")), { ok: true, value: [] });
  });

  it("are not known where the folder cannot be read", async () => {
    const listed = await foreignFiles(
      folder,
      faultyFiles(() => "EACCES"),
    );
    assert.deepEqual(listed, {
      ok: false,
      error: { code: "STORAGE_FAILED", reason: "noPermission", detail: "EACCES: list" },
    });
  });
});
