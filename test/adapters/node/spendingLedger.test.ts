import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SpendingLedger } from "../../../src/adapters/node/spendingLedger.ts";
import { faultyFiles } from "../../support/storage/faultyFiles.ts";

const NOON = new Date(2026, 10, 21, 12).getTime();
const HOUR = 3_600_000;

describe("SpendingLedger", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "forge-spending-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("sums the spending of a local day across several windows", async () => {
    const [one, other] = [new SpendingLedger(folder), new SpendingLedger(folder)];
    assert.equal(await one.spentOn(NOON), 0);
    await one.add(0.5, NOON);
    await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? one : other).add(0.25, NOON + index)));
    await one.add(1, NOON + 12 * HOUR);
    assert.deepEqual(
      [await one.spentOn(NOON + 11 * HOUR), await other.spentOn(NOON), await other.spentOn(NOON + 13 * HOUR)],
      [10.5, 10.5, 1],
    );
    assert.deepEqual(readdirSync(join(folder, "spending")), ["2026-11-21.jsonl", "2026-11-22.jsonl"]);
  });
  it("skips damaged, incomplete and invalid lines", async () => {
    const ledger = new SpendingLedger(folder);
    await ledger.add(0.5, NOON);
    const file = join(folder, "spending", "2026-11-21.jsonl");
    appendFileSync(file, 'null\n{"usd":-7}\n{"usd":1e999}\n[]\n\u0000\n{"atMs":1,"usd":0.');
    assert.equal(await ledger.spentOn(NOON), 0.5);
  });
  it("rejects when it cannot write or read, and treats a missing file as an empty day", async () => {
    const broken = (name: string): SpendingLedger =>
      new SpendingLedger(
        folder,
        faultyFiles((call) => (call.name === name ? "EACCES" : undefined)),
      );
    await assert.rejects(broken("append").add(1, NOON), /EACCES/);
    await assert.rejects(broken("readText").spentOn(NOON), /EACCES/);
    assert.equal(await new SpendingLedger(join(folder, "nowhere")).spentOn(NOON), 0);
  });
  it("erases every day and starts again from zero", async () => {
    const ledger = new SpendingLedger(folder);
    await ledger.erase();
    await ledger.add(0.5, NOON);
    await ledger.add(0.5, NOON + 24 * HOUR);
    await ledger.erase();
    assert.deepEqual(readdirSync(folder), []);
    await ledger.add(0.25, NOON);
    assert.equal(await ledger.spentOn(NOON), 0.25);
  });
});
