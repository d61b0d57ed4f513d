import assert from "node:assert/strict";
import { notesIn } from "../../../../src/core/summary/write/acceptance.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";

describe("the notes in an answer", () => {
  const check = (what: string, answer: string, expected: string): void => {
    it(`are free of ${what}`, () => {
      assert.equal(notesIn(answer), expected);
    });
  };
  check("a fence", "```markdown\n## Decisions\n- sqlite\n```", "## Decisions\n- sqlite");
  check("a fence with blank lines in it", "```  \r\n\n\n- sqlite\n\n```\n", "- sqlite");
  check("reasoning aloud", "<think>hm\n</think>\n- sqlite", "- sqlite");
  check("the transcript's frame", "<transcript>- sqlite</transcript>", "- sqlite");

  it("keep a fence that does not hold all of them", () => {
    assert.equal(notesIn("```\na\n```\nb"), "```\na\n```\nb");
  });

  for (const unit of ["\n", "\n ", "```\n", "<think>", "</think>", " "]) {
    it(`are read in a time that grows with the answer: ${JSON.stringify(unit)}`, () => {
      assertLinearTime(notesIn, { unit, behind: "```x", longestUnits: 200_000 });
      assertLinearTime((text) => notesIn(`\`\`\`md\n${text}`), { unit, behind: "```x", longestUnits: 200_000 });
    });
  }
});
