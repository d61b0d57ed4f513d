import assert from "node:assert/strict";
import { notesIn } from "../../../../src/core/summary/write/acceptance.ts";
import { assertLinearTime } from "../../../support/linearTime.ts";

describe("notesIn", () => {
  const check = (what: string, answer: string, expected: string): void => {
    it(`removes ${what}`, () => {
      assert.equal(notesIn(answer), expected);
    });
  };
  check("a fence", "```markdown\n## Decisions\n- sqlite\n```", "## Decisions\n- sqlite");
  check("a fence with blank lines in it", "```  \r\n\n\n- sqlite\n\n```\n", "- sqlite");
  check("reasoning in tags", "<think>hm\n</think>\n- sqlite", "- sqlite");
  check("the transcript tags", "<transcript>- sqlite</transcript>", "- sqlite");

  it("keeps a fence around only a part of the notes", () => {
    assert.equal(notesIn("```\na\n```\nb"), "```\na\n```\nb");
  });

  for (const unit of ["\n", "\n ", "```\n", "<think>", "</think>", " "]) {
    it(`takes linear time for repeated ${JSON.stringify(unit)}`, () => {
      assertLinearTime(notesIn, { unit, behind: "```x", longestUnits: 200_000 });
      assertLinearTime((text) => notesIn(`\`\`\`md\n${text}`), { unit, behind: "```x", longestUnits: 200_000 });
    });
  }
});
