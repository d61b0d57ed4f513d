import assert from "node:assert/strict";
import {
  notesToWriteLines,
  stoppedSummarizerText,
  type SummarizerState,
} from "../../../src/host/context/summarizerLines.ts";

const FINE: SummarizerState = {
  modelLabel: "tiny",
  isStopped: false,
  refused: 0,
  why: undefined,
  problem: "",
  notesToWrite: 0,
};

describe("L5 what the context view says of a summarizer", () => {
  const check = (title: string, changes: Partial<SummarizerState>, stopped: string, lines: readonly string[]): void => {
    it(title, () => {
      const state = { ...FINE, ...changes };
      assert.deepEqual([stoppedSummarizerText(state), notesToWriteLines(state)], [stopped, lines]);
    });
  };
  const stopped =
    "Summaries are made without a model: tiny gave notes of no use 2 times, at last because they repeated themselves. To ask it again, summarize by hand; to ask another one, choose it in the setting forge.summarizationModel.";
  check("nothing while it is fine", { refused: 1, why: "repeats" }, "", []);
  check(
    "why it is not asked any more, and what to do",
    { isStopped: true, refused: 2, why: "repeats", notesToWrite: 1 },
    stopped,
    [],
  );
  check("that notes follow", { notesToWrite: 2 }, "", [
    "2 summaries are extracts for now; their notes are written when nothing runs",
  ]);
});
