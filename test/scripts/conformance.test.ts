import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { conformanceCells, conformanceDocument } from "../../bench/support/conformanceTable.ts";

describe("summary conformance", function () {
  this.timeout(300_000);

  it("holds for every strategy and model, and matches the published bench/conformance.md", async () => {
    const cells = await conformanceCells();
    assert.deepEqual(
      cells.filter(({ broken }) => broken.length > 0).map(({ policy, temper, broken }) => [policy, temper, broken]),
      [],
    );
    const published = readFileSync(path.resolve(import.meta.dirname, "../../bench/conformance.md"), "utf8");
    assert.equal(published, conformanceDocument(cells), "run `npm run bench -- conformance`");
  });
});
