import assert from "node:assert/strict";
import { type CheckResult, closingLine, hasSucceeded, reportDocument } from "../../scripts/real/report.ts";

function result(state: CheckResult["state"], more: Partial<CheckResult> = {}): CheckResult {
  return { leg: "wire", title: "lists the model", state, note: "", seconds: 1.26, pictures: [], ...more };
}

describe("report of a run with a real model", () => {
  const check = (states: readonly CheckResult["state"][], line: string, succeeded: boolean): void => {
    it(`closes with ${line}, which is ${succeeded ? "a success" : "a failure"}`, () => {
      const results = states.map((state) => result(state));
      assert.deepEqual([closingLine(results), hasSucceeded(results)], [line, succeeded]);
    });
  };
  check([], "0 passed, 0 failed, 0 skipped", false);
  check(["skipped", "skipped"], "0 passed, 0 failed, 2 skipped", false);
  check(["passed", "skipped"], "1 passed, 0 failed, 1 skipped", true);
  check(["passed", "failed", "passed"], "2 passed, 1 failed, 0 skipped", false);

  it("lists checks, figures and pictures, each cell on one line", () => {
    const text = reportDocument({
      facts: { model: "small" },
      results: [
        result("passed", { note: "8192 tokens", pictures: ["wire-list.png"] }),
        result("failed", { title: "streams", note: "expected a | b\n  found  c" }),
      ],
      tables: [{ leg: "wire", title: "counts", columns: ["text", "counted"], rows: [["code", 229]] }],
      pictures: "pictures",
    });
    assert.equal(
      text,
      `# Forge before a real model

- model: small

**1 passed, 1 failed, 0 skipped**

| leg | check | result | measured, or why | seconds |
| --- | --- | --- | --- | --- |
| wire | lists the model | passed | 8192 tokens | 1.3 |
| wire | streams | failed | expected a \\| b found c | 1.3 |

## wire: counts

| text | counted |
| --- | --- |
| code | 229 |

## Pictures

lists the model

![wire-list.png](pictures/wire-list.png)
`,
    );
  });
});
