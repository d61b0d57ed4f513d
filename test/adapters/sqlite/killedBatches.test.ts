import assert from "node:assert/strict";
import { BATCH_STEPS } from "../../support/batchSteps.ts";
import { killedBatches } from "../../support/killedBatches.ts";
import { temporaryFolder } from "../../support/storeBuilders.ts";

describe("a batch of tool calls that is killed at each of its steps", function () {
  this.timeout(120_000);

  it("runs nothing twice, leaves no call without a result, and keeps what was shown", async () => {
    const root = temporaryFolder();
    const child = new URL("../../support/toolsChild.ts", import.meta.url).href;
    const { kills, ...faults } = await killedBatches(root.path, child, 2 * BATCH_STEPS.length);
    root.remove();
    assert.ok(kills >= BATCH_STEPS.length / 2, `${kills} kills`);
    assert.deepEqual(faults, { orphanToolCalls: 0, callsRunTwice: 0, lost: 0, integrityErrors: 0, failedOpens: 0 });
  });
});
