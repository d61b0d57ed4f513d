/** Questions to the user before an automatic summary is used. */

import assert from "node:assert/strict";
import { openSummarized } from "../../../support/session/summarizedSession.ts";

describe("summary offers", () => {
  const asking = { "context.askBeforeSummarizing": true };

  it("show range, saving and text of a summary before it is used", async () => {
    const opened = await openSummarized(asking);
    const { session } = opened;
    await opened.fill(80);
    await opened.rest();
    const notice = opened.notice("offer");
    assert.match(
      notice?.text ?? "",
      /^A summary of messages 1–\d+ is ready: 3\.\dk → [12]\.?\dk? tokens\. The originals are kept\.$/,
    );
    assert.deepEqual(
      notice?.actions.map(({ label }) => label),
      ["Use it", "Read it first", "Not now"],
    );
    assert.match(session.summaries.automatic.offer?.summaries[0]?.content ?? "", /Question 0: what of this/);
    assert.equal(opened.activeSummaries(), 0);
    session.summaries.automatic.answer("yes");
    await opened.rest();
    assert.deepEqual([opened.activeSummaries(), opened.notice("offer"), opened.model.summaries], [1, undefined, 1]);
  });

  it("are withdrawn when a covered message is hidden, and renewed for the visible messages", async () => {
    const opened = await openSummarized(asking);
    const { session, model } = opened;
    await opened.fill(84);
    await opened.rest();
    assert.ok(opened.notice("offer") !== undefined);
    model.script = "held";
    await session.actions.setHidden(2, true);
    await opened.rest();
    assert.deepEqual([opened.notice("offer"), model.live], [undefined, 1]);
    model.script = "good";
    model.release();
    await opened.rest();
    assert.ok(opened.notice("offer") !== undefined);
    session.summaries.automatic.answer("yes");
    await opened.rest();
    assert.equal(opened.activeSummaries(), 1);
  });

  it("stay when another message is hidden, and are accepted although less of the context is used", async () => {
    const opened = await openSummarized(asking);
    const { session } = opened;
    await opened.fill(80);
    await opened.rest();
    await session.actions.setHidden(session.opened.manager.history.length - 1, true);
    await opened.rest();
    assert.equal(opened.model.summaries, 1);
    session.summaries.automatic.answer("yes");
    await opened.rest();
    assert.equal(opened.activeSummaries(), 1);
  });

  it("are not repeated after a no until more of the context is used", async () => {
    const opened = await openSummarized(asking);
    await opened.fill(80);
    await opened.rest();
    opened.session.summaries.automatic.answer("no");
    await opened.say(4);
    await opened.rest();
    assert.deepEqual([opened.notice("offer"), opened.activeSummaries()], [undefined, 0]);
    await opened.fill(86);
    await opened.rest();
    assert.ok(opened.notice("offer") !== undefined);
  });

  it("are withdrawn when a message is sent and repeated after its answer", async () => {
    const opened = await openSummarized(asking);
    await opened.fill(80);
    await opened.rest();
    const { answers } = opened.model;
    await opened.say(4);
    assert.equal(opened.model.answers, answers + 1);
    await opened.rest();
    assert.equal(opened.rows().at(-1)?.rowId, "notice-offer");
    assert.equal(opened.model.summaries, 1, "what was written is kept");
  });

  it("hold a message that does not fit until the user accepts", async () => {
    const opened = await openSummarized({ ...asking, "context.background": false });
    const { session, model } = opened;
    await opened.fill(85);
    const { answers } = model;
    const waiting = opened.say(900);
    await opened.rest();
    assert.match(opened.notice("offer")?.text ?? "", /can be summarized: .*does not fit the model/);
    session.summaries.automatic.answer("yes");
    await waiting;
    assert.deepEqual([model.answers, opened.activeSummaries()], [answers + 1, 1]);
  });

  it("retain a message that does not fit when the user declines", async () => {
    const opened = await openSummarized({ ...asking, "context.background": false });
    await opened.fill(85);
    const waiting = opened.say(900);
    await opened.rest();
    opened.session.summaries.automatic.answer("no");
    await waiting;
    const last = opened.rows().at(-1);
    assert.match(last?.kind === "notice" ? last.text : "", /too large for this model\. Your message is kept/);
    assert.equal(opened.session.opened.manager.history.summaryCount, 0);
  });
});
