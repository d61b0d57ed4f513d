/** What holds for the answers of every service, in its own dialect: the same bytes make the same message, however cut. */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Protocol } from "../support/dialects/dialectCase.ts";
import { DIALECT_CASES } from "../support/dialects/index.ts";
import { runCase, runInChunks } from "../support/dialects/runCase.ts";

/** Numbers of the rows of the requirements, by kind. */
const ROWS: Readonly<Record<string, string>> = { toolCalls: "§4 ", thoughts: "§5 ", streams: "§6 " };

export function dialectContract(protocol: Protocol): void {
  const cases = DIALECT_CASES.filter((tried) => tried.protocol === protocol);

  describe(`dialects of services that speak ${protocol}`, () => {
    for (const tried of cases) {
      it(`${ROWS[tried.kind] ?? ""}${tried.kind}: ${tried.service}: ${tried.title}`, async () => {
        assert.deepEqual(await runCase(tried), tried.right);
      });
    }

    it("§4 §5 §6 any split into bytes makes the same message", async () => {
      const cuts = fc.array(fc.nat(), { maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...cases), cuts, async (tried, at) => {
          assert.deepEqual(await runInChunks(tried, at), tried.right);
        }),
        { numRuns: 300 },
      );
    });

    it("byte by byte makes the same message", async () => {
      for (const tried of cases) {
        const bytes = Math.max(...tried.wire.map(({ body }) => Buffer.byteLength(body)));
        if (bytes > 5_000) continue;
        const everywhere = Array.from({ length: bytes }, (_, at) => at);
        assert.deepEqual(await runInChunks(tried, everywhere), tried.right, tried.title);
      }
    });
  });
}
