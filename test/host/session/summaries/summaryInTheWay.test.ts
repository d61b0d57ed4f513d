/** Summaries that are being written, and user actions meanwhile. */

import assert from "node:assert/strict";
import { summarize } from "../../../../src/host/commands/summarizeCommand.ts";
import type { Banner } from "../../../../src/protocol/toView.ts";
import { withQuestions } from "../../../support/editor/fakeQuestions.ts";
import { HeldModel, openSummarized, type SummarizedSession } from "../../../support/session/summarizedSession.ts";

const { handleSummaryAction } = await withQuestions(() => import("../../../../src/host/chat/summaryActions.ts"));

const WRITING: Banner = {
  tone: "info",
  text: "A summary is being written. Cancel it, or wait until it is done, then try again.",
  actions: [{ label: "Cancel summarizing", command: "cancelSummary" }],
};

/** Records the shown banners, the current one last; null for a removed note. */
class Place {
  readonly shown: (Banner | null)[] = [];

  showBanner(banner: Banner): void {
    this.shown.push(banner);
  }

  dropNote(): void {
    this.shown.push(null);
  }
}

/** A conversation with one summary, while a second one ordered by the user is being written. */
async function ordered(): Promise<SummarizedSession & { readonly place: Place; readonly done: Promise<void> }> {
  const opened = await openSummarized();
  await opened.fill(80);
  await opened.rest();
  assert.equal(opened.activeSummaries(), 1);
  await opened.fill(60);
  opened.model.script = "held";
  const place = new Place();
  const done = summarize(opened.session, {}, place);
  await opened.rest();
  assert.deepEqual([opened.session.activity, opened.model.held], ["summarizing", 1]);
  return { ...opened, place, done };
}

describe("summary ordered by the user", () => {
  it("blocks the undo of another one with a banner, until it is cancelled", async () => {
    const { session, banners, activeSummaries, done } = await ordered();
    await session.summaries.setState(0, "undone");
    assert.deepEqual([banners.at(-1), activeSummaries()], [WRITING, 1]);
    session.cancelSummary();
    await done;
    await session.summaries.setState(0, "undone");
    assert.equal(activeSummaries(), 0);
  });

  it("blocks another version of a summary with a banner", async () => {
    const { session, model, banners, place, done } = await ordered();
    const ask = { what: "again", model: "", sizePercent: 100, focus: "the tides" } as const;
    const documents = {
      compare: () => assert.fail("nothing is compared"),
      show: () => assert.fail("nothing is shown"),
    };
    const { summaries } = model;
    await handleSummaryAction(session, { summaryId: 0, ask }, documents, place, { post: () => undefined });
    assert.deepEqual([banners.at(-1), model.summaries], [WRITING, summaries]);
    session.cancelSummary();
    await done;
    assert.deepEqual(place.shown, [null], "what stood in the way is gone, and the note with it");
  });

  it("is not restarted automatically right after the user stops it", async () => {
    const opened = await openSummarized();
    const { session, model } = opened;
    model.script = "held";
    await opened.fill(75);
    await opened.rest();
    assert.equal(model.live, 1, "one is written in the background");
    const done = session.summaries.summarizeNow();
    await opened.rest();
    session.stop();
    assert.deepEqual(await done, { ok: false, error: { code: "CANCELLED" } });
    await opened.rest();
    assert.deepEqual([model.live, session.activity, opened.progress.at(-1)?.[0]], [0, "idle", null]);
    await opened.fill(85);
    await opened.rest();
    assert.equal(model.live, 1, "when the conversation has gone on, it is");
  });
});

describe("summary that an answer waits for", () => {
  it("blocks other actions with a banner whose button cancels both", async () => {
    const opened = await openSummarized({ "context.infinity": "auto" });
    const { session, model, banners, rest } = opened;
    await opened.fill(60);
    model.script = "held";
    const answers = model.answers;
    void opened.say(2_000);
    await rest();
    assert.deepEqual([session.activity, model.held, model.answers], ["streaming", 1, answers]);
    await session.actions.setPinned(0, true);
    await session.actions.retry(0);
    await session.summaries.setState(0, "undone");
    assert.deepEqual(banners.slice(-3), [WRITING, WRITING, WRITING]);
    assert.ok(session.cancelSummary());
    await rest();
    assert.deepEqual([session.activity, model.live, model.answers], ["idle", 0, answers]);
  });
});

describe("background summary", () => {
  /** A summary in progress, and another service that could write it. */
  async function begun(settings: Readonly<Record<string, unknown>> = {}) {
    const opened = await openSummarized(settings);
    const other = new HeldModel();
    opened.model.script = other.script = "held";
    await opened.fill(75);
    await opened.rest();
    assert.deepEqual([opened.model.live, other.live], [1, 0]);
    return { ...opened, other };
  }

  it("is restarted with the service newly named in the settings", async () => {
    const { session, model, other, rest } = await begun();
    session.connect({ ...session.connection, provider: other, why: "Another server stands in the settings" });
    await rest();
    assert.deepEqual([model.live, other.live], [0, 1]);
  });

  it("continues when an unrelated setting changes", async () => {
    const { session, model, other, rest } = await begun();
    session.connect({ ...session.connection, provider: other });
    await rest();
    assert.deepEqual([model.live, other.live], [1, 0]);
  });

  it("is replanned with the strategy newly named in the settings", async () => {
    const settings: Record<string, unknown> = {};
    const { session, model, rest } = await begun(settings);
    settings["context.strategy"] = "sandwich";
    session.connect(session.connection);
    await rest();
    assert.deepEqual([model.summaries, model.live], [2, 1]);
  });

  it("is cancelled when the user changes an earlier summary that it is based on", async () => {
    const opened = await openSummarized({ "context.strategy": "archive" });
    const { session, model, say, rest } = opened;
    while (opened.activeSummaries() === 0) {
      await say();
      await rest();
    }
    model.script = "held";
    for (const change of [
      () => session.summaries.edit(0, "The release is frozen until Friday."),
      () => session.summaries.use(0),
    ]) {
      while (model.live === 0) {
        await say(30);
        await rest();
      }
      assert.ok((await change()).ok);
      assert.equal(model.live, 0);
    }
  });
});
