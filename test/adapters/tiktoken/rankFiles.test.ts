import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildRanks } from "../../../scripts/buildRanks.mjs";
import { loadTokenCounter } from "../../../src/adapters/tiktoken/rankFiles.ts";

describe("loadTokenCounter", function () {
  this.timeout(30_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "forge-ranks-"));
    await buildRanks(path.join(folder, "whole"));
  });
  after(() => rm(folder, { recursive: true }));

  it("loads the files that buildRanks wrote", async () => {
    const counter = await loadTokenCounter(path.join(folder, "whole"));
    assert.ok(counter.ok);
    assert.deepEqual(
      [counter.value.countText("Hello, 世界!", "cl100k"), counter.value.countText("Hello, 世界!", "o200k")],
      [7, 4],
    );
  });

  it("yields to the event loop while it builds", async () => {
    let turns = 0;
    let timer = setImmediate(function again() {
      turns++;
      timer = setImmediate(again);
    });
    await loadTokenCounter(path.join(folder, "whole"));
    clearImmediate(timer);
    assert.ok(turns >= 3, `${turns} turns`);
  });

  const check = (name: string, prepare: (target: string) => Promise<void>, reason: string): void => {
    it(`reports ${reason} for ${name}`, async () => {
      const target = path.join(folder, name);
      await mkdir(target, { recursive: true });
      await prepare(target);
      const counter = await loadTokenCounter(target);
      assert.deepEqual(counter.ok ? "ok" : [counter.error.code, counter.error.reason], ["STORAGE_FAILED", reason]);
    });
  };
  check("an empty folder", () => Promise.resolve(), "fileGone");
  check(
    "a folder in the place of a file",
    (target) =>
      mkdir(path.join(target, "o200k_base.bin")).then(() => writeFile(path.join(target, "cl100k_base.bin"), "")),
    "ioError",
  );
  check(
    "a file that was cut",
    async (target) => {
      for (const file of ["cl100k_base.bin", "o200k_base.bin"]) {
        const whole = await readFile(path.join(folder, "whole", file));
        await writeFile(path.join(target, file), whole.subarray(0, whole.length - 1));
      }
    },
    "damaged",
  );
});
