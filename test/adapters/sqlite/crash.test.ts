/** Short form of the crash benchmark: kills at random times and at every named step. */

import assert from "node:assert/strict";
import { run } from "../../../bench/crash.ts";
import { isThorough } from "../../support/runOptions.ts";

const ROUNDS = isThorough ? 100 : 40;

describe("processes killed while streaming answers and running tools", function () {
  this.timeout(280_000);

  it(`lose nothing that was shown, and recover within two seconds, in ${ROUNDS} rounds`, async () => {
    const { figures } = await run({ full: false, rounds: ROUNDS });
    const { rounds, shown, recoverMsMax, ...wrong } = figures;
    assert.deepEqual(wrong, {
      lost: 0,
      integrityErrors: 0,
      failedOpens: 0,
      orphanToolCalls: 0,
      callsRunTwice: 0,
      stepsNeverKilled: 0,
    });
    assert.ok(Number(rounds) >= ROUNDS && Number(shown) > 0 && Number(recoverMsMax) <= 2_000, JSON.stringify(figures));
  });
});
