import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { nodeFiles } from "../../../src/adapters/node/files.ts";
import { recordSummaryOrder, takeSummaryOrder } from "../../../src/adapters/node/orderedSummary.ts";
import { temporaryFolder } from "../../support/storage/storeBuilders.ts";

describe("stored summary order", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => (folder = temporaryFolder()));
  afterEach(() => {
    folder.remove();
  });

  it("is returned once and then removed", async () => {
    assert.equal(await takeSummaryOrder(folder.path), undefined);
    await recordSummaryOrder(folder.path, 3);
    assert.deepEqual([await takeSummaryOrder(folder.path), await takeSummaryOrder(folder.path)], [3, undefined]);
    assert.deepEqual(readdirSync(folder.path), []);
  });

  it("is ignored when a crash truncated it, and can be recorded again", async () => {
    await recordSummaryOrder(folder.path, 3);
    for (const name of readdirSync(folder.path)) writeFileSync(path.join(folder.path, name), "");
    assert.equal(await takeSummaryOrder(folder.path), undefined);
    await recordSummaryOrder(folder.path, 4);
    assert.equal(await takeSummaryOrder(folder.path), 4);
  });

  it("is treated as missing when the disk fails to write or read it", async () => {
    const fails = (): Promise<never> => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" }));
    await recordSummaryOrder(folder.path, 3, { ...nodeFiles, writeNew: fails });
    assert.equal(await takeSummaryOrder(folder.path), undefined);
    await recordSummaryOrder(folder.path, 3);
    assert.equal(await takeSummaryOrder(folder.path, { ...nodeFiles, readText: fails }), undefined);
  });
});
