import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { snapshotFiles } from "../../../scripts/models/snapshotFiles.ts";
import { ANTHROPIC_SNAPSHOT } from "../../../src/core/models/snapshot/anthropic.ts";
import type { ModelSnapshot } from "../../../src/core/models/snapshot/modelSnapshot.ts";
import { OPENAI_SNAPSHOT } from "../../../src/core/models/snapshot/openai.ts";

const snapshots: readonly (readonly [file: string, snapshot: ModelSnapshot])[] = [
  ["anthropic.ts", ANTHROPIC_SNAPSHOT],
  ["openai.ts", OPENAI_SNAPSHOT],
];

describe("ModelSnapshot", () => {
  for (const [file, { date }] of snapshots) {
    it(`${file} equals the output of "npm run models -- ${date}"`, async () => {
      const committed = new URL(`../../../src/core/models/snapshot/${file}`, import.meta.url);
      assert.equal(await readFile(committed, "utf8"), (await snapshotFiles(date)).get(file));
    });
  }

  it("uses a price from its first day on, and the previous price the day before", async () => {
    const prices = ["2026-07-29", "2026-07-30"].map(async (date) => {
      const [, price] = /"gpt-5.6-luna": (price.*),/.exec((await snapshotFiles(date)).get("openai.ts") ?? "") ?? [];
      return price;
    });
    assert.deepEqual(await Promise.all(prices), [
      "price([1, 6, 0.1, 1.25], { aboveTokens: 271_999, rates: [2, 9, 0.2, 2.5] })",
      "price([0.2, 1.2, 0.02, 0.25], { aboveTokens: 271_999, rates: [0.4, 1.8, 0.04, 0.5] })",
    ]);
  });

  it("has no prices for models unknown to its source", () => {
    const unknown = ["claude-sonnet-5-5", "claude-haiku-5-5", "gpt-6.1-terra", "whisper-1", "gpt-4o-realtime-preview"];
    const found = unknown.filter((id) => snapshots.some(([, { prices }]) => Object.hasOwn(prices, id)));
    assert.deepEqual(found, []);
  });
});
