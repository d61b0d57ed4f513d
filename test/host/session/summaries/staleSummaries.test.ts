/** A summary that does not count, because a message in it has changed: the chat, the menus and the indicator say so. */

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { statusBarUsage } from "../../../../src/host/view/sessionStatus.ts";
import type { SummaryRow } from "../../../../src/protocol/summaryView.ts";
import { openSummarized, type SummarizedSession } from "../../../support/session/summarizedSession.ts";

const LINE = "1 summary not in use: a message in it has changed, so the originals are sent";

interface Looked {
  readonly markers: readonly SummaryRow[];
  /** Messages that are dimmed. */
  readonly summarized: number;
  /** The indicator says that one is not in use. */
  readonly isSaid: boolean;
}

function look({ session, rows }: SummarizedSession): Looked {
  const shown = rows();
  return {
    markers: shown.filter((row) => row.kind === "summary"),
    summarized: shown.filter((row) => row.kind === "message" && row.summarized).length,
    isSaid: statusBarUsage(session.opened.manager, session.connection).details.includes(LINE),
  };
}

/** A conversation with one summary that is in use. */
async function summarized(): Promise<SummarizedSession> {
  const opened = await openSummarized();
  await opened.fill(100);
  await opened.rest();
  assert.deepEqual(
    look(opened).markers.map(({ state, isStale }) => [state, isStale]),
    [["active", false]],
  );
  return opened;
}

/** A message in the middle of what the first summary stands for. */
function inside({ session }: SummarizedSession): number {
  const [summary] = session.opened.manager.history.summaries;
  assert.ok(summary !== undefined && summary.covers.end - summary.covers.start > 3);
  return summary.covers.start + 2;
}

describe("a summary with a message in it that has changed", () => {
  it("is not in use while the message is hidden, and stands as before when it is shown again", async () => {
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

  it("gives way to one that is written anew, of what is there now", async () => {
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

  it("is not spoken of once another stands for all that is left of it", async () => {
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
