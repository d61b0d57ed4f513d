import assert from "node:assert/strict";
import { models } from "../../support/dialects/models.ts";
import { runCase } from "../../support/dialects/runCase.ts";

describe("lists of models as servers send them", () => {
  for (const tried of models) {
    it(`§6 ${tried.service}, ${tried.title} (${tried.source})`, async () => {
      assert.deepEqual(await runCase(tried), tried.right);
    });
  }
});
