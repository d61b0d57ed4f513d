import assert from "node:assert/strict";
import { withoutBlankEnd } from "../../src/protocol/copiedText.ts";

describe("copied text", () => {
  const cases: Readonly<Record<string, string>> = {
    "a\n": "a",
    "a\n\n": "a",
    "a\r\n\r\n": "a",
    "a\n  \n\t\n": "a",
    "a  \n": "a  ",
    "a\n\nb": "a\n\nb",
    "\n  a\n": "\n  a",
    "a\u00a0\n": "a\u00a0",
    " \n": " \n",
    "": "",
  };
  for (const [text, copied] of Object.entries(cases))
    it(`§9 copying ${JSON.stringify(text)} has no blank line at the end`, () => {
      assert.equal(withoutBlankEnd(text), copied);
    });
});
