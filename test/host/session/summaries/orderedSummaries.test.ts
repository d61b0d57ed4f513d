/** "Summarize now" while an automatic summary is being written or ready. */

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { openSummarized, type SummarizedSession } from "../../../support/session/summarizedSession.ts";

/** A conversation with an automatic summary that is being written. */
async function writing(percent = 75): Promise<SummarizedSession> {
  const opened = await openSummarized();
  opened.model.script = "held";
  await opened.fill(percent);
  await opened.rest();
  assert.deepEqual([opened.model.held, opened.model.summaries, opened.activeSummaries()], [1, 1, 0]);
  return opened;
}

/** Ranges covered by the active summaries. */
const covered = ({ session }: SummarizedSession): readonly (readonly [number, number])[] =>
  session.opened.manager.history.summaries
    .filter(({ state }) => state === "active")
    .map(({ covers }) => [covers.start, covers.end]);

describe("summaries ordered by the user", () => {
  it("use the one being written and cover only the rest, so that nothing is paid for twice", async () => {
    const opened = await writing();
    const { model, session, progress } = opened;
    const { usedTokens } = session.opened.manager.usage();
    const ordered = session.summaries.summarizeNow();
    await opened.rest();
    assert.deepEqual([model.summaries, model.live, progress.at(-1)?.[1]], [1, 1, true]);
    model.script = "good";
    model.release();
    const done = await ordered;
    assert.ok(done.ok && done.value !== undefined);
    const [first, second, ...others] = covered(opened);
    assert.ok(first !== undefined && second !== undefined);
    assert.deepEqual([model.summaries, first[0], second[0], others], [2, 0, first[1], []]);
    const { tokensBefore, tokensAfter, trigger } = done.value;
    assert.deepEqual(
      [tokensBefore, tokensAfter, trigger],
      [usedTokens, session.opened.manager.usage().usedTokens, "manual"],
    );
  });

  it("use the one that is ready but not due yet", async () => {
    const opened = await writing(70);
    opened.model.script = "good";
    opened.model.release();
    await opened.rest();
    assert.equal(opened.activeSummaries(), 0, "ready, and not used");
    const done = await opened.session.summaries.summarizeNow();
    assert.ok(done.ok && done.value !== undefined);
    assert.deepEqual([opened.model.summaries, opened.activeSummaries()], [2, 2]);
  });

  it("start over when the user names a focus", async () => {
    const opened = await writing();
    opened.model.script = "good";
    const done = await opened.session.summaries.summarizeNow({ focus: "the tides" });
    assert.ok(done.ok && done.value !== undefined);
    assert.deepEqual([opened.model.summaries, opened.activeSummaries(), opened.model.live], [2, 1, 0]);
  });

  it("leave no trace when cancelled together with the one that they wait for", async () => {
    const opened = await writing();
    const { session, model } = opened;
    const { revision } = session.opened.manager.history;
    const ordered = session.summaries.summarizeNow();
    await opened.rest();
    session.cancelSummary();
    const done = await ordered;
    assert.ok(!done.ok && done.error.code === "CANCELLED");
    await opened.rest();
    assert.deepEqual([session.opened.manager.history.revision, model.summaries, model.live], [revision, 1, 0]);
  });
});
