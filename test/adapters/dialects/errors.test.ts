import assert from "node:assert/strict";
import { errors } from "../../support/dialects/errors.ts";
import { runCase } from "../../support/dialects/runCase.ts";

describe("failures as services report them", () => {
  for (const tried of errors) {
    it(`§6 ${tried.service}, ${tried.title} (${tried.source})`, async () => {
      assert.deepEqual(await runCase(tried), tried.right);
    });
  }

  it("§6 have a service and a source each, none twice, from thirty services", () => {
    assert.equal(new Set(errors.map((tried) => JSON.stringify(tried))).size, errors.length);
    assert.ok(errors.every(({ service, source }) => service !== "" && source !== ""));
    assert.ok(new Set(errors.map(({ service }) => service)).size >= 30);
  });
});
