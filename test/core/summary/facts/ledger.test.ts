import assert from "node:assert/strict";
import fc from "fast-check";
import { messageId } from "../../../../src/core/ids.ts";
import {
  type LedgerFact,
  readLedger,
  withoutCopiedLists,
  withoutLedgerDuplicates,
  writeLedger,
} from "../../../../src/core/summary/facts/ledger.ts";

describe("writeLedger", () => {
  it("puts directives first, sentences on separate lines and terms of one kind on a shared line", () => {
    const ledger = writeLedger([
      { kind: "path", text: "src/a.ts" },
      { kind: "error", text: "E1: no such\n  table" },
      { kind: "directive", text: "Never push." },
      { kind: "path", text: "src/b.ts" },
      { kind: "remark", text: "The board meets on Monday.", isCommonplace: true },
      { kind: "path", text: "src/c.ts", isCommonplace: true },
    ]);
    assert.equal(
      ledger,
      [
        "## User directives (word for word)",
        "- Never push.",
        "## Also said by the user",
        "- The board meets on Monday.",
        "## Facts kept word for word",
        "- Error: E1: no such table",
        "- Paths: src/a.ts · src/b.ts",
        "## Also mentioned",
        "- Paths: src/c.ts",
      ].join("\n"),
    );
  });

  it("retains the user's messages with their numbers and lines, which the next level reads again", () => {
    const text = "Do this:\n  1. read `a.ts`\n# 2. write\n- and test";
    const messages: readonly LedgerFact[] = [
      { kind: "message", text, id: messageId(11), isCommonplace: true },
      { kind: "message", text: "[1] of the list, please", isCommonplace: true },
      { kind: "message", text: "continue", id: messageId(20), isCommonplace: true },
    ];
    const ledger = writeLedger([...messages, { kind: "path", text: "src/a.ts" }]);
    assert.equal(
      ledger,
      [
        "## Messages of the user (word for word)",
        "- [12] Do this:",
        "    1. read `a.ts`",
        "  # 2. write",
        "  - and test",
        "- [1] of the list, please",
        "- [21] continue",
        "## Facts kept word for word",
        "- Paths: src/a.ts",
      ].join("\n"),
    );
    assert.deepEqual(readLedger(`## Goal\nWork.\n\n${ledger}`), {
      facts: [
        messages[0],
        { kind: "message", text: "of the list, please", id: messageId(0), isCommonplace: true },
        messages[2],
        { kind: "path", text: "src/a.ts" },
      ],
      rest: "## Goal\nWork.\n",
    });
  });

  it("is empty without facts", () => {
    assert.equal(writeLedger([]), "");
  });
});

describe("readLedger", function () {
  this.timeout(20_000);

  it("returns the facts and the text around the ledger", () => {
    const ledger = writeLedger([
      { kind: "directive", text: "Paths: never absolute." },
      { kind: "version", text: "1.2.3" },
      { kind: "remark", text: "Paths: are long here.", isCommonplace: true },
    ]);
    assert.deepEqual(readLedger(`## Goal\nShip: 1 · 2\n\n${ledger}\n## Notes by hand\n- Paths: x`), {
      facts: [
        { kind: "directive", text: "Paths: never absolute." },
        { kind: "remark", text: "Paths: are long here.", isCommonplace: true },
        { kind: "version", text: "1.2.3" },
      ],
      rest: "## Goal\nShip: 1 · 2\n\n## Notes by hand\n- Paths: x",
    });
  });

  it("restores any written ledger, which is then written identically again", () => {
    const kinds = ["directive", "decision", "error", "command", "quote", "path", "identifier", "quantity"] as const;
    const word = fc.stringMatching(/^[A-Za-z0-9_/.:-]{1,12}$/);
    const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
    const fact = fc.record({ kind: fc.constantFrom(...kinds), text });
    const inOrder = (facts: readonly LedgerFact[]): readonly string[] => facts.map((one) => JSON.stringify(one)).sort();
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 12 }), (facts) => {
        const once = readLedger(writeLedger(facts));
        assert.deepEqual(inOrder(once.facts), inOrder(facts));
        assert.equal(writeLedger(once.facts), writeLedger(facts));
      }),
      { seed: 5, numRuns: 1000 },
    );
  });
});

describe("withoutLedgerDuplicates", () => {
  const check = (title: string, notes: string, expected: string): void => {
    it(title, () => {
      assert.equal(withoutLedgerDuplicates(notes, new Set(["Never push.", "It's late."])), expected);
    });
  };
  check("removes lines that duplicate the ledger", "## Goal\n- Never push.\n  * It’s  late.\nShip.", "## Goal\nShip.");
  check("keeps notes that consist of nothing but duplicates", "## Goal\n- Never push.", "## Goal\n- Never push.");
  check(
    "keeps lines that only partly match the ledger",
    "- Never push. Ask first.\nNever",
    "- Never push. Ask first.\nNever",
  );
});

describe("withoutCopiedLists", () => {
  const check = (title: string, notes: string, expected: string): void => {
    it(title, () => {
      assert.equal(withoutCopiedLists(notes), expected);
    });
  };
  check(
    "removes ledger lists from notes, even if they were copied repeatedly",
    "## Findings\n- The port is 80.\n- Figures: 3 ms · 4 ms\n- - - Paths: a.ts · b.ts [unverified]",
    "## Findings\n- The port is 80.",
  );
  check(
    "keeps prose that resembles a ledger list",
    "- Figures: 3 ms is the limit\n- a.ts · b.ts",
    "- Figures: 3 ms is the limit\n- a.ts · b.ts",
  );
  check(
    "keeps ledger sentences",
    "- Decision: A · B is kept\n- Error: E · F",
    "- Decision: A · B is kept\n- Error: E · F",
  );
});
