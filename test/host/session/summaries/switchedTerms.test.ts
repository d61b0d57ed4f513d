import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { modelId } from "../../../../src/core/ids.ts";
import { fakeTool } from "../../../support/editor/fakeTools.ts";
import { openSession, type OpenedSession } from "../../../support/session/openSession.ts";
import { shortSegment } from "../../../support/session/shortSegment.ts";
import { HeldModel } from "../../../support/session/summarizedSession.ts";

/** Segments of the next request, in short, and the offered tools. */
function sent({ session }: OpenedSession): string {
  const prepared = session.opened.manager.prepare();
  assert.ok(prepared.kind === "ready");
  const { segments, tools } = prepared.context;
  return [...segments.map(shortSegment), ...tools.map(({ name }) => name)].join(" ");
}

/** A partly summarized conversation with a large model, the only one that can call tools. */
async function summarizedWithTools(): Promise<OpenedSession> {
  const opened = await openSession(new HeldModel(), undefined, undefined, {
    tools: [fakeTool("look")],
    model: "large",
    supportsTools: () => model === "large",
  });
  const { session } = opened;
  for (const number of [1, 2, 3, 4, 5]) await session.send(String(number), `Question ${String(number)}?`);
  await session.summaries.summarizeNow();
  return opened;
}

async function switchTo({ session }: OpenedSession, name: string): Promise<void> {
  model = name;
  await session.switchModel({ ...session.connection, model: modelId(name) });
  await session.tools.refresh();
}

/** Current model. */
let model = "large";

describe("models with different tools", () => {
  beforeEach(() => (model = "large"));

  it("sends a model the same segments as before on return to it", async () => {
    const live = await summarizedWithTools();
    assert.equal(sent(live), "S0[0-5] 6 7 8 9 look");
    await switchTo(live, "middle");
    assert.equal(sent(live), "0 1 2 3 4 5 6 7 8 9");
    await live.session.send("6", "Question 6?");
    await switchTo(live, "large");
    assert.equal(sent(live), "S0[0-5] 6 7 8 9 10 11 look");
  });

  it("offers the tools of the current model while their tokens are still counted", async () => {
    const live = await summarizedWithTools();
    const { tools } = live.session;
    model = "middle";
    void tools.refresh();
    await tools.refresh();
    assert.equal(sent(live), "S0[0-5] 6 7 8 9");
  });
});
