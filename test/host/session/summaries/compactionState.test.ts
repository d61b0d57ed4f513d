/** State that decides on a compaction, by our own token count and by the usage that the provider reported. */

import assert from "node:assert/strict";
import { compactionState, checkRequestFits } from "../../../../src/host/session/summaries/compactionState.ts";
import { TestConversation } from "../../../support/session/conversation.ts";

describe("compactionState", () => {
  /** The budget is 3,892 tokens. */
  const check = (title: string, script: string, reported: number | undefined, expected: object): void => {
    it(title, () => {
      const { manager } = new TestConversation().play(script);
      if (reported !== undefined) {
        manager.prepare();
        manager.recordReportedUsage({ inputTokens: reported });
      }
      const { fits, stage } = compactionState(manager, {
        at: "turn",
        nowMs: 0,
        hasOneSlot: false,
        isQuiet: true,
        hasNotesToWrite: false,
      });
      assert.deepEqual({ fits, stage, mayBeMade: checkRequestFits(manager).ok }, expected);
    });
  };
  check("fits by count", "8*100/100", undefined, { fits: true, stage: "none", mayBeMade: true });
  check("fits as reported", "8*100/100", 3_892, { fits: true, stage: "apply", mayBeMade: true });
  check("does not fit as reported, and is not rejected", "8*100/100", 3_893, {
    fits: false,
    stage: "apply",
    mayBeMade: true,
  });
  check("does not fit by count", "30*100/100", undefined, { fits: false, stage: "apply", mayBeMade: false });
});
