/** What is known when it is decided whether to summarize: by our own counting, and by what the provider has reported. */

import assert from "node:assert/strict";
import { compactionState, checkRequestFits } from "../../../../src/host/session/summaries/compactionState.ts";
import { TestConversation } from "../../../support/session/conversation.ts";

describe("the moment of a compaction", () => {
  /** The budget is 3,892 tokens. */
  const check = (title: string, script: string, reported: number | undefined, expected: object): void => {
    it(title, () => {
      const { manager } = new TestConversation().play(script);
      if (reported !== undefined) {
        manager.prepare();
        manager.recordReportedUsage({ inputTokens: reported });
      }
      const { fits, stage } = compactionState(manager, "turn", 0);
      assert.deepEqual({ fits, stage, mayBeMade: checkRequestFits(manager).ok }, expected);
    });
  };
  check("fits", "8*100/100", undefined, { fits: true, stage: "none", mayBeMade: true });
  check("fits as reported", "8*100/100", 3_892, { fits: true, stage: "apply", mayBeMade: true });
  check("does not fit as reported, and is not refused", "8*100/100", 3_893, {
    fits: false,
    stage: "apply",
    mayBeMade: true,
  });
  check("does not fit", "30*100/100", undefined, { fits: false, stage: "apply", mayBeMade: false });
});
