import assert from "node:assert/strict";
import { twoAttempts } from "../../scripts/testing/attempts.ts";
import { type Counts, listFailures, noTests } from "../../scripts/testing/counts.ts";
import type { PartRun } from "../../scripts/testing/partRun.ts";

const passed = (count: number): Counts => ({ ...noTests, passed: count });

/** Runs tests whose attempts end as listed; returns the counts and how each attempt was run. */
async function outcomeOf(
  ...attempts: readonly (Counts | Error)[]
): Promise<{ counts: Counts; made: readonly string[] }> {
  const made: string[] = [];
  const run: PartRun = {
    take: async (work) => {
      made.push("with others");
      return work();
    },
    takeAlone: async (work) => {
      made.push("alone");
      return work();
    },
    print: () => undefined,
  };
  const counts = await twoAttempts("the file", run, () => {
    const outcome = attempts[made.length - 1];
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome ?? noTests);
  });
  return { counts, made };
}

describe("second attempt at failed tests", () => {
  it("is not made when all tests passed", async () => {
    assert.deepEqual(await outcomeOf(passed(3)), { counts: passed(3), made: ["with others"] });
  });

  const slow = { title: "a", message: "slow" };
  const wrong = { title: "b", message: "wrong" };

  it("runs alone and reports tests that passed only then as unsteady", async () => {
    const first = { ...passed(1), failed: 2, failures: [slow, wrong] };
    const second = { ...passed(2), failed: 1, failures: [wrong] };
    assert.deepEqual(await outcomeOf(first, second), {
      counts: { ...second, unsteady: [slow] },
      made: ["with others", "alone"],
    });
  });

  it("reports both messages of a test that failed twice, and does not call it unsteady", async () => {
    const { counts } = await outcomeOf(
      { ...passed(1), failed: 2, failures: [wrong, slow] },
      { ...passed(2), failed: 1, failures: [{ title: "b", message: "not there" }] },
    );
    const failures = [{ title: "b", message: "not there", earlierMessage: "wrong" }];
    assert.deepEqual(counts, { ...passed(2), failed: 1, failures, unsteady: [slow] });
    assert.equal(listFailures(counts), "  FAILED   b: not there\n           at first: wrong\n  UNSTEADY a: slow\n");
  });

  it("is also made when the test run died", async () => {
    const died = [{ title: "the file", message: "it died" }];
    const { counts } = await outcomeOf(new Error("it died"), passed(3));
    assert.deepEqual(counts, { ...passed(3), unsteady: died });
    const failed = await outcomeOf(new Error("it died"), new Error("it died"));
    assert.deepEqual(failed.counts, { ...noTests, failed: 1, failures: died });
  });
});
