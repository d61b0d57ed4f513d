import assert from "node:assert/strict";
import { isDeeplyNested, MOST_NESTING, parseJson, parseShallowJson } from "../../src/core/json.ts";

const lists = (depth: number): string => `${"[".repeat(depth)}1${"]".repeat(depth)}`;
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("JSON from elsewhere", () => {
  it("E:a byte order mark before it is ignored, once", () => {
    assert.deepEqual(parseJson('\uFEFF{"a":1}'), { ok: true, value: { a: 1 } });
    assert.equal(parseJson('\uFEFF\uFEFF{"a":1}').ok, false);
    assert.equal(parseJson("\uFEFF").ok, false);
  });

  for (const nested of [lists, objects]) {
    it(`S18 ${nested.name} of more levels than can be written again are refused`, () => {
      const depths = [0, 1, MOST_NESTING, MOST_NESTING + 1, 20_000, 200_000];
      assert.deepEqual(
        depths.map((depth) => parseShallowJson(depth === 0 ? "1" : nested(depth)).ok),
        [true, true, true, false, false, false],
      );
    });
  }

  it("S18 a wide value is not a deep one", () => {
    assert.equal(isDeeplyNested(Array.from({ length: 200_000 }, (_, index) => ({ index }))), false);
  });
});
