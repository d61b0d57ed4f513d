/** Questions to the user before an automatic summary is used. */

import assert from "node:assert/strict";
import type { ForgeError } from "../../../../src/core/errors.ts";
import type { Result } from "../../../../src/core/result.ts";
import type { Summary } from "../../../../src/core/history/summaries/summary.ts";
import { modelId } from "../../../../src/core/ids.ts";
import type { Connection } from "../../../../src/host/connections/connections.ts";
import type { OfferView } from "../../../../src/protocol/summaryView.ts";
import {
  HeldModel,
  openSummarized,
  OVERLOADED,
  type SummarizedSession,
} from "../../../support/session/summarizedSession.ts";

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

  describe("that are only planned", () => {
    const planned = async (): Promise<SummarizedSession> => {
      const opened = await openSummarized({ ...asking, "context.background": false });
      await opened.fill(80);
      await opened.rest();
      assert.match(opened.notice("offer")?.text ?? "", /^Messages 1–\d+ can be summarized: /);
      return opened;
    };
    const shown = (opened: SummarizedSession): readonly unknown[] => {
      const { text = "", actions = [], offer } = opened.notice("offer") ?? {};
      return [text.replace(/[:.].*/, ""), actions.map(({ label }) => label), offer?.isBusy, offer?.summaries.length];
    };
    const PLANNED = (opened: SummarizedSession): readonly unknown[] => [
      shown(opened)[0],
      ["Summarize", "Not now"],
      false,
      0,
    ];
    const write = ({ session, notice }: SummarizedSession): Promise<Result<void, ForgeError>> =>
      session.summaries.automatic.writeOffer(notice("offer")?.offer?.offerId ?? -1);

    it("are written when the user wants to change them, with progress, and used as the user wrote them", async () => {
      const opened = await planned();
      const { session, model, progress } = opened;
      assert.deepEqual([shown(opened), model.summaries], [PLANNED(opened), 0]);
      model.script = "held";
      const writing = write(opened);
      await opened.rest();
      assert.deepEqual(shown(opened), ["The summary is being written", ["Not now"], true, 0]);
      assert.deepEqual([progress.at(-1)?.[0] !== null, progress.at(-1)?.[1]], [true, false]);
      model.script = "good";
      model.release();
      assert.deepEqual(await writing, { ok: true, value: undefined });
      const offer = opened.notice("offer")?.offer;
      assert.deepEqual(shown(opened).slice(1), [["Use it", "Read it first", "Not now"], false, 1]);
      assert.match(offer?.summaries[0]?.text ?? "", /Question 0: what of this/);
      assert.deepEqual([progress.at(-1), opened.activeSummaries()], [[null, false], 0]);
      session.summaries.automatic.editOffer(offer?.offerId ?? -1, 0, "My own words.");
      await session.summaries.automatic.useOffer();
      await opened.rest();
      const used = session.opened.manager.history.summaries.map(({ content, state }) => [content, state]);
      assert.deepEqual([used, model.summaries], [[["My own words.", "active"]], 1]);
      assert.equal(session.opened.manager.history.spending.receipts.at(-1)?.calls, 1);
    });

    it("stay as they were when the writing is cancelled or fails", async () => {
      const opened = await planned();
      const { session, model } = opened;
      const before = opened.notice("offer");
      model.script = "held";
      const cancelled = write(opened);
      await opened.rest();
      assert.equal(session.cancelSummary(), true);
      assert.deepEqual(await cancelled, { ok: false, error: { code: "CANCELLED" } });
      await opened.rest();
      assert.deepEqual([opened.notice("offer"), opened.progress.at(-1), model.live], [before, [null, false], 0]);
      model.script = OVERLOADED;
      assert.deepEqual(await write(opened), { ok: false, error: OVERLOADED });
      assert.deepEqual(opened.notice("offer"), before);
      model.script = "good";
      session.summaries.automatic.answer("yes");
      await opened.rest();
      assert.deepEqual([opened.activeSummaries(), opened.notice("offer")], [1, undefined]);
    });

    it("hold a message that needs them, and no question is counted while they are written", async () => {
      const opened = await openSummarized({ ...asking, "context.background": false });
      await opened.fill(85);
      const { session, model } = opened;
      const sent = opened.say(900);
      await opened.rest();
      assert.equal(session.waiting, 1);
      model.script = "held";
      const writing = write(opened);
      await opened.rest();
      assert.deepEqual([session.waiting, model.live], [0, 1]);
      model.script = "good";
      model.release();
      await writing;
      assert.deepEqual(
        [session.waiting, shown(opened).slice(1)],
        [1, [["Use it", "Read it first", "Not now"], false, 1]],
      );
      await session.summaries.automatic.useOffer();
      await sent;
      assert.deepEqual([opened.activeSummaries(), model.summaries], [1, 1]);
    });

    it("are no longer written when a message is sent", async () => {
      const opened = await planned();
      const { model } = opened;
      model.script = "held";
      const writing = write(opened);
      await opened.rest();
      const { answers } = model;
      await opened.say(4);
      assert.deepEqual([await writing, model.live], [{ ok: true, value: undefined }, 0]);
      assert.equal(model.answers, answers + 1);
      await opened.rest();
      assert.deepEqual(shown(opened), PLANNED(opened));
    });
  });

  describe("before they are used", () => {
    type Opened = Awaited<ReturnType<typeof openSummarized>>;
    const offered = async (summarizer?: Connection): Promise<Opened> => {
      const opened = await openSummarized(asking, undefined, undefined, {}, summarizer);
      await opened.fill(80);
      await opened.rest();
      return opened;
    };
    const offerOf = (opened: Opened): OfferView => {
      const offer = opened.notice("offer")?.offer;
      assert.ok(offer !== undefined);
      return offer;
    };
    const edit = (opened: Opened, text: string): void => {
      const { offerId, summaries } = offerOf(opened);
      opened.session.summaries.automatic.editOffer(offerId, summaries[0]?.index ?? -1, text);
    };
    const newest = ({ session }: Opened): Summary | undefined => session.opened.manager.history.summaries.at(-1);

    it("can be changed, and are used as the user wrote them", async () => {
      const opened = await offered();
      const before = offerOf(opened);
      assert.deepEqual(
        before.summaries.map(({ label, isEdited }) => [label.replace(/\d+$/, "…"), isEdited]),
        [["In place of messages 1–…", false]],
      );
      edit(opened, "My own words.");
      assert.deepEqual(offerOf(opened).summaries[0]?.text, "My own words.");
      assert.equal(offerOf(opened).revision, before.revision, "the field keeps what is typed");
      assert.equal(opened.session.summaries.automatic.offer?.summaries[0]?.content, "My own words.");
      assert.equal(opened.activeSummaries(), 0);
      assert.deepEqual(await opened.session.summaries.automatic.useOffer(), { ok: true, value: undefined });
      await opened.rest();
      assert.deepEqual([opened.activeSummaries(), opened.model.summaries], [1, 1]);
      assert.deepEqual([newest(opened)?.content, newest(opened)?.generatedBy], ["My own words.", "user"]);
    });

    it("are as they were written again when the changes are discarded", async () => {
      const opened = await offered();
      const { offerId, revision, summaries } = offerOf(opened);
      edit(opened, "Mine.");
      opened.session.summaries.automatic.revertOffer(offerId);
      assert.deepEqual(offerOf(opened).summaries, summaries);
      assert.equal(offerOf(opened).revision, revision + 1);
    });

    it("are refused in words where the user's text cannot stand for the messages, and stay", async () => {
      const opened = await offered();
      edit(opened, "What of this, please? ".repeat(3_000));
      const done = await opened.session.summaries.automatic.useOffer();
      assert.ok(!done.ok && done.error.code === "VALIDATION_ERROR");
      assert.match(done.error.expected, /^fewer than the [\d.]+k? that it stands for$/);
      assert.equal(offerOf(opened).summaries[0]?.isEdited, true);
      edit(opened, " ");
      assert.equal((await opened.session.summaries.automatic.useOffer()).ok, false);
      assert.equal(opened.activeSummaries(), 0);
    });

    it("contain no secret that the user typed into them", async () => {
      const opened = await offered();
      edit(opened, "The key is sk-ant-api03-Zx8Qw2Lk9Vb4Nm7Rt1Yp5Hs3Df6Gj0Ka2Bc4De6Fg8Hi1Jk3Lm5No7Pq9Rs-AbCdEfGh.");
      await opened.session.summaries.automatic.useOffer();
      await opened.rest();
      assert.doesNotMatch(newest(opened)?.content ?? "", /Zx8Qw2Lk9/);
    });

    it("are written shorter on demand", async () => {
      const opened = await offered();
      const { offerId, revision } = offerOf(opened);
      edit(opened, "Mine.");
      opened.model.script = "held";
      const rewriting = opened.session.summaries.automatic.rewriteOffer(offerId, { sizePercent: 50 });
      await opened.rest();
      const busy = opened.notice("offer");
      assert.deepEqual(
        [busy?.text, busy?.offer?.isBusy, busy?.actions.map(({ label }) => label)],
        ["The summary is being written anew. Nothing is in use yet.", true, ["Not now"]],
      );
      edit(opened, "Too late.");
      assert.deepEqual([opened.progress.at(-1)?.[0] !== null, opened.progress.at(-1)?.[1]], [true, false]);
      opened.model.script = "good";
      opened.model.release();
      assert.deepEqual(await rewriting, { ok: true, value: undefined });
      const after = offerOf(opened);
      assert.deepEqual(
        [after.revision, after.summaries[0]?.isEdited, opened.model.summaries],
        [revision + 1, false, 2],
      );
      await opened.session.summaries.automatic.useOffer();
      await opened.rest();
      assert.equal(opened.activeSummaries(), 1);
      assert.equal(opened.session.opened.manager.history.spending.receipts.at(-1)?.calls, 2, "both are paid for");
    });

    it("are written anew by another model, of another provider too", async () => {
      const opened = await offered();
      const other = new HeldModel();
      const { connection } = opened.session;
      const writer = { ...connection, providerName: "ollama", provider: other, model: modelId("middle") } as const;
      const done = await opened.session.summaries.automatic.rewriteOffer(offerOf(opened).offerId, { writer });
      assert.deepEqual([done.ok, opened.model.summaries, other.summaries], [true, 1, 1]);
    });

    it("stay as they are when the other model fails, and when it is stopped nothing of it is used", async () => {
      const opened = await offered();
      const before = offerOf(opened);
      opened.model.script = OVERLOADED;
      const failed = await opened.session.summaries.automatic.rewriteOffer(before.offerId, {});
      assert.equal(failed.ok, false);
      assert.deepEqual(offerOf(opened), before);
      opened.model.script = "held";
      const stopped = opened.session.summaries.automatic.rewriteOffer(before.offerId, {});
      await opened.rest();
      opened.session.summaries.automatic.answer("no");
      await stopped;
      await opened.rest();
      assert.deepEqual([opened.notice("offer"), opened.model.live, opened.activeSummaries()], [undefined, 0, 0]);
    });

    it("ignore what was meant for an earlier offer", async () => {
      const opened = await offered();
      const { offerId, summaries } = offerOf(opened);
      opened.session.summaries.automatic.editOffer(offerId - 1, 0, "Old.");
      opened.session.summaries.automatic.editOffer(offerId, 99, "Of nothing.");
      assert.deepEqual(offerOf(opened).summaries, summaries);
    });
  });
});
