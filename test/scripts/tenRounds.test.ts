import assert from "node:assert/strict";
import { retentionCell } from "../../bench/support/retentionCell.ts";

describe("ten compactions, each over the summaries of those before", () => {
  for (const policy of ["tree", "threshold"] as const) {
    it(`with ${policy}, in a small window and without a model, keep nearly all facts in the prompt`, async function () {
      this.timeout(60_000);
      const window = { contextWindow: 16_000, maxOutput: 4_000 };
      const { left, leftAtEnd } = await retentionCell({ policy, summarizer: "none", seed: 303, window, talk: "usual" });
      assert.ok(leftAtEnd.planted >= 200);
      assert.equal(left.reachable, 100);
      assert.ok(left.inPrompt >= 95, `${left.inPrompt} % after ten`);
      assert.ok(leftAtEnd.inPrompt >= 95, `${leftAtEnd.inPrompt} % when 200 are planted`);
    });
  }
});
