import assert from "node:assert/strict";
import { words } from "../../../src/webview/words/words.ts";

describe("message numbers in the page's texts", () => {
  it("start at 1", () => {
    assert.deepEqual(
      [words.covered(0, 37), words.covered(0, 0), words.goToMessage(0), words.findHidden(0)],
      ["messages 1–38", "message 1", "Go to message 1", "Message 1 is hidden:"],
    );
  });
});

describe("counts in the page's texts", () => {
  it("have different texts for zero, one and many", () => {
    assert.deepEqual([0, 1, 2].map(words.spokenChoices), ["Nothing found.", "1 choice.", "2 choices."]);
    assert.deepEqual([1, 2].map(words.spokenSummaryAdded), ["1 message summarized.", "2 messages summarized."]);
    assert.deepEqual(
      [1, 2].map((more) => words.tooManyToAdd(50, more)),
      ["At most 50 can be added at a time; 1 was left out.", "At most 50 can be added at a time; 2 were left out."],
    );
  });
});
