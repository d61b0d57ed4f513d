import assert from "node:assert/strict";
import { byTool, type Summary } from "../../../src/core/history/summaries/summary.ts";
import { modelId, summaryId } from "../../../src/core/ids.ts";
import { requestDocument } from "../../../src/host/session/summaries/summaryRequest.ts";
import { summaryCause, summaryEffect, summaryMeta } from "../../../src/host/transcript/summaryMeta.ts";

describe("a summary that came with a conversation of another tool", () => {
  const by = (generatedBy: string) => {
    const summary = { id: summaryId(0), generatedBy, createdAtMs: 0 } as Summary;
    const [writer] = summaryMeta(summary, []).split(" · ");
    const request = { request: undefined, model: modelId("small") };
    const [first] = requestDocument(request, summary).split("\n");
    return [summaryCause(summary, []), writer, summaryEffect(summary, []), first];
  };

  it("says whose it is", () => {
    const CLAUDE = "Claude Code wrote this summary. It was imported with the conversation.";
    const NO_MODEL = "No model is set up that would be asked for it.";
    assert.deepEqual(by(byTool("Claude Code")), ["by Claude Code", "Summary by Claude Code", "", CLAUDE]);
    assert.deepEqual(by("gpt-6-luna"), ["", "gpt-6-luna", "", NO_MODEL]);
  });
});
