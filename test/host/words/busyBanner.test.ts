import assert from "node:assert/strict";
import { busyBanner } from "../../../src/host/words/busyBanner.ts";

describe("busyNote", () => {
  it("names what stands in the way, and helps where that can be ended", () => {
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
