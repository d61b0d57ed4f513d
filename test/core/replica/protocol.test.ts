import assert from "node:assert/strict";
import { searchProtocol } from "../../support/replica/protocolSearch.ts";

describe("The protocol of the replica", () => {
  it("loses nothing and erases everywhere, in whatever order two machines take three steps each", function () {
    this.timeout(300_000);
    const { states, faults } = searchProtocol({ steps: 3 });
    assert.deepEqual(faults, []);
    console.info(`      ${String(states)} states`);
  });
});
