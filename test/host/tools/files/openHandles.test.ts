/** Open folders and files, as each system can hold them. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import {
  createEmpty,
  openFolder,
  openToRead,
  placeOfHandle,
  readFolder,
  removeEmpty,
} from "../../../../src/host/tools/files/openHandles.ts";
import { writeFiles } from "../../../support/filesOnDisk.ts";
import { needsLinks } from "../../../support/skipped.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";

const SYSTEMS = ["win32", "darwin", "linux"] as const;

for (const system of SYSTEMS) {
  describe(`an open folder on ${system}`, function () {
    let disk: ReturnType<typeof temporaryFolder>;
    let root: string;
    const placeOf = (handle: number): string | undefined => placeOfHandle(handle, system);
    before(function () {
      needsLinks(this);
      if (process.platform === "win32" || (system === "linux" && process.platform !== "linux")) this.skip();
    });
    beforeEach(() => {
      disk = temporaryFolder();
      root = fs.realpathSync(disk.path);
      writeFiles(root, { "there/a.txt": "a", "outside/secret.txt": "secret" });
    });
    afterEach(() => {
      disk.remove();
    });

    it("is made where it is missing, and takes new files", () => {
      for (const names of [[], ["there"], ["there", "new", "deep"]]) {
        const folder = openFolder(root, names, placeOf, system);
        try {
          const handle = createEmpty(folder, "new.txt");
          fs.closeSync(handle);
          assert.ok(fs.existsSync(path.join(root, ...names, "new.txt")), names.join("/"));
          assert.throws(() => createEmpty(folder, "new.txt"), { code: "EEXIST" });
        } finally {
          folder.close();
        }
      }
    });

    it("removes the file that it made, and no other of its name", () => {
      const folder = openFolder(root, ["there"], placeOf, system);
      const handle = createEmpty(folder, "new.txt");
      try {
        fs.renameSync(path.join(root, "there/new.txt"), path.join(root, "there/moved.txt"));
        fs.writeFileSync(path.join(root, "there/new.txt"), "another");
        removeEmpty(folder, "new.txt", handle);
        assert.ok(fs.existsSync(path.join(root, "there/new.txt")));
        removeEmpty(folder, "moved.txt", handle);
        assert.ok(!fs.existsSync(path.join(root, "there/moved.txt")));
      } finally {
        fs.closeSync(handle);
        folder.close();
      }
    });

    if (system !== "win32") {
      it("is not reached by a link", () => {
        fs.symlinkSync("../outside", path.join(root, "there/link"));
        assert.throws(() => openFolder(root, ["there", "link"], placeOf, system), { code: /^(?:ENOTDIR|ELOOP)$/ });
      });
    }

    it("is listed", () => {
      const { entries, place } = readFolder(path.join(root, "there"), system);
      assert.deepEqual(
        entries.map(({ name }) => name),
        ["a.txt"],
      );
      assert.equal(place, system === "linux" ? path.join(root, "there") : undefined);
    });

    it("tells where an open file is now, where the system can", () => {
      const handle = openToRead(path.join(root, "there/a.txt"));
      try {
        fs.renameSync(path.join(root, "there/a.txt"), path.join(root, "b.txt"));
        assert.equal(placeOf(handle), system === "linux" ? path.join(root, "b.txt") : undefined);
      } finally {
        fs.closeSync(handle);
      }
    });
  });
}
