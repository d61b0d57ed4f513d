import assert from "node:assert/strict";
import { contend } from "../../support/storage/contention.ts";

const SIZE = { processes: 4, operations: 2_000, killsOfEach: 5 };

describe("four processes contending for one conversation", function () {
  this.timeout(300_000);

  it("lose and duplicate nothing and are never two owners, in 4 × 2,000 operations with 20 kills", async () => {
    assert.deepEqual(await contend(SIZE), {
      operations: 8_000,
      kills: 20,
      lost: 0,
      doubled: 0,
      twoOwners: 0,
      integrityErrors: 0,
    });
  });
});
