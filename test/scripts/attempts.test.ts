import assert from "node:assert/strict";
import { twoAttempts } from "../../scripts/testing/attempts.ts";
import { type Counts, noTests } from "../../scripts/testing/counts.ts";
import type { PartRun } from "../../scripts/testing/partRun.ts";

const passed = (count: number): Counts => ({ ...noTests, passed: count });

/** Runs tests whose attempts end as listed; gives the counts, and how many attempts were made. */
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

describe("a second attempt at tests", () => {
  it("is not made where all passed", async () => {
    assert.deepEqual(await outcomeOf(passed(3)), { counts: passed(3), made: ["with others"] });
  });

  it("is made alone, and names what passed only then", async () => {
    const first = { ...passed(1), failed: 2, failures: ["a: slow", "b: wrong"] };
    const second = { ...passed(2), failed: 1, failures: ["b: wrong"] };
    assert.deepEqual(await outcomeOf(first, second), {
      counts: { ...second, unsteady: ["a: slow"] },
      made: ["with others", "alone"],
    });
  });

  it("is made, too, where the tests did not come to their end", async () => {
    const { counts } = await outcomeOf(new Error("it died"), passed(3));
    assert.deepEqual(counts, { ...passed(3), unsteady: ["the file: it died"] });
    const failed = await outcomeOf(new Error("it died"), new Error("it died"));
    assert.deepEqual(failed.counts, { ...noTests, failed: 1, failures: ["the file: it died"] });
  });
});
