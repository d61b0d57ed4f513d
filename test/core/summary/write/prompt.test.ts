import assert from "node:assert/strict";
import type { SummaryKind } from "../../../../src/core/history/summaries/summary.ts";
import { summaryPrompt } from "../../../../src/core/summary/write/prompt.ts";

const WHOLE = { kind: "whole" } as const;

describe("summaryPrompt", () => {
  describe("has fixed headings for each kind", () => {
    const check = (kind: SummaryKind, expected: readonly string[]): void => {
      it(kind, () => {
        const { system } = summaryPrompt({ kind, notesTokens: 500, holds: WHOLE });
        assert.deepEqual(system.match(/(?<=^## ).*/gm), expected);
      });
    };
    check("conversation", ["Goal", "Decisions", "Findings", "Attempted and abandoned", "Current state", "Open items"]);
    check("toolCalls", ["Operations", "Net result"]);
    check("goalBatch", [
      "Goal arc",
      "Human direction",
      "Achieved",
      "Dead ends",
      "Lasting constraints",
      "Key artifacts",
    ]);
    check("archive", ["Task", "Progress", "Working memory", "Next steps"]);
  });

  it("converts the token limit to a word limit", () => {
    const wordsFor = (notesTokens: number): string | undefined =>
      /At most (\d+) words/.exec(summaryPrompt({ kind: "archive", notesTokens, holds: WHOLE }).system)?.[1];
    assert.deepEqual([wordsFor(1000), wordsFor(1)], ["600", "20"]);
  });

  it("asks for the order, the reasons, the first person and the code that matters", () => {
    const { system } = summaryPrompt({ kind: "conversation", notesTokens: 500, holds: WHOLE });
    const wanted = [
      "I tried … because …",
      "Keep the order of events",
      "why each tool was called",
      "Quote code only where",
    ];
    assert.deepEqual(
      wanted.filter((words) => !system.includes(words)),
      [],
    );
  });

  it("asks for everything that one must know to go on, where all is archived", () => {
    const { system } = summaryPrompt({ kind: "archive", notesTokens: 500, holds: WHOLE });
    const wanted = [
      "files created, changed or read",
      "problems and how they were solved",
      "dependencies",
      "known issues",
    ];
    assert.deepEqual(
      wanted.filter((words) => !system.includes(words)),
      [],
    );
  });

  it("describes the content of the transcript", () => {
    const before = (holds: Parameters<typeof summaryPrompt>[0]["holds"]): string =>
      summaryPrompt({ kind: "conversation", notesTokens: 100, holds }).before;
    assert.deepEqual(
      [before(WHOLE), before({ kind: "part", number: 2, count: 3 }), before({ kind: "notes" })],
      [
        "The transcript:",
        "Part 2 of 3 of the transcript:",
        "Notes on consecutive parts, oldest first. Merge them into one; where they differ, the later one is right:",
      ],
    );
  });
});
