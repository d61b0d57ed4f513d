import assert from "node:assert/strict";
import { Report } from "../../scripts/testing/report.ts";

describe("test run report", () => {
  it("prints the output of each part as it arrives, after all earlier parts", () => {
    const shown: string[] = [];
    const report = new Report((line) => shown.push(line));
    const [one, two, three] = [report.begin(), report.begin(), report.begin()];
    two.print("two");
    one.print("one");
    assert.deepEqual(shown, ["one"]);
    two.end();
    three.print("three");
    assert.deepEqual(shown, ["one"]);
    one.end();
    assert.deepEqual(shown, ["one", "two", "three"]);
    three.print("more of three");
    assert.deepEqual(shown.slice(3), ["more of three"]);
  });
});
