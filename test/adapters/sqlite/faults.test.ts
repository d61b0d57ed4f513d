import assert from "node:assert/strict";
import { isThorough } from "../../support/runOptions.ts";
import { FaultRuns } from "../../support/storage/faultRuns.ts";
import { SCENARIOS } from "../../support/storage/storeScenarios.ts";

/** Odd, so that each kind of error meets each kind of call. */
const EVERY = isThorough ? 1 : 3;

describe("store in which each file call fails, once and permanently,", function () {
  this.timeout(300_000);
  let runs: FaultRuns;
  before(async () => {
    runs = await FaultRuns.load();
  });
  after(() => {
    runs.remove();
  });

  for (const scenario of SCENARIOS) {
    it(`stays consistent in ${scenario.name}`, () => {
      const { calls, noticed, wrong } = runs.of(scenario, EVERY);
      assert.deepEqual(wrong, []);
      assert.ok(noticed > calls / 4, `only ${noticed} of ${2 * calls} runs saw their fault`);
    });
  }
});
