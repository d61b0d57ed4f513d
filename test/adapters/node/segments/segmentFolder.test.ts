import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SegmentFolder } from "../../../../src/adapters/node/segments/segmentFolder.ts";
import { temporaryFolder } from "../../../support/storage/storeBuilders.ts";
import { runWaiting } from "../../../support/waitingTasks.ts";

const FIRST = Uint8Array.of(1, 2, 3);
const SECOND = Uint8Array.of(4, 5, 6, 7);

function contents(folder: SegmentFolder): readonly Uint8Array[] {
  return folder.list().map((name) => bytesOf(folder, name));
}

function bytesOf(folder: SegmentFolder, name: string): Uint8Array {
  const file = folder.open(name);
  return file.read(0, file.length);
}

describe("The folder of segments", () => {
  const windows = (): { folder: string; one: SegmentFolder; other: SegmentFolder } => {
    const folder = temporaryFolder().path;
    return { folder, one: new SegmentFolder(folder), other: new SegmentFolder(folder) };
  };

  it("lets a window read what it listed while another one replaces it", async () => {
    const { folder, one, other } = windows();
    await runWaiting(other.replace([], [FIRST]));
    const [name = ""] = one.list();
    for (const released of [false, true]) {
      if (released) one.release();
      assert.deepEqual(one.list(), [name]);
    }
    await runWaiting(other.replace([name], [SECOND]));
    assert.ok(!existsSync(join(folder, name)));
    assert.deepEqual(bytesOf(one, name), FIRST);
    assert.deepEqual(contents(one), [SECOND]);
    assert.throws(() => one.open(name), /is not listed/);
  });

  it("does not list a segment that was deleted, even if the list still names it", async () => {
    const { folder, one } = windows();
    await runWaiting(one.replace([], [FIRST, SECOND]));
    const [first = "", second] = one.list();
    one.release();
    rmSync(join(folder, first));
    assert.deepEqual(one.list(), [second]);
    assert.deepEqual(contents(one), [SECOND]);
  });

  it("throws when the disk refuses", async () => {
    const { folder, one } = windows();
    rmSync(folder, { recursive: true });
    await assert.rejects(runWaiting(one.replace([], [FIRST])), { code: "ENOENT" });
  });

  it("has the segments of before or after, and no other file, when a replacement ends at any of its pauses", async () => {
    const long = new Uint8Array(2_500_000).map((_, at) => at % 251);
    const ends = new Set<string>();
    for (let pauses = 0; ; pauses++) {
      const { folder, one, other } = windows();
      await runWaiting(one.replace([], [FIRST, SECOND]));
      const steps = one.replace(one.list(), [long, SECOND]);
      let isWhole = false;
      for (let pause = 0; pause <= pauses && !isWhole; pause++) {
        const step = steps.next();
        isWhole = step.done === true;
        await step.value;
        const listed = contents(one); // a search may be next
        assert.deepEqual(listed, listed[0]?.length === FIRST.length ? [FIRST, SECOND] : [long, SECOND]);
      }
      steps.return();
      const found = contents(other);
      const isBefore = found[0]?.length === FIRST.length;
      assert.deepEqual(found, isBefore ? [FIRST, SECOND] : [long, SECOND]);
      assert.equal(readdirSync(folder).length, 3);
      ends.add(isBefore ? "before" : "after");
      if (isWhole) break;
    }
    assert.deepEqual([...ends], ["before", "after"]);
  });
});
