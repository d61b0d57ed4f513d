import assert from "node:assert/strict";
import { Cancellation, follow } from "../../src/core/cancellation.ts";

describe("Cancellation", () => {
  it("notifies each listener once, and follows another until released", () => {
    const [outer, inner, freed] = [new Cancellation(), new Cancellation(), new Cancellation()];
    let calls = 0;
    inner.addEventListener("abort", () => calls++);
    follow(outer, inner);
    follow(outer, freed)();
    outer.abort();
    outer.abort();
    assert.deepEqual([calls, inner.aborted, freed.aborted], [1, true, false]);
    const late = new Cancellation();
    follow(outer, late);
    assert.equal(late.aborted, true);
  });
});
