import assert from "node:assert/strict";
import { forkedHistory, ORIGIN_SETTING } from "../../../src/core/documents/forkedHistory.ts";
import { FullHistory } from "../../../src/core/history/fullHistory.ts";
import { messageId } from "../../../src/core/ids.ts";
import { runSync, MESSAGES_PER_SLICE } from "../../../src/core/cooperativeTask.ts";
import { counts, range } from "../../support/session/conversation.ts";
import { inMeasuredSlices } from "../../support/measuredSlices.ts";

const MESSAGES = 100_000;
const ORIGIN = { conversation: "here", title: "", message: MESSAGES - 2 };

describe("forkedHistory of a long conversation", function () {
  this.timeout(60_000);

  /** Every tenth answer was generated a second time, so its first version is hidden. */
  const long = new FullHistory();
  for (let id = 0; id < MESSAGES; id++) {
    const role = id % 2 === 0 ? "user" : "assistant";
    const turn = messageId(id - (id % 2));
    const entry = { id: messageId(id), role, turn, state: "complete", createdAtMs: id, tokens: counts(5) } as const;
    long.apply({ kind: "entry", entry });
    if (id % 20 === 1) long.apply({ kind: "visibility", range: range(id - 1, id + 1), hidden: true, atMs: 1 });
  }
  const last = messageId(MESSAGES - 2);
  const hiddenIn = (history: FullHistory): readonly number[] =>
    history.entries.slice(0, last + 1).flatMap((entry) => (history.isVisible(entry) ? [] : [entry.id]));

  it("copies entries, visibility and origin", () => {
    const fork = runSync(forkedHistory(long, last, ORIGIN, 1));
    assert.deepEqual(fork.entries, long.entries.slice(0, last + 1));
    assert.deepEqual(hiddenIn(fork), hiddenIn(long));
    assert.equal(fork.setting(ORIGIN_SETTING), JSON.stringify(ORIGIN));
  });

  it("runs in slices shorter than a frame (16 ms)", async () => {
    // The best of three runs: garbage collection can lengthen a slice.
    const longestMs: number[] = [];
    for (let run = 0; run < 3; run++) {
      const { slicesMs } = await inMeasuredSlices(forkedHistory(long, last, ORIGIN, 1));
      assert.ok(slicesMs.length >= (3 * MESSAGES) / MESSAGES_PER_SLICE, `${String(slicesMs.length)} slices`);
      longestMs.push(Math.max(...slicesMs));
    }
    assert.ok(Math.min(...longestMs) < 16, `${longestMs.join(", ")} ms`);
  });
});
