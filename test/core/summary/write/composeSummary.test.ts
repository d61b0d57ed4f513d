import assert from "node:assert/strict";
import { messageId } from "../../../../src/core/ids.ts";
import { sizeLimit } from "../../../../src/core/summary/write/composeSummary.ts";
import { DIRECTIVE_ALLOWANCE_TOKENS, directiveAllowance } from "../../../../src/core/summary/facts/userVerbatim.ts";
import type { Fact } from "../../../../src/core/summary/facts/fact.ts";
import { readLedger } from "../../../../src/core/summary/facts/ledger.ts";
import { extractFacts } from "../../../support/session/extractFacts.ts";
import { composeAtOnce } from "../../../support/session/composeAtOnce.ts";
import { earlierSummary, sourcesOf, user } from "../../../support/session/summarySources.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

const counter = testTokenCounter();
const LARGE = { cl100k: 100_000, o200k: 100_000 };

const directive = (at: number): Fact => {
  return {
    kind: "directive",
    text: `You must never touch file ${at} of the billing folder.`,
    id: messageId(at),
    lastStated: at,
    weight: 1_000,
  };
};
const path = (at: number): Fact => ({
  kind: "path",
  text: `src/area${at}/file${at}.ts`,
  id: messageId(at),
  lastStated: at,
  weight: 50,
});

/** Size and texts of the ledger below the notes. */
function ledgerOf(content: string): { readonly tokens: number; readonly kept: readonly string[] } {
  const { facts } = readLedger(content);
  const ledger = content.slice(content.indexOf("\n\n## "));
  return { tokens: counter.countText(ledger, "cl100k"), kept: facts.map(({ text }) => text) };
}

