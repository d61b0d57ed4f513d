import assert from "node:assert/strict";
import { failureLine } from "../../scripts/testing/failureLine.ts";

function errorWith(message: string, ...frames: readonly string[]): Error {
  const error = new Error(message);
  error.stack = [`Error: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join("\n");
  return error;
}

const HELPER = "pick (file:///home/me/forge/test/ui/support/workbench.ts:51:39)";
const TEST = "Context.<anonymous> (file:///home/me/forge/test/ui/replication.ui.ts:153:5)";
const WAITING =
  "locator.click: Timeout 30000ms exceeded.\nCall log:\n\u001b[2m  - waiting for getByText('it')\u001b[22m\n";

describe("the line about a failed test", () => {
  for (const [what, error, line] of [
    [
      "says what was waited for, and where in the test",
      errorWith(WAITING, HELPER, TEST),
      "locator.click: Timeout 30000ms exceeded. | waiting for getByText('it') | test/ui/replication.ui.ts:153",
    ],
    ["names a helper if no test is in the stack", errorWith("no", HELPER), "no | test/ui/support/workbench.ts:51"],
    ["is the first line of the message alone", errorWith("first\n  at test/a.test.ts:3"), "first"],
    ["takes what is no error", "first\nsecond", "first"],
    ["is empty for an error without words", errorWith(""), ""],
    ["is not long", "x".repeat(1_000), "x".repeat(300)],
  ] as const)
    it(what, () => {
      assert.equal(failureLine(error), line);
    });
});
