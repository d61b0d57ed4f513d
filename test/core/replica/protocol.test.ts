import assert from "node:assert/strict";
import {
  faultsWhenQuiet,
  keyOfState,
  lostIn,
  nextStates,
  startState,
  type ModelLimits,
  type ModelState,
} from "../../support/replica/protocolModel.ts";

/** Every state that the limits allow, equal ones once. */
function search(limits: ModelLimits): { readonly states: number; readonly faults: readonly string[] } {
  const start = startState(limits);
  const seen = new Set([keyOfState(start)]);
  let level: readonly ModelState[] = [start];
  while (level.length > 0) {
    const next: ModelState[] = [];
    for (const state of level) {
      const lost = lostIn(state).map((hash) => `lost: ${hash}`);
      const faults = state.machines.every(({ steps }) => steps === 0) ? faultsWhenQuiet(state) : [];
      if (lost.length + faults.length > 0)
        return {
          states: seen.size,
          faults: [...lost, ...faults].map((fault) => `${fault}, from ${JSON.stringify(state)}`),
        };
      for (const after of nextStates(state)) {
        const key = keyOfState(after);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(after);
      }
    }
    level = next;
  }
  return { states: seen.size, faults: [] };
}

describe("The protocol of the replica", () => {
  it("loses nothing and erases everywhere, in whatever order two machines take three steps each", function () {
    this.timeout(300_000);
    const { states, faults } = search({ steps: 3 });
    assert.deepEqual(faults, []);
    console.info(`      ${String(states)} states`);
  });
});