describe("the directive allowance", () => {
  const many = Array.from({ length: 60 }, (_, at) => directive(at));
  const compose = (facts: readonly Fact[], targetTokens: number, limit = LARGE): ReturnType<typeof composeAtOnce> =>
    composeAtOnce({ notes: "## Goal\nShip.", facts, targetTokens, limit });

  it("retains the newest directives in their order, up to 400 tokens beyond the target", () => {
    assert.equal(DIRECTIVE_ALLOWANCE_TOKENS, 400);
    const { content, factsKept } = compose(many, 20);
    const { tokens, kept } = ledgerOf(content);
    assert.ok(tokens <= 400 + 20, `${tokens}`);
    assert.ok(tokens > 300, `${tokens}`);
    assert.equal(factsKept, kept.length);
    assert.deepEqual(
      kept,
      many.slice(-kept.length).map(({ text }) => text),
    );
  });

  it("applies even if the notes fill the target", () => {
    const { content } = composeAtOnce({
      notes: "words and words. ".repeat(60),
      facts: many.slice(0, 3),
      targetTokens: 64,
      limit: LARGE,
    });
    assert.equal(ledgerOf(content).kept.length, 3);
  });

  it("ranks directives by their last statement and drops repetitions that differ only in case", () => {
    const { content } = compose([{ ...directive(0), lastStated: 100 }, ...many.slice(1)], 20);
    const { kept } = ledgerOf(content);
    assert.equal(kept.at(-1), directive(0).text);
    const repeated = { ...directive(9), text: directive(9).text.toUpperCase(), lastStated: 101 };
    assert.deepEqual(ledgerOf(compose([directive(9), repeated], 20).content).kept, [repeated.text]);
  });

  it("covers directives in the notes, as the next summary attributes only the ledger to the user", () => {
    const notes = `## Goal\nShip. ${directive(1).text} ${directive(2).text}`;
    const first = composeAtOnce({ notes, facts: many.slice(0, 3), targetTokens: 64, limit: LARGE });
    assert.deepEqual(
      ledgerOf(first.content).kept,
      many.slice(0, 3).map(({ text }) => text),
    );
  });

  it("retains the newest directives through ten summaries of summaries, whatever the notes state", () => {
    let content = "## Goal\nShip.";
    for (let round = 0; round < 10; round++) {
      const said = many.slice(round * 4, round * 4 + 4).map(({ text }) => text);
      const facts = extractFacts(sourcesOf([earlierSummary(content), user(said.join("\n"))]));
      // The notes alternate: one summary states every directive, the next none.
      const notes = round % 2 === 0 ? said.join(" ") : "## Goal\nWork went on.";
      ({ content } = composeAtOnce({ notes, facts, targetTokens: 64, limit: LARGE }));
    }
    const { kept } = ledgerOf(content);
    const orders = many.slice(0, 40).map(({ text }) => text);
    assert.ok(kept.length > 20, `${kept.length}`);
    assert.deepEqual(kept, orders.slice(-kept.length));
  });

  it("passes unused room to the newest other statements of the user", () => {
    const said = Array.from({ length: 150 }, (_, at) => `Folder number ${at} is what matters here.`);
    const facts = extractFacts(sourcesOf([user([directive(0).text, ...said].join("\n"))]));
    const paths = Array.from({ length: 150 }, (_, at) => path(at));
    const composed = compose([...facts, ...paths], 1_000);
    const remarks = readLedger(composed.content).facts.filter(({ kind }) => kind === "remark");
    const remarksTokens = counter.countText(remarks.map(({ text }) => `- ${text}`).join("\n"), "cl100k");
    assert.ok(remarksTokens > 300 && remarksTokens <= 400, `${remarksTokens}`);
    assert.deepEqual(
      remarks.map(({ text }) => text),
      said.slice(-remarks.length),
    );
    const keptPaths = ledgerOf(composed.content).kept.filter((text) => text.startsWith("src/"));
    assert.ok(keptPaths.length > 20 && ledgerOf(composed.content).tokens <= 1_400, `${keptPaths.length}`);
    const next = extractFacts(sourcesOf([earlierSummary(composed.content)]));
    assert.equal(next.filter(({ kind }) => kind === "remark").length, remarks.length);
  });

  it("adds the part of the target that other facts leave to the user's statements", () => {
    const said = Array.from({ length: 150 }, (_, at) => `Folder number ${at} is what matters here.`);
    const { content } = compose(extractFacts(sourcesOf([user(said.join("\n"))])), 3_000);
    assert.deepEqual(ledgerOf(content).kept, said);
  });

  it("omits facts that a retained statement names, and the next level finds them in it", () => {
    const said = ["Builds belong in lib/out.ts for now.", "Caches belong in lib/cache.ts for now."];
    const facts = extractFacts(sourcesOf([user(said.join("\n"))]));
    assert.deepEqual(ledgerOf(compose(facts, 1_000).content).kept, said);
    const next = extractFacts(sourcesOf([earlierSummary(compose(facts, 1_000).content)]));
    const paths = next.filter(({ kind }) => kind === "path").map(({ text }) => text);
    assert.deepEqual(paths.sort(), ["lib/cache.ts", "lib/out.ts"]);
  });

  it("drops the oldest directives first if the size limit is tight", () => {
    const { content } = compose(many.slice(0, 12), 64, { cl100k: 80, o200k: 100_000 });
    assert.equal(ledgerOf(content).kept.at(-1), directive(11).text);
  });

  it("leaves other facts within the target", () => {
    const paths = Array.from({ length: 60 }, (_, at) => path(at));
    const { content } = compose([...many.slice(0, 3), ...paths], 120);
    const { kept } = ledgerOf(content);
    const keptPaths = kept.filter((text) => text.startsWith("src/"));
    assert.ok(keptPaths.length > 5 && keptPaths.length < 20, `${keptPaths.length}`);
    assert.ok(kept.length - keptPaths.length === 3);
  });

  it("never exceeds the size limit of the summary", () => {
    for (const most of [1, 20, 64, 150, 300]) {
      const { content } = compose(many, 64, { cl100k: most, o200k: 100_000 });
      assert.ok(content !== "" && counter.countText(content, "cl100k") <= most, content);
    }
  });
});

describe("directiveAllowance is a fifth of the source, at least 64 and at most 400 tokens", () => {
  const check = (sourceTokens: number, expected: number): void => {
    it(`${sourceTokens} source tokens: ${expected}`, () => {
      assert.equal(directiveAllowance(sourceTokens), expected);
    });
  };
  check(0, 64);
  check(320, 64);
  check(1_000, 200);
  check(2_000, 400);
  check(1_000_000, 400);
});

describe("sizeLimit is smaller than the source", () => {
  const check = (tokens: number, expected: number): void => {
    it(`${tokens} source tokens: ${expected}`, () => {
      assert.deepEqual(sizeLimit({ cl100k: tokens, o200k: 2 * tokens }), {
        cl100k: expected,
        o200k: sizeLimit({ cl100k: 2 * tokens, o200k: 0 }).cl100k,
      });
      assert.ok(expected < tokens || tokens < 2);
    });
  };
  check(0, 0);
  check(1, 0);
  check(2, 1);
  check(80, 40);
  check(81, 41);
  check(1_000, 960);
});
