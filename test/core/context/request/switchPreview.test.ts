/** Spec §8: the preview of a model switch equals its effect, by counted tokens and by calibration from replies. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { isPassive } from "../../../../src/core/context/contextSettings.ts";
import type { SwitchPreview } from "../../../../src/core/context/request/switchPreview.ts";
import { CONTENT_CLASSES } from "../../../../src/core/tokens/contentClass.ts";
import { UsageCalibrations } from "../../../../src/core/context/usage/usageCalibrations.ts";
import { modelId } from "../../../../src/core/ids.ts";
import { fitsAsBilled } from "../../../../src/host/session/summaries/compactionState.ts";
import { runSync } from "../../../../src/core/cooperativeTask.ts";
import { TEST_MODELS, TestConversation } from "../../../support/session/conversation.ts";
import { type Operation, operations, perform } from "../../../support/storage/randomOperations.ts";

/** Summarized for a small window; a larger one has room for all originals. */
const SUMMARIZED: readonly Operation[] = [
  { kind: "turns", count: 5, question: 148, answer: 697 },
  { kind: "turns", count: 2, question: 617, answer: 62 },
  { kind: "summarize", start: 0, length: 6, percent: 1 },
  { kind: "summarize", start: 91, length: 3, percent: 1 },
  { kind: "turns", count: 2, question: 412, answer: 477 },
  { kind: "answer", tokens: 359 },
  { kind: "toolBatch", results: [496] },
];
const MODELS = Object.keys(TEST_MODELS);

describe("§8 the preview of a model switch", function () {
  this.timeout(120_000);

  it("equals the effect after any operations and for any billing", () => {
    const outcomes = new Map<SwitchPreview["outcome"]["kind"], number>();
    fc.assert(
      fc.property(
        fc.constantFrom(...MODELS),
        fc.constantFrom(...MODELS),
        operations,
        fc.array(fc.record({ model: fc.constantFrom(...MODELS), percent: fc.integer({ min: 60, max: 250 }) })),
        fc.boolean(),
        (first, next, all, bills, infinity) => {
          const calibrations = new UsageCalibrations();
          for (const { model, percent } of bills) teach(calibrations, model, percent);
          const conversation = new TestConversation({ model: first, calibrations, settings: { infinity } });
          for (const operation of all) perform(operation, conversation);
          const preview = runSync(conversation.manager.previewModelSwitch(modelId(next)));
          conversation.switchTo(next);
          outcomes.set(preview.outcome.kind, 1 + (outcomes.get(preview.outcome.kind) ?? 0));
          comesTrue(preview, conversation);
          const isLocked = preview.outcome.kind === "stuck";
          assert.ok(!isLocked || !infinity || isPassive(conversation.manager.policy), "only where that is chosen");
        },
      ),
      { numRuns: 1_500, seed: 20_261_122 },
    );
    assert.deepEqual([...outcomes.keys()].toSorted(), ["fits", "stuck", "summarized"]);
  });

  it("restores no more originals than fit as billed, without a new summary", () => {
    const calibrations = new UsageCalibrations();
    teach(calibrations, "middle", 245);
    const conversation = new TestConversation({ model: "tiny", calibrations });
    for (const operation of SUMMARIZED) perform(operation, conversation);
    const preview = runSync(conversation.manager.previewModelSwitch(modelId("middle")));
    conversation.switchTo("middle");
    assert.equal(preview.outcome.kind, "fits");
    comesTrue(preview, conversation);
    const { usedTokens, budgetTokens } = conversation.manager.usage();
    assert.ok(usedTokens > budgetTokens / 2 && usedTokens < budgetTokens * 0.8, `${String(usedTokens)} tokens`);
    conversation.turns(20, 5, 100);
    assert.ok(fitsAsBilled(conversation.manager), "what is said then takes the place of what came back");
  });

  it("reports a summary when the request fits as counted but not as billed", () => {
    const calibrations = new UsageCalibrations();
    teach(calibrations, "small", 150);
    const conversation = new TestConversation({ model: "large", calibrations }).play("14*100/100");
    const counted = conversation.manager.usage().usedTokens;
    const preview = runSync(conversation.manager.previewModelSwitch(modelId("small")));
    assert.ok(counted < 3_000, "as it is counted here it fits");
    assert.equal(preview.outcome.kind, "summarized");
    conversation.switchTo("small");
    assert.equal(fitsAsBilled(conversation.manager), false);
    comesTrue(preview, conversation);
  });
});

/** Calibrates a model to bill `percent` of the counted tokens, for each content class. */
function teach(calibrations: UsageCalibrations, model: string, percent: number): void {
  const taught = new TestConversation({ model: "large", calibrations }).play("5*200/200");
  const { usedTokens } = taught.ready().usage();
  for (let reply = 0; reply < 5; reply++) {
    const of = usedTokens / CONTENT_CLASSES.length;
    const content = { prose: of, code: of, data: of, cjk: of, other: of };
    const request = { content, messages: 0, fixedTokens: 0, toolSet: "" };
    calibrations.learn(modelId(model), request, Math.round((usedTokens * percent) / 100));
  }
}

/** After the switch: asserts that its effect is the preview. */
function comesTrue({ outcome, tokensAfter, calls }: SwitchPreview, conversation: TestConversation): void {
  const { manager } = conversation;
  const status = manager.usageStatus();
  switch (outcome.kind) {
    case "fits":
      assert.equal(status.kind, "ready");
      assert.equal(manager.prepare().kind, "ready");
      if (isDue(conversation)) assert.equal(manager.planCompaction(trigger(conversation)), undefined, "nothing to do");
      assert.equal(manager.usage().usedTokens, tokensAfter);
      return;
    case "summarized": {
      assert.ok(isDue(conversation));
      const plan = manager.planCompaction(trigger(conversation));
      assert.equal(plan?.steps.length, calls);
      conversation.compact(trigger(conversation));
      assert.equal(manager.prepare().kind, "ready");
      const { usedTokens, budgetTokens } = manager.usage();
      // The preview may exceed the budget for a request that fits only as counted.
      const said = Math.max(budgetTokens, tokensAfter + ROUNDING_TOKENS);
      assert.ok(usedTokens <= said, `${String(usedTokens)} of ${String(budgetTokens)}`);
      // Originals summarized before the switch are restored up to the target.
      const sent = new Set(conversation.ready().segments.flatMap((each) => (each.kind === "summary" ? [each.id] : [])));
      const isRestored = manager.history.usableSummaries().some(({ summary }) => !sent.has(summary.id));
      const most = isRestored ? budgetTokens : tokensAfter + ROUNDING_TOKENS;
      assert.ok(usedTokens <= most, `${String(usedTokens)} after, ${String(tokensAfter)} said`);
      return;
    }
    case "stuck":
      assert.ok(status.kind === "needsSummarization");
      assert.equal(status.needed.excessTokens, outcome.excessTokens);
      assert.equal(manager.planCompaction("modelSwitch"), undefined, "nothing is summarized by itself");
      return;
    case "tooLarge":
      assert.ok(status.kind === "tooLarge");
      assert.deepEqual(status.error, outcome.error);
  }
}

/** Whether the driver would summarize now, rather than only prepare. */
function isDue({ manager }: TestConversation): boolean {
  return !fitsAsBilled(manager) || manager.compactionStage() === "apply";
}

function trigger({ manager }: TestConversation): "modelSwitch" | "background" {
  return fitsAsBilled(manager) ? "background" : "modelSwitch";
}

/** Upper bound of the rounding: each summary is rounded up to whole tokens of the model. */
const ROUNDING_TOKENS = 40;
