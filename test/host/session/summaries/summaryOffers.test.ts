/** What is asked before a summary is used that the user did not ask for. */

import assert from "node:assert/strict";
import { openSummarized } from "../../../support/session/summarizedSession.ts";

describe("summaries that the user wants to be asked about", () => {
  const asking = { "context.askBeforeSummarizing": true };

  it("are shown before they are used: what they cover, what they save, what they say", async () => {
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
    assert.match(session.summaries.automatic.offer?.summaries[0]?.content ?? "", /Faster orders/);
    assert.equal(opened.activeSummaries(), 0);
    session.summaries.automatic.answer("yes");
    await opened.rest();
    assert.deepEqual([opened.activeSummaries(), opened.notice("offer"), opened.model.summaries], [1, undefined, 1]);
  });

  it("are taken back when a message in them is hidden, and made anew of what is there then", async () => {
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

  it("stay while a message that is not in them is hidden, and are used on the user's word though less is in use now", async () => {
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

  it("are left alone after a no, until more is in use", async () => {
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

  it("the question is taken back when a message is sent, and asked again after the answer", async () => {
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

  it("a message that does not fit without one waits for the answer", async () => {
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

  it("a message that does not fit is kept when the answer is no", async () => {
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
