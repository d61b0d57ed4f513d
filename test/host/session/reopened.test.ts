import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { fakeTool } from "../../support/editor/fakeTools.ts";
import { openSession, type OpenedSession } from "../../support/session/openSession.ts";
import { shortSegment } from "../../support/session/shortSegment.ts";
import { HeldModel } from "../../support/session/summarizedSession.ts";

const SETUP = { tools: [fakeTool("look")], model: "small" } as const;

/** Segments of the next request, in short. */
function sent({ session }: OpenedSession): string {
  const prepared = session.opened.manager.prepare();
  assert.ok(prepared.kind === "ready");
  return prepared.context.segments.map(shortSegment).join(" ");
}

describe("conversation after a restart", () => {
  it("sends the same segments, so that the provider's cache is hit", async () => {
    const live = await openSession(new HeldModel(), undefined, undefined, SETUP);
    for (const number of [1, 2, 3, 4]) await live.session.send(String(number), `Question ${String(number)}?`);
    await live.session.summaries.summarizeNow();
    await live.session.actions.edit(6, "Something else?", () => undefined);

    assert.equal(sent(live), "S0[0-3] 2 3 4 5 8 9");
    const again = await openSession(new HeldModel(), live.disk, undefined, SETUP);
    assert.equal(sent(again), sent(live));
  });

  it("shows the same rows after a retry of a question from before a summary", async () => {
    const live = await openSession(new HeldModel(), undefined, undefined, SETUP);
    for (const number of [1, 2, 3, 4]) await live.session.send(String(number), `Question ${String(number)}?`);
    await live.session.summaries.summarizeNow();
    await live.session.actions.retry(0);

    const again = await openSession(new HeldModel(), live.disk, undefined, SETUP);
    for (const { rows } of [live, again])
      assert.deepEqual(
        rows().map(({ rowId }) => rowId),
        ["message-0", "message-8"],
      );
  });

  it("shows a summary at the same place as long as any covered message is visible", async () => {
    const live = await openSession(new HeldModel(), undefined, undefined, SETUP);
    for (const number of [1, 2, 3, 4]) await live.session.send(String(number), `Question ${String(number)}?`);
    await live.session.summaries.summarizeNow();
    const places: number[] = [];
    for (const [id, hidden] of [0, 1, 2, 3, 3, 2, 1, 0].map((each, at) => [each, at < 4] as const)) {
      await live.session.actions.setHidden(id, hidden);
      const again = await openSession(new HeldModel(), structuredClone(live.disk), undefined, SETUP);
      const [seen, seenAgain] = [live, again].map(({ rows }) => rows().map(({ rowId }) => rowId));
      assert.deepEqual(seen, seenAgain);
      places.push(seen?.indexOf("summary-0") ?? -1);
    }
    assert.deepEqual(places, [4, 4, 4, -1, 4, 4, 4, 4]);
  });
});
