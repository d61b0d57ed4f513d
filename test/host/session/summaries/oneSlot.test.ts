/** Summaries by a server that works on one request at a time: the user's message goes first. */

import assert from "node:assert/strict";
import { applyComposerChange } from "../../../../src/host/chat/composerChange.ts";
import { openSummarized, type SummarizedSession } from "../../../support/session/summarizedSession.ts";

describe("L4 a server with one slot", () => {
  const open = (slots: number) => openSummarized({}, undefined, undefined, { slots });

  it("is left to the user's message: a running summary is stopped, and taken up when the answer has ended", async () => {
    const opened = await open(1);
    const { model, session } = opened;
    model.script = "held";
    await opened.fill(75);
    await opened.rest();
    assert.deepEqual([model.held, model.live], [1, 1]);
    assert.ok(model.pieces > 0, "it is read in pieces");
    model.answer = "Yes.";
    await opened.say(4);
    assert.equal(model.liveAtAnswers.at(-1), 0);
    await opened.rest();
    assert.deepEqual([model.live, model.summaries, model.mostLive], [1, 2, 1]);
    model.script = "good";
    model.release();
    await opened.rest();
    await opened.fill(80);
    await opened.rest();
    assert.ok(opened.activeSummaries() > 0);
    assert.equal(session.opened.manager.history.spending.receipts[0]?.trigger, "threshold");
    assert.ok(
      model.liveAtAnswers.every((live) => live === 0),
      String(model.liveAtAnswers),
    );
  });

  it("is not so with more slots: the summary goes on beside the message", async () => {
    const opened = await open(2);
    const { model } = opened;
    model.script = "held";
    await opened.fill(75);
    await opened.rest();
    await opened.say(4);
    await opened.rest();
    assert.deepEqual([model.liveAtAnswers.at(-1), model.summaries, model.pieces], [1, 1, 0]);
  });

  it("has a message that does not fit wait for no summary: room is made without the model", async () => {
    const opened = await open(1);
    const { model, session, progress } = opened;
    model.script = "held";
    await opened.fill(85);
    await opened.rest();
    await opened.say(900);
    const { receipts } = session.opened.manager.history.spending;
    assert.deepEqual(
      [model.liveAtAnswers.at(-1), receipts.map(({ model: by, calls }) => [by, calls])],
      [0, [["extract", 0]]],
    );
    model.script = "good";
    model.release();
    await opened.rest();
    assert.equal(progress.at(-1)?.[0], null);
  });

  const typing =
    ({ session }: SummarizedSession) =>
    (text: string) =>
      applyComposerChange(
        {
          kind: "compose",
          number: 1,
          conversationId: session.opened.id,
          change: { kind: "text", base: session.composer.document.revision, text },
        },
        session,
        { added: () => Promise.resolve() },
        { showDraftTokens: () => undefined, dropNote: () => undefined },
      );

  it("begins no summary while the user types, and one when they pause", async () => {
    const opened = await open(1);
    const { model, session, clock } = opened;
    model.script = "held";
    const type = typing(opened);
    await opened.fill(60);
    await type("A");
    await opened.fill(75);
    await opened.rest();
    assert.equal(model.summaries, 0);
    await clock.advance(4_000);
    await type("And");
    await clock.advance(4_999);
    await opened.rest();
    assert.equal(model.summaries, 0);
    await clock.advance(1);
    await opened.rest();
    assert.equal(model.summaries, 1);
    await session.shutDown();
    assert.equal(clock.pending, 0);
  });

  it("stops a running summary when the user begins to type, and begins it anew when they pause", async () => {
    const counts: Record<string, unknown> = {};
    for (const slots of [1, 2]) {
      const opened = await open(slots);
      const { model, clock } = opened;
      model.script = "held";
      await opened.fill(75);
      await opened.rest();
      const seen = [[model.live, model.summaries]];
      const type = typing(opened);
      for (const wait of [0, 5_000]) {
        if (wait === 0) await type("A");
        await clock.advance(wait);
        await opened.rest();
        seen.push([model.live, model.summaries]);
      }
      counts[slots] = seen;
      await opened.session.shutDown();
    }
    assert.deepEqual(counts, {
      1: [
        [1, 1],
        [0, 1],
        [1, 2],
      ],
      2: [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    });
  });
});
