import assert from "node:assert/strict";
import { isThorough } from "../../support/runOptions.ts";
import { searchProtocol } from "../../support/replica/protocolSearch.ts";

/** With as many kills and lagging lists as there are steps, or with one: a tenth of the states. */
const LIMITS = isThorough ? { steps: 3 } : { steps: 3, faults: 1 };

describe("The protocol of the replica", () => {
  it("loses nothing and erases everywhere, in whatever order two machines take three steps each", function () {
    this.timeout(300_000);
    const { states, faults } = searchProtocol(LIMITS);
    assert.deepEqual(faults, []);
    console.info(`      ${String(states)} states`);
  });
});
