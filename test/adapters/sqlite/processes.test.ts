import assert from "node:assert/strict";
import { isThorough } from "../../support/runOptions.ts";
import { contend } from "../../support/storage/contention.ts";

const SIZE = {
  processes: 4,
  ...(isThorough ? { operations: 2_000, killsOfEach: 5 } : { operations: 600, killsOfEach: 2 }),
};
const [OPERATIONS, KILLS] = [SIZE.processes * SIZE.operations, SIZE.processes * SIZE.killsOfEach];

describe("four processes contending for one conversation", function () {
  this.timeout(300_000);

  it(`lose and duplicate nothing and are never two owners, in ${OPERATIONS} operations with ${KILLS} kills`, async () => {
    assert.deepEqual(await contend(SIZE), {
      operations: OPERATIONS,
      kills: KILLS,
      lost: 0,
      doubled: 0,
      twoOwners: 0,
      integrityErrors: 0,
    });
  });
});
