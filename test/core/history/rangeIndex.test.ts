import assert from "node:assert/strict";
import fc from "fast-check";
import { RangeIndex } from "../../../src/core/history/rangeIndex.ts";
import type { MessageRange } from "../../../src/core/history/summaries/summary.ts";
import { range } from "../../support/session/conversation.ts";

const ranges = fc
  .tuple(fc.nat(200), fc.integer({ min: 1, max: 100 }))
  .map(([start, length]) => range(start, start + length));

describe("RangeIndex", () => {
  it("finds the same items as a linear search", () => {
    const added = fc.array(fc.record({ item: fc.nat(20), range: ranges }), { maxLength: 60 });
    fc.assert(
      fc.property(added, ranges, fc.nat(300), (all, asked, position) => {
        const index = new RangeIndex<number>();
        for (const each of all) index.add(each.item, each.range);
        const naive = (accepts: (each: MessageRange) => boolean): readonly number[] =>
          all
            .filter((each) => accepts(each.range))
            .map((each) => each.item)
            .sort();
        assert.deepEqual(
          index.overlapping(asked).toSorted(),
          naive(({ start, end }) => start < asked.end && asked.start < end),
        );
        assert.deepEqual(
          index.strictlyContaining(position, ({ start }) => start % 2 === 0).toSorted(),
          naive(({ start, end }) => start < position && position < end && start % 2 === 0),
        );
      }),
      { numRuns: 1_000, seed: 20_261_122 },
    );
  });
});
