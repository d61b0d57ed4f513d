/** Stale summaries, in which a message has changed: what the chat and the indicator show. */

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { statusBarUsage } from "../../../../src/host/view/sessionStatus.ts";
import type { SummaryRow } from "../../../../src/protocol/summaryView.ts";
import { openSummarized, type SummarizedSession } from "../../../support/session/summarizedSession.ts";

const LINE = "1 summary not in use: a message in it has changed, so the originals are sent";

interface Looked {
  readonly markers: readonly SummaryRow[];
  /** Number of dimmed messages. */
  readonly summarized: number;
  /** Whether the indicator reports a summary not in use. */
  readonly isSaid: boolean;
}

function look({ session, rows }: SummarizedSession): Looked {
  const shown = rows();
  return {
    markers: shown.filter((row) => row.kind === "summary"),
    summarized: shown.filter((row) => row.kind === "message" && row.sent === "summary").length,
    isSaid: statusBarUsage(session.opened.manager, session.connection).details.includes(LINE),
  };
}

/** A conversation with one active summary. */
async function summarized(): Promise<SummarizedSession> {
  // A low target, so that nothing is prepared in the background once the summary is in use.
  const opened = await openSummarized({ "context.targetPercent": 30 });
  await opened.fill(100);
  await opened.rest();
  assert.deepEqual(
    look(opened).markers.map(({ state, isStale }) => [state, isStale]),
    [["active", false]],
  );
  return opened;
}

/** A message in the middle of the first summary's range. */
function inside({ session }: SummarizedSession): number {
  const [summary] = session.opened.manager.history.summaries;
  assert.ok(summary !== undefined && summary.covers.end - summary.covers.start > 3);
  return summary.covers.start + 2;
}

describe("summary with a changed message", () => {
  it("is not in use while the message is hidden, and is restored when it is shown again", async () => {
    const opened = await summarized();
    const before = look(opened);
    assert.ok(before.summarized > 3 && !before.isSaid);
    await opened.session.actions.setHidden(inside(opened), true);
    const hidden = look(opened);
    assert.deepEqual(
      [hidden.markers.map(({ isStale }) => isStale), hidden.summarized, hidden.isSaid],
      [[true], 0, true],
    );
    await opened.session.actions.setHidden(inside(opened), false);
    assert.deepEqual(look(opened), before);
  });

  it("is replaced by a rewritten version of the current messages", async () => {
    const opened = await summarized();
    const [first] = look(opened).markers;
    assert.ok(first !== undefined);
    await opened.session.actions.setHidden(inside(opened), true);
    const regenerate = { id: opened.session.opened.manager.history.summaries[0]?.id ?? assert.fail() };
    const written = await opened.session.summaries.summarizeNow({ regenerate });
    assert.ok(written.ok && written.value !== undefined, JSON.stringify(written));
    const { markers, isSaid } = look(opened);
    assert.deepEqual(
      markers.map(({ rowId, versionCount, isStale }) => [rowId, versionCount, isStale]),
      [[first.rowId, 2, false]],
    );
    assert.equal(isSaid, false);
  });

  it("is no longer reported once another summary covers the rest of its messages", async () => {
    const opened = await summarized();
    const [summary] = opened.session.opened.manager.history.summaries;
    assert.ok(summary !== undefined);
    await opened.session.actions.setHidden(summary.covers.start, true);
    assert.equal(look(opened).isSaid, true);
    const written = await opened.session.summaries.summarizeNow({ regenerate: { id: summary.id } });
    assert.ok(written.ok && written.value !== undefined, JSON.stringify(written));
    const { markers, isSaid } = look(opened);
    assert.deepEqual([markers.map(({ isStale }) => isStale), isSaid], [[false], false]);
  });
});
