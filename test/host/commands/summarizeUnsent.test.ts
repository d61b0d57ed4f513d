/** "Summarize Context" where the strategy sends no summaries. */

import assert from "node:assert/strict";
import { messageId } from "../../../src/core/ids.ts";
import type { Banner } from "../../../src/protocol/toView.ts";
import { summarize } from "../../../src/host/commands/summarizeCommand.ts";
import { chooseStrategy } from "../../../src/host/pickers/strategyChoice.ts";
import { openSummarized } from "../../support/session/summarizedSession.ts";

describe("summarizing with the sliding window", () => {
  it("makes no summary, says why, and offers another strategy, which summarizes", async () => {
    const opened = await openSummarized();
    const { session } = opened;
    await chooseStrategy(session, "slidingWindow");
    await opened.fill(60);
    await opened.rest();
    const shown: { banner: Banner | null; isTrue: () => boolean } = { banner: null, isTrue: () => true };
    const presenter = {
      showBanner: (banner: Banner | null, isTrue: () => boolean = () => true) => {
        Object.assign(shown, { banner, isTrue });
      },
      dropNote: () => undefined,
    };
    await summarize(session, {}, presenter);
    await summarize(session, { range: { start: messageId(0), end: messageId(4) } }, presenter);
    assert.equal(opened.model.summaries, 0);
    assert.deepEqual(shown.banner, {
      tone: "info",
      text: "Nothing is summarized: the strategy “Sliding window” sends the newest 20 messages and no summaries, so one would be paid for and never sent.",
      actions: [{ label: "Choose another strategy", command: "chooseStrategy" }],
    });
    assert.equal(shown.isTrue(), true);
    await chooseStrategy(session, "threshold");
    assert.equal(shown.isTrue(), false, "it is gone when another strategy is chosen");
    await summarize(session, {}, presenter);
    assert.notEqual(opened.model.summaries, 0);
  });
});
