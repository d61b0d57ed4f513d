import assert from "node:assert/strict";
import { isThorough } from "../../support/runOptions.ts";
import { damagedFiles } from "../../support/storage/damagedFiles.ts";

const FILES = isThorough ? 1_000 : 250;

describe("damaged files", function () {
  this.timeout(300_000);

  it(`are never deleted, cause no crash and keep undamaged messages readable, in ${FILES} cases`, async () => {
    const { files, rescues, untouched, readable, ...wrong } = await damagedFiles(FILES);
    assert.deepEqual(wrong, { deletions: 0, changedWords: 0, crashes: 0, faults: [] });
    const share = readable / untouched;
    assert.ok(share >= 0.95, `${(100 * share).toFixed(2)} % of ${untouched} untouched messages were readable`);
    assert.ok(rescues > files / 4, `only ${rescues} files were bad enough to be rescued`);
  });
});
