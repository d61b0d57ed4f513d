import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { runSync, sortedInSlices } from "../../src/core/cooperativeTask.ts";

interface Item {
  readonly key: number;
  readonly at: number;
}

const byKey = (one: Item, other: Item): number => one.key - other.key;

describe("sortedInSlices", () => {
  it("sorts as toSorted does, and keeps the order of equal items", () => {
    const sizes = fc.constantFrom(0, 1, 100, 2_000, 2_001, 9_001);
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 5_000 }), fc.nat(), (size, keys, seed) => {
        const items = Array.from({ length: size }, (_, at): Item => ({ key: ((at + 1) * (seed + 7)) % keys, at }));
        assert.deepEqual(runSync(sortedInSlices(items, byKey)), items.toSorted(byKey));
      }),
      { numRuns: 10 },
    );
  });

  it("compares no more than a slice needs between two pauses", () => {
    let compared = 0;
    let most = 0;
    const items = Array.from({ length: 100_000 }, (_, at): Item => ({ key: (at * 7_919) % 100_003, at }));
    const steps = sortedInSlices(items, (one, other) => {
      compared++;
      return byKey(one, other);
    });
    while (steps.next().done !== true) {
      most = Math.max(most, compared);
      compared = 0;
    }
    assert.ok(most < 30_000, String(most)); // 2,000 items take up to 11 comparisons each
  });
});
