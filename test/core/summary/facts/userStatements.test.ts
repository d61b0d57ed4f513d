import assert from "node:assert/strict";
import { directivesOf, userStatementsOf } from "../../../../src/core/summary/facts/directives.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { rankStatements } from "../../../../src/core/summary/facts/userVerbatim.ts";

describe("rankStatements", () => {
  it("ranks possible directives before names, reports, questions and statements with a path", () => {
    const said = [
      "It all lives in src/a.ts.",
      "The log says that it is full.",
      "QuizUpload stays as it is.",
      "Due on 2026-03-01, no later.",
      "Tabs are a mistake.",
      "The log says that QuizUpload is full.",
      "Small steps only.",
      "Could the build stay offline?",
    ];
    const ranked = runSync(rankStatements(said.map((text) => ({ fact: { text } }))));
    assert.deepEqual(
      ranked.map(({ fact }) => fact.text),
      [said[3], said[4], said[6], said[2], said[1], said[7], said[0], said[5]],
    );
  });
});

describe("directivesOf and userStatementsOf", () => {
  const check = (title: string, text: string, isKept: boolean): void => {
    it(`${isKept ? "return" : "ignore"}: ${title}`, () => {
      assert.deepEqual([...directivesOf(text), ...userStatementsOf(text)], isKept ? [text] : []);
    });
  };
  check("a deadline at the start", "2026-11-19 is when the doors close", true);
  check("a deadline with a time at the start", "2026-11-19T09:30:00Z is when the doors close for good.", true);
  check("a log line", "2026-11-19T09:30:00Z queue is full", false);
  check("a log line that ends like a sentence", "2026-11-19T09:30:00Z ERROR queue is full.", false);
  check("a log line with a level", "2026-11-19 ERROR queue is full.", false);
  check("a statement about a tool's warnings", "npm warnings are errors here", true);
  check("a tool's warning", "npm warn deprecated glob@7.2.3 no longer supported", false);
  check("a statement about a place", "at Acme (our client) nobody pushes on friday", true);
  check("a line of a stack trace", "at read (/srv/a.js:3:4)", false);
  check("a statement with a smiley at the end", "tabs are a mistake :)", true);
  check("an introduction to output", "here is what it prints:", false);
  check("a question that may be a directive", "Testler çevrimdışı kalabilir mi acaba?", true);
  check("a short question", "Why not?", false);
});
