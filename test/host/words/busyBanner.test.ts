import assert from "node:assert/strict";
import { busyBanner } from "../../../src/host/words/busyBanner.ts";

describe("busyBanner", () => {
  it("names the running activity and offers to cancel it where possible", () => {
    const texts = (["streaming", "summarizing", "applying"] as const).map((activity) => {
      const { text, actions } = busyBanner(activity, "When this answer has ended.");
      return [text, ...actions.map(({ command }) => command)];
    });
    assert.deepEqual(texts, [
      ["When this answer has ended."],
      ["A summary is being written. Cancel it, or wait until it is done, then try again.", "cancelSummary"],
      ["The conversation is just being changed. Try again in a moment."],
    ]);
  });
});
