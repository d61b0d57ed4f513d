import assert from "node:assert/strict";
import { CheckedText } from "../../../../src/core/summary/facts/factCheck.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { markFabrications, withoutUnverified } from "../../../../src/core/summary/facts/fabrication.ts";

const SOURCE = [
  "The handler in src/api/orders.ts calls fetchOrders() and takes 4,370 ms; the limit is 120 requests per minute.",
  'The user said "keep the old names for now". See https://example.com/docs and commit 3f2a9c1 of 2026-01-31.',
  "Version 1.4.2 runs on port 8443 with MAX_RETRIES. Run `npm test -- --grep orders` again.",
].join("\n");

describe("markFabrications", () => {
  it("S16 pauses after each line, whatever the lines hold", () => {
    const pausesOf = (answer: string): number => [...markFabrications(answer, new CheckedText(SOURCE))].length;
    const filler = "so it was and so it will be\n".repeat(1_000);
    assert.deepEqual([pausesOf(filler), pausesOf("x".repeat(100_000))], [1_000, 50]);
  });

  const check = (answer: string, expected: string, unverified: readonly string[]): void => {
    it(answer, () => {
      const { text, unverified: marked } = runSync(markFabrications(answer, new CheckedText(SOURCE)));
      assert.deepEqual({ text, unverified: marked }, { text: expected, unverified });
    });
  };
  describe("leaves an answer unchanged if the source supports it", () => {
    for (const answer of [
      "- `src/api/orders.ts`: fetchOrders() takes 4,370 ms (limit 120 requests per minute).",
      "- orders.ts was read; “keep the old names for now.” Port 8443, 1.4.2, MAX_RETRIES.",
      "1. `npm test -- --grep orders`\n2. https://example.com/docs\n3. 3f2a9c1, 2026-01-31",
      "## Goal\nNothing hard is said.",
    ]) {
      check(answer, answer, []);
    }
  });
  describe("marks details that are missing from the source", () => {
    check("See `src/api/users.ts`.", "See `src/api/users.ts` [unverified].", ["src/api/users.ts"]);
    check("It calls deleteOrders() now.", "It calls deleteOrders() [unverified] now.", ["deleteOrders()"]);
    check("It takes 4,371 ms and 99 s.", "It takes 4,371 [unverified] ms and 99 [unverified] s.", ["4,371", "99"]);
    check("It needs 37ms of 5 GB.", "It needs 37ms [unverified] of 5 [unverified] GB.", ["37", "5"]);
    check("Open https://example.com/other today.", "Open https://example.com/other [unverified] today.", [
      "https://example.com/other",
    ]);
    check('He said "drop the old names right now".', 'He said "drop the old names right now" [unverified].', [
      "drop the old names right now",
    ]);
    check("Commit 3f2a9c2 of 2026-02-31.", "Commit 3f2a9c2 [unverified] of 2026-02-31 [unverified].", [
      "3f2a9c2",
      "2026-02-31",
    ]);
    check("Use 1.4.3 and MIN_RETRIES.", "Use 1.4.3 [unverified] and MIN_RETRIES [unverified].", [
      "1.4.3",
      "MIN_RETRIES",
    ]);
    check("Run `npm run deploy now` twice.", "Run `npm run deploy now` [unverified] twice.", ["npm run deploy now"]);
    check("They said 'drop it all at once' to us.", "They said 'drop it all at once' [unverified] to us.", [
      "drop it all at once",
    ]);
    check("Il dit « laisse tout tomber » hier.", "Il dit « laisse tout tomber » [unverified] hier.", [
      "laisse tout tomber",
    ]);
    check("a_b twice: a_b.", "a_b [unverified] twice: a_b [unverified].", ["a_b"]);
  });
});

describe("withoutUnverified", () => {
  const check = (answer: string, expected: string): void => {
    it(answer, () => {
      const { text } = runSync(markFabrications(answer, new CheckedText(SOURCE)));
      assert.equal(withoutUnverified(text), expected);
    });
  };
  check("See `src/api/users.ts` and orders.ts.", "See … and orders.ts.");
  check("Done on 12 March 2031, after 4,371 ms.", "Done on …, after … ms.");
  check('He said "drop the old names right now" here.', "He said … here.");
  check("Run `npm run deploy now` twice, as orders.ts does.", "Run … twice, as orders.ts does.");
  check("Nothing is made up here.", "Nothing is made up here.");
});
