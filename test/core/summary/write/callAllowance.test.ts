import assert from "node:assert/strict";
import { CallAllowance } from "../../../../src/core/summary/write/callAllowance.ts";

describe("the calls of a compaction", () => {
  const check = (calls: number, parts: number, expected: readonly number[]): void => {
    it(`${String(calls)} among ${String(parts)} parts`, () => {
      const all = new CallAllowance(calls);
      const own = all.divide(parts);
      assert.deepEqual(
        own.map(({ left }) => left),
        expected,
      );
      assert.equal(all.left, calls === Infinity ? Infinity : 0);
      for (const part of own) all.giveBack(part);
      assert.equal(all.left, calls);
    });
  };
  check(10, 1, [10]);
  check(10, 4, [3, 3, 2, 2]);
  check(2, 4, [1, 1, 0, 0]);
  check(Infinity, 2, [Infinity, Infinity]);
});
