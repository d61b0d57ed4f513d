/** What is headed as the user's directive, and what is kept among the other words of the user with the same right. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { isDirective } from "../../../src/core/summary/directives.ts";
import { extractFacts } from "../../../src/core/summary/facts.ts";
import { readLedger } from "../../../src/core/summary/ledger.ts";
import { isDoubtfulDirective, isPlainDirective } from "../../../src/core/summary/plainDirectives.ts";
import { composeAtOnce } from "../../support/composeAtOnce.ts";
import { assertLinearTime } from "../../support/linearTime.ts";
import { earlierSummary, sourcesOf, user } from "../../support/summarySources.ts";

const PLAIN = "You must never touch the billing folder.";
const DOUBTFUL = "My uncle demanded that every door must always be locked.";
const REMARK = "The harbour is quiet today.";
const LARGE = { cl100k: 100_000, o200k: 100_000 };

function contentOver(facts: ReturnType<typeof extractFacts>): string {
  return composeAtOnce({ notes: "## Goal\nShip.", facts, targetTokens: 200, limit: LARGE }).content;
}

describe("isPlainDirective", () => {
  const plain = [
    PLAIN,
    "Bitte niemals direkt auf den Hauptzweig pushen.",
    "Toutes les dates doivent être au format ISO.",
    "所有接口必须校验参数。",
    "Could you please always run the linter?",
    "I insist that every table has a key.",
    "Rule: one assertion per test.",
  ];
  const doubtful = [
    DOUBTFUL,
    "The vendor said you must restart it.",
    "wait why must it always restart",
    "Back in the beta it could never be switched off.",
    "The old boss wanted all of it in assembler, no jokes.",
    "Coffee first.",
  ];
  for (const sentence of plain) {
    it(`is an order: ${sentence}`, () => {
      assert.equal(isPlainDirective(sentence), true);
      assert.equal(isDoubtfulDirective(sentence), false);
    });
  }
  for (const sentence of doubtful) {
    it(`may be none: ${sentence}`, () => {
      assert.equal(isPlainDirective(sentence), false);
    });
  }

  it("is true of nothing but directives, and of most of them", () => {
    const file = new URL("../../support/talk/sentences/directing.txt", import.meta.url);
    const directing = readFileSync(file, "utf8").trimEnd().split("\n");
    assert.ok(directing.filter(isPlainDirective).length >= directing.length * 0.65);
    assert.ok(directing.every((sentence) => isDirective(sentence) || !isPlainDirective(sentence)));
  });

  for (const unit of ["must ", "ich muss ", "never have said ", "nunca i", "必须说"]) {
    it(`reads ${JSON.stringify(unit)} again and again in a time that grows with its length`, () => {
      assertLinearTime((text) => text.match(/.{1,480}/gu)?.map(isPlainDirective), { unit, longestUnits: 16_000 });
    });
  }
});

describe("the user's words in a summary", () => {
  const first = contentOver(extractFacts(sourcesOf([user(`${PLAIN} ${DOUBTFUL} ${REMARK}`)])));

  it("stand under the heading of directives only where they plainly are", () => {
    assert.ok(
      first.endsWith(
        `## User directives (word for word)\n- ${PLAIN}\n## Also said by the user\n- ${DOUBTFUL}\n- ${REMARK}`,
      ),
      first,
    );
  });

  it("keep their right at every level, wherever they stand", () => {
    let content = first;
    for (let level = 2; level <= 10; level++) {
      const facts = extractFacts(sourcesOf([earlierSummary(content)]));
      const kinds = new Map(facts.map(({ kind, text }) => [text, kind]));
      assert.deepEqual(
        [PLAIN, DOUBTFUL, REMARK].map((text) => kinds.get(text)),
        ["directive", "directive", "remark"],
      );
      content = contentOver(facts);
    }
    assert.deepEqual(readLedger(content).facts, readLedger(first).facts);
  });

  it("stay under the heading under which the user put them", () => {
    const written = "Salty sea, calm tea.";
    assert.equal(isDirective(written), false);
    const edited = `Notes.\n\n## User directives (word for word)\n- ${written}`;
    const content = contentOver(extractFacts(sourcesOf([earlierSummary(edited)])));
    assert.ok(content.endsWith(`## User directives (word for word)\n- ${written}`), content);
  });
});
