import assert from "node:assert/strict";
import type { ProviderUsage } from "../../../../src/core/stream/streamEvent.ts";
import type { ProviderName } from "../../../../src/host/connections/providerCatalog.ts";
import { fakeTool } from "../../../support/editor/fakeTools.ts";
import { scriptedProvider, type ScriptedAnswer } from "../../../support/models/scriptedProvider.ts";
import { openSession } from "../../../support/session/openSession.ts";

function answering(inputTokens: number): ScriptedAnswer {
  return async function* (pause) {
    const usage: ProviderUsage = {
      inputTokens,
      outputTokens: 1,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    };
    yield { kind: "usage", usage };
    yield { kind: "text", text: "Yes." };
    await pause();
    yield { kind: "done", stopReason: "endTurn" };
  };
}

describe("L3 a server that drops the tools of a request", () => {
  const tool = fakeTool("read_file");
  const tools = [{ ...tool, definition: { ...tool.definition, description: "Reads a part of a file. ".repeat(300) } }];

  const after = async (providerName: ProviderName, billOf: (usedWithoutTools: number) => number) => {
    let areDropped = false;
    const answers: ScriptedAnswer[] = [];
    const provider = scriptedProvider((pause) => (answers[0] ?? answering(1))(pause));
    const { session } = await openSession(provider, undefined, undefined, {
      tools,
      providerName,
      supportsTools: () => !areDropped,
      noteRefusal: () => void (areDropped = true),
    });
    const { parts } = session.opened.manager.usage();
    answers.push(answering(billOf((parts?.system ?? 0) + 20)));
    await session.send("1", "Is it high water? I would like to know.");
    await session.tools.refresh();
    const now = session.opened.manager.usage();
    return { offered: session.tools.offered.length, reason: session.tools.unavailableReason, tools: now.parts?.tools };
  };

  it("is sent none from then on, and none are counted", async () => {
    assert.deepEqual(await after("openaiCompatible", (tokens) => tokens), { offered: 0, reason: "model", tools: 0 });
  });
  it("is not one that bills them", async () => {
    const { offered, reason } = await after("openaiCompatible", (tokens) => tokens + 1_000);
    assert.deepEqual([offered, reason], [1, undefined]);
  });
  it("is none of the services that are known to take them", async () => {
    const { offered, reason } = await after("anthropic", (tokens) => tokens);
    assert.deepEqual([offered, reason], [1, undefined]);
  });
});
