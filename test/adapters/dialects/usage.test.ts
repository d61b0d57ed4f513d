import assert from "node:assert/strict";
import { costUsd } from "../../../src/core/models/modelPrice.ts";
import type { DialectCase } from "../../support/dialects/dialectCase.ts";
import { runCase } from "../../support/dialects/runCase.ts";
import { usage } from "../../support/dialects/usage.ts";

const titleOf = ({ service, title, source }: DialectCase): string => `E:usage ${service}, ${title} (${source})`;

describe("token counts as services report them", () => {
  for (const tried of usage) {
    it(titleOf(tried), async () => {
      assert.deepEqual(await runCase(tried), tried.right);
    });
  }

  it("E:usage reasoning beside the completion is priced as output, as the service itself does", async () => {
    const tried = usage.find(({ source }) => source === "sub2api#5771");
    assert.ok(tried);
    const result = await runCase(tried);
    assert.ok("usage" in result && result.usage !== undefined);
    const price = { inputPerMillionUsd: 1.25, cacheReadPerMillionUsd: 0.2, outputPerMillionUsd: 2.5 };
    assert.equal(costUsd(price, result.usage)?.toFixed(7), "0.0232856");
  });
});
