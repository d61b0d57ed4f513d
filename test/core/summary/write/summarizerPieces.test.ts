import assert from "node:assert/strict";
import type { ModelLimits } from "../../../../src/core/models/modelLimits.ts";
import { mostCalls } from "../../../support/session/mostCalls.ts";
import type { Script } from "../../../support/models/scriptedModel.ts";
import { assistant, codingSession, sourcesOf, toolResult, user } from "../../../support/session/summarySources.ts";
import { checkSize, draftOf, GOOD_NOTES, notesOnPart, summaryRun } from "../../../support/session/summaryRun.ts";

describe("summarize", function () {
  this.timeout(20_000);

  describe("in a window that is too small for the span", () => {
    const messages = codingSession(40);
    const limits: ModelLimits = { contextWindow: 8_192, maxOutput: 4_096 };

    it("summarizes parts within the budget and merges their notes", async () => {
      const { draft, asked, progress } = await summaryRun({
        messages,
        limits,
        script: notesOnPart,
        targetTokens: 2_000,
      });
      assert.ok(draft.ok);
      checkSize(draft.value, messages, 2_000);
      const parts = asked.filter(({ prompt }) => prompt.startsWith("Part "));
      const merges = asked.filter(({ prompt }) => prompt.startsWith("Notes on consecutive parts"));
      assert.ok(parts.length >= 4, `${parts.length} parts`);
      assert.ok(merges.length >= 1, `${merges.length} merges`);
      assert.equal(asked.length, parts.length + merges.length);
      for (const { usedTokens, budgetTokens } of asked) assert.ok(usedTokens <= budgetTokens);
      for (let number = 1; number <= messages.length; number++) {
        const named = parts.filter(({ prompt }) => prompt.includes(`\n[message ${number}, `));
        assert.equal(named.length, 1, `message ${number}`);
      }
      assert.deepEqual(progress.at(-1), {
        itemsDone: messages.length,
        itemsTotal: messages.length,
        tokensSaved: sourcesOf(messages).reduce((sum, { tokens }) => sum + tokens.o200k, 0) - draft.value.tokens.o200k,
        share: 1,
      });
      const shares = progress.map(({ share }) => share);
      assert.deepEqual(
        shares,
        shares.toSorted((one, other) => one - other),
      );
      assert.deepEqual(draft.value.usage, { inputTokens: asked.length * 1000, outputTokens: asked.length * 100 });
    });

    it("respects the maximum number of calls with a model that answers nothing", async () => {
      const { asked } = await summaryRun({ messages, limits, script: notesOnPart });
      const parts = asked.filter(({ prompt }) => prompt.startsWith("Part ")).length;
      const useless = await summaryRun({ messages, limits, script: () => ({ text: "" }) });
      checkSize(draftOf(useless), messages, 600);
      assert.ok(useless.asked.length <= mostCalls(parts), `${useless.asked.length} of ${mostCalls(parts)}`);
    });

    it("extracts parts that fail and uses the model's notes for the others", async () => {
      const script: Script = (asked, index) =>
        asked.prompt.startsWith("Part 2 ") ? { text: "" } : notesOnPart(asked, index);
      const draft = draftOf(await summaryRun({ messages, limits, script, targetTokens: 2_000 }));
      assert.equal(draft.generatedBy, "gpt-5-mini");
    });

    it("shortens a message that is larger than the window", async () => {
      const huge = [
        user("Look at this log, always."),
        toolResult("line of a log, with words\n".repeat(20_000)),
        assistant("Seen."),
      ];
      const { draft, asked } = await summaryRun({
        messages: huge,
        limits: { contextWindow: 3_000, maxOutput: 1_000 },
        script: () => ({ text: GOOD_NOTES }),
      });
      assert.ok(draft.ok);
      for (const { usedTokens, budgetTokens } of asked) assert.ok(usedTokens <= budgetTokens);
    });

    it("returns the extract if not even the prompt fits", async () => {
      const tiny = { contextWindow: 600, maxOutput: 100 };
      const { draft, asked } = await summaryRun({ messages, limits: tiny, script: () => ({ text: GOOD_NOTES }) });
      assert.deepEqual([draft.ok && draft.value.generatedBy, asked.length], ["extract", 0]);
    });
  });
});
