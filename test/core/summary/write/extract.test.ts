import assert from "node:assert/strict";
import fc from "fast-check";
import { sizeLimit } from "../../../../src/core/summary/write/composeSummary.ts";
import { extractNotes, extractSource } from "../../../../src/core/summary/write/extract.ts";
import { extractFacts } from "../../../support/session/extractFacts.ts";
import { messageId } from "../../../../src/core/ids.ts";
import { textMessage, type Message } from "../../../../src/core/message.ts";
import { readSource, type SummarySource } from "../../../../src/core/summary/write/source.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { assistant, codingSession, sourcesOf, toolResult, user } from "../../../support/session/summarySources.ts";
import { composeAtOnce } from "../../../support/session/composeAtOnce.ts";
import { testTokenCounter } from "../../../support/models/tokenCounter.ts";

const counter = testTokenCounter();

function extractOf(
  messages: readonly Message[],
  targetTokens: number,
): { content: string; source: number; size: number } {
  const sources = sourcesOf(messages);
  const total = (encoding: "cl100k" | "o200k"): number =>
    sources.reduce((sum, { tokens }) => sum + tokens[encoding], 0);
  const limit = sizeLimit({ cl100k: total("cl100k"), o200k: total("o200k") });
  const read = sources.map(readSource);
  const notes = runSync(extractNotes(runSync(extractSource(read)), Math.floor(targetTokens / 2), limit, counter));
  const { content } = composeAtOnce({ notes, facts: extractFacts(sources), targetTokens, limit });
  return { content, source: total("o200k"), size: counter.countText(content, "o200k") };
}

function sourceOfSummary(text: string): SummarySource {
  return {
    id: messageId(0),
    turn: messageId(0),
    message: textMessage("system", text),
    tokens: { cl100k: 0, o200k: 0 },
  };
}

describe("extractNotes", function () {
  this.timeout(60_000);

  it("selects the most informative sentences in order and states that no model was used", () => {
    const messages = [
      user("Hello there. Please make the import in src/io/import.ts faster, it takes 90 seconds."),
      assistant("Sure thing, gladly so. I will have a look at it now. It is a nice day today, is it not."),
      toolResult("lots of output that matters little\n".repeat(20)),
      assistant("The root cause is that `parseRow` compiles a regular expression for each row. It is done."),
    ];
    const notes = runSync(
      extractNotes(
        runSync(extractSource(sourcesOf(messages).map(readSource))),
        72,
        { cl100k: 500, o200k: 500 },
        counter,
      ),
    );
    assert.equal(
      notes,
      [
        "Extract of messages 1 to 4, made without a model.",
        "- User (1): Please make the import in src/io/import.ts faster, it takes 90 seconds.",
        "- Assistant (4): The root cause is that `parseRow` compiles a regular expression for each row.",
        "- Assistant (4): It is done.",
      ].join("\n"),
    );
  });

  it("of earlier extracts says of which messages it is, and who said what in which of them", () => {
    const earlier = (first: number, last: number, ...lines: readonly string[]): SummarySource => ({
      ...sourceOfSummary([`Extract of messages ${first} to ${last}, made without a model.`, ...lines].join("\n")),
      ...{ id: messageId(first - 1), lastId: messageId(last - 1) },
    });
    const sources = [
      earlier(
        1,
        40,
        "- User (2): Please make the import in src/io/import.ts faster.",
        "## Goal",
        "- Keep `parseRow` pure.",
      ),
      earlier(41, 90, "- [88] assistant: The root cause is that `parseRow` compiles an expression for each row."),
    ];
    const notes = runSync(
      extractNotes(runSync(extractSource(sources.map(readSource))), 120, { cl100k: 500, o200k: 500 }, counter),
    );
    assert.equal(
      notes,
      [
        "Extract of messages 1 to 90, made without a model.",
        "- User (2): Please make the import in src/io/import.ts faster.",
        "- Keep `parseRow` pure.",
        "- Assistant (88): The root cause is that `parseRow` compiles an expression for each row.",
      ].join("\n"),
    );
  });

  it("returns the same extract for the same source", () => {
    assert.equal(extractOf(codingSession(6), 500).content, extractOf(codingSession(6), 500).content);
  });

  it("stays near its target for a long session and retains its directives", () => {
    const { content, source, size } = extractOf(codingSession(20), 1000);
    assert.ok(source > 8_000 && size <= 1_500, `${source} -> ${size}`);
    for (const turn of [19, 12, 7])
      assert.ok(content.includes(`Never call the billing service from test number ${turn}.`));
  });

  it("is never empty and always smaller than a source of 2 tokens or more", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.string({ unit: "grapheme", maxLength: 2000 }),
      fc.constantFrom("a", "ab cd", "never do it", "Never ".repeat(300), "src/a.ts ".repeat(200), "\n\n\n- \n", "…"),
    );
    const message = fc.oneof(
      text.map(user),
      text.map(assistant),
      text.map((value) => toolResult(value)),
    );
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 3000 }),
        (messages, target) => {
          const { content, source, size } = extractOf(messages, target);
          if (source < 2) return;
          assert.notEqual(content.trim(), "");
          assert.ok(size < source, `${size} of ${source}: ${JSON.stringify(content)}`);
        },
      ),
      { seed: 6, numRuns: 1000 },
    );
  });

  it("chooses from a very long conversation as from its best sentences", () => {
    const told = Array.from({ length: 12_000 }, (_, index) =>
      assistant(`Sentence number ${index} tells of the weather.`),
    );
    const decided = user("We decided to keep `parseRow` in src/io/import.ts for now.");
    const messages = told.toSpliced(5_000, 0, decided);
    const { sentences } = runSync(extractSource(sourcesOf(messages).map(readSource)));
    const limit = { cl100k: 500, o200k: 500 };
    const notes = runSync(
      extractNotes(runSync(extractSource(sourcesOf(messages).map(readSource))), 80, limit, counter),
    );
    assert.ok(sentences.length <= 8_000, String(sentences.length));
    assert.match(notes, /We decided to keep `parseRow`/);
  });
});
