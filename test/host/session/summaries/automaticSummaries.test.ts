/** Automatic summaries: when they are written and used, what the user is told, and how they are cancelled. */

import assert from "node:assert/strict";
import { messageId, modelId } from "../../../../src/core/ids.ts";
import { openSummarized, OVERLOADED, type SummarizedSession } from "../../../support/session/summarizedSession.ts";

const use = ({ session }: SummarizedSession): number => session.opened.manager.usage().percentage();

describe("automatic summaries", () => {
  it("are written in the background from 70 % on and used after the answer ends", async () => {
    const opened = await openSummarized();
    const { model, session, progress, rows } = opened;
    model.script = "held";
    await opened.fill(70);
    await opened.rest();
    assert.deepEqual([model.held, session.activity, opened.activeSummaries()], [1, "idle", 0]);
    model.answer = "Yes.";
    await opened.say(4);
    assert.equal(opened.activeSummaries(), 0, "the answer did not wait");
    model.release();
    await opened.rest();
    await opened.fill(80);
    await opened.rest();
    assert.equal(opened.activeSummaries(), 1);
    assert.ok(use(opened) <= 60, `${String(use(opened))} %`);
    assert.ok(
      progress.every(([, isAwaited]) => !isAwaited),
      "nobody waited",
    );
    assert.equal(progress.at(-1)?.[0], null);
    assert.match(session.summaries.automatic.saved ?? "", /^Summarized: 3\.\dk → [12]\.?\dk$/);
    assert.equal(rows().filter(({ kind }) => kind === "summary").length, 1);
    assert.equal(session.opened.manager.history.spending.receipts[0]?.trigger, "threshold");
  });

  it("show the saving once and clear it after a while", async () => {
    const opened = await openSummarized();
    await opened.fill(80);
    await opened.rest();
    const { automatic } = opened.session.summaries;
    assert.match(automatic.saved ?? "", /^Summarized/);
    await opened.clock.advance(10_000);
    assert.equal(automatic.saved, undefined);
  });

  it("are written one at a time, also with an ordered summary and a model switch", async () => {
    const opened = await openSummarized();
    const { model, session } = opened;
    model.script = "held";
    await opened.fill(75);
    const ordered = session.summaries.summarizeNow();
    await opened.rest();
    await session.switchModel({ ...session.connection, model: session.opened.manager.model });
    await opened.rest();
    model.script = "good";
    model.release();
    await opened.rest();
    const done = await ordered;
    assert.ok(done.ok && done.value?.trigger === "manual");
    assert.equal(model.mostLive, 1);
  });

  it("delay a request only if it does not fit; messages typed meanwhile are sent afterwards", async () => {
    const opened = await openSummarized();
    const { model, session, progress } = opened;
    model.script = "held";
    await opened.fill(85);
    assert.ok(opened.session.opened.manager.usageStatus().kind === "ready");
    const waiting = opened.say(900);
    await opened.rest();
    assert.deepEqual([session.activity, model.held], ["streaming", 1]);
    assert.deepEqual(progress.at(-1)?.[1], true, "the user is told that it is waited for");
    const typed = opened.say();
    await opened.rest();
    assert.equal(session.composer.queue.view.items.length, 1);
    const { answers } = model;
    model.script = "good";
    model.release();
    await Promise.all([waiting, typed]);
    await opened.rest();
    assert.deepEqual([model.answers - answers, session.composer.queue.view.items.length], [2, 0]);
  });

  it("leave no trace when cancelled and are retried as the conversation continues", async () => {
    const opened = await openSummarized();
    const { model, session, progress } = opened;
    model.script = "held";
    await opened.fill(75);
    await opened.rest();
    const before = session.opened.manager.history.revision;
    session.cancelSummary();
    await opened.rest();
    assert.deepEqual([session.opened.manager.history.revision, progress.at(-1)?.[0], model.live], [before, null, 0]);
    const { summaries } = model;
    model.answer = "Yes.";
    await opened.say(4);
    await opened.rest();
    assert.equal(model.summaries, summaries, "not at once");
    await opened.fill(85);
    await opened.rest();
    assert.equal(model.summaries, summaries + 1);
  });

  it("retain a waiting message for another try when cancelled", async () => {
    const opened = await openSummarized();
    const { model, session, rows } = opened;
    model.script = "held";
    await opened.fill(85);
    const waiting = opened.say(900);
    await opened.rest();
    session.cancelSummary();
    await waiting;
    assert.equal(session.activity, "idle");
    const last = rows().at(-1);
    assert.match(last?.kind === "notice" ? last.text : "", /Your message is kept/);
    model.script = "good";
    await session.retry();
    assert.equal(opened.activeSummaries(), 1);
    assert.equal(rows().at(-1)?.kind, "message");
  });

  it("stop after three failures with a notice and restart on the user's request", async () => {
    const opened = await openSummarized();
    const { model, clock, session } = opened;
    model.script = OVERLOADED;
    await opened.fill(75);
    await opened.rest();
    assert.match(
      opened.notice("summaries")?.text ?? "",
      /^Summarizing failed\. Nothing was changed\. It is tried again at \d\d:\d\d:\d\d\./,
    );
    await clock.advance(15_000);
    await opened.rest();
    await clock.advance(30_000);
    await opened.rest();
    assert.equal(model.summaries, 3);
    const notice = opened.notice("summaries");
    assert.match(
      notice?.text ?? "",
      /failed three times.*no longer tried automatically.*lost\. Scripted is overloaded/,
    );
    assert.deepEqual(notice?.actions, [{ label: "Try again", command: "trySummaryAgain" }]);
    await clock.advance(3_600_000);
    await opened.say(4);
    await opened.rest();
    assert.equal(model.summaries, 3, "nothing is tried any more");
    model.script = "good";
    session.summaries.automatic.tryAgain();
    await opened.rest();
    assert.equal(model.summaries, 4);
    assert.equal(session.opened.manager.history.spending.receipts.length, 1);
    assert.equal(opened.notice("summaries"), undefined);
  });

  it("fall back to extraction after three failures when a request does not fit", async () => {
    const opened = await openSummarized();
    const { model, clock, session } = opened;
    model.script = OVERLOADED;
    await opened.fill(75);
    for (let time = 0; time < 3; time++) {
      await opened.rest();
      await clock.advance(60_000);
    }
    assert.equal(model.summaries, 3);
    const { answers } = model;
    await opened.say(1_200);
    assert.equal(model.answers, answers + 1, JSON.stringify(opened.rows().at(-1)));
    assert.equal(session.opened.manager.history.spending.receipts.at(-1)?.model, "extract");
  });

  it("are not written with infinity off; a full context shows a notice", async () => {
    const opened = await openSummarized({ "context.infinity": false });
    const { model, rows, session } = opened;
    await opened.fill(90);
    await opened.say(900);
    const last = rows().at(-1);
    assert.match(last?.kind === "notice" ? last.text : "", /too large for this model.*kept/);
    assert.deepEqual([model.summaries, session.opened.manager.history.summaryCount], [0, 0]);
    assert.ok((await session.summaries.summarizeNow()).ok);
    await session.retry();
    assert.equal(rows().at(-1)?.kind, "message");
  });

  it("are written before the next request when background work is off", async () => {
    const opened = await openSummarized({ "context.background": false });
    await opened.fill(80);
    await opened.rest();
    assert.equal(opened.model.summaries, 0);
    await opened.say();
    assert.equal(opened.activeSummaries(), 1);
  });

  it("are not rewritten right after the user undid one", async () => {
    const opened = await openSummarized();
    const { model, session } = opened;
    await opened.fill(80);
    await opened.rest();
    const { summaries } = model;
    await session.summaries.setState(0, "undone");
    await opened.rest();
    assert.deepEqual([model.summaries, opened.activeSummaries()], [summaries, 0]);
  });

  it("are discarded when the covered messages change", async () => {
    const opened = await openSummarized();
    const { model, session } = opened;
    model.script = "held";
    await opened.fill(75);
    await opened.rest();
    const { manager, conversation } = session.opened;
    const hidden = manager.hideRecord({ start: messageId(2), end: messageId(4) }, 1);
    assert.ok(hidden.ok && (await conversation.change([hidden.value])).ok);
    model.script = "good";
    model.release();
    await opened.fill(82);
    await opened.rest();
    await opened.rest(); // what was ready was stale, and is written again
    const [made] = manager.history.summaries;
    assert.ok(made !== undefined && manager.history.isUsable(made.id), "only one over what is there now");
  });

  it("start at once for a smaller model and are cancelled on return to the first model", async () => {
    const opened = await openSummarized();
    const { session, model } = opened;
    await opened.fill(60);
    const first = session.connection;
    const before = session.opened.manager.usage().usedTokens;
    await session.switchModel(first);
    model.script = "held";
    const tiny = { ...first, model: modelId("tiny") };
    await session.switchModel(tiny);
    await opened.rest();
    assert.equal(model.live, 1, "begun while the user reads");
    await session.switchModel(first);
    await opened.rest();
    assert.equal(session.opened.manager.usage().usedTokens, before);
    assert.equal(model.live, 0, "what was begun for the small one is ended");
  });

  it("are ended by closing the conversation, with nothing left running", async () => {
    const opened = await openSummarized();
    opened.model.script = "held";
    await opened.fill(75);
    await opened.rest();
    assert.equal(opened.model.live, 1);
    await opened.session.shutDown();
    await opened.rest();
    assert.deepEqual([opened.model.live, opened.activeSummaries()], [0, 0]);
  });
});
