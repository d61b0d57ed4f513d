import assert from "node:assert/strict";
import { formatDateTime } from "../../../src/host/words/formatting.ts";

describe("S18 a stored time that is no moment", () => {
  for (const atMs of [2 ** 53, 8.64e15 + 1, -8.64e15 - 1, Infinity, NaN]) {
    it(`${atMs} is shown in words`, () => {
      assert.equal(formatDateTime(atMs), "at an unknown time");
    });
  }

  it("the last and the first moment are shown as such", () => {
    assert.match(formatDateTime(8.64e15), /^1[234] Sept?, \d\d:\d\d$/);
    assert.match(formatDateTime(0), /^(?:31 Dec|1 Jan), \d\d:\d\d$/);
  });
});
