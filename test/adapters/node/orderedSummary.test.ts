import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../../src/adapters/node/files.ts";
import { noteOrder, takeOrder } from "../../../src/adapters/node/orderedSummary.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";

describe("the note of an ordered summary", () => {
  const { path: folder, remove } = temporaryFolder();
  after(remove);

  it("is there until it is taken, however often it was made", async () => {
    assert.equal(await takeOrder(folder), false);
    await noteOrder(folder);
    await noteOrder(folder);
    assert.deepEqual([await takeOrder(folder), await takeOrder(folder), readdirSync(folder)], [true, false, []]);
  });

  it("is done without where it cannot be made or removed", async () => {
    const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
    const failing = { ...nodeFiles, writeNew: () => Promise.reject(full), unlink: () => Promise.reject(full) };
    await noteOrder(folder, failing);
    assert.equal(await takeOrder(folder, failing), false);
    await noteOrder(path.join(folder, "gone"));
  });
});
