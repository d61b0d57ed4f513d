import assert from "node:assert/strict";
import type { Script } from "../../../support/models/scriptedModel.ts";
import { codingSession } from "../../../support/session/summarySources.ts";
import { GOOD_NOTES, notesOnPart, summaryRun } from "../../../support/session/summaryRun.ts";

describe("summarize", function () {
  this.timeout(20_000);

  describe("returns CANCELLED if cancelled", () => {
    it("before it begins, without a call", async () => {
      const controller = new AbortController();
      controller.abort();
      const { draft, asked } = await summaryRun({
        script: () => ({ text: GOOD_NOTES }),
        changes: { cancel: controller.signal },
      });
      assert.deepEqual([draft, asked.length], [{ ok: false, error: { code: "CANCELLED" } }, 0]);
    });

    it("while a slow model answers", async () => {
      const controller = new AbortController();
      const script: Script = () => {
        setTimeout(() => controller.abort(), 5);
        return "waitsForCancel";
      };
      const { draft } = await summaryRun({ script, changes: { cancel: controller.signal } });
      assert.deepEqual(draft, { ok: false, error: { code: "CANCELLED" } });
    });

    it("at any pause", async () => {
      let pauses = 0;
      const messages = codingSession(2);
      const script = notesOnPart;
      await summaryRun({
        ...{ messages, script },
        changes: {
          yieldToHost: () => {
            pauses++;
            return Promise.resolve();
          },
        },
      });
      assert.ok(pauses > 20);
      for (let at = 1; at <= pauses; at++) {
        const controller = new AbortController();
        let pause = 0;
        const yieldToHost = (): Promise<void> => {
          if (++pause === at) controller.abort();
          return Promise.resolve();
        };
        const { draft } = await summaryRun({
          ...{ messages, script },
          changes: { yieldToHost, cancel: controller.signal },
        });
        assert.deepEqual(draft, { ok: false, error: { code: "CANCELLED" } });
      }
    });
  });
});
