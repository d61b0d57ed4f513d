/** A short notation of plans for tables of tests. */

import assert from "node:assert/strict";
import type { CompactionPlan } from "../../../src/core/context/plan/compactionPlan.ts";
import type { CompactionTrigger } from "../../../src/core/context/plan/compactionPlanner.ts";
import { TestConversation, type GivenSettings } from "./conversation.ts";

export interface PlanOptions extends GivenSettings {
  /** Absent: `threshold`. */
  readonly trigger?: CompactionTrigger;
  /** Absent: `small`, whose budget is 3,892 tokens. */
  readonly model?: string;
  /** Input tokens reported by the provider, if any. */
  readonly reported?: number;
  /** Script of events after that, if any. */
  readonly since?: string;
}

/** Defines a test of the plan after `script`, in the notation of `shortPlan`. */
export function checkPlan(title: string, script: string, expected: string, options: PlanOptions = {}): void {
  it(title, () => {
    const { trigger = "threshold", model = "small", reported, since = "", ...settings } = options;
    const conversation = new TestConversation({ model, settings }).play(script);
    if (reported !== undefined) {
      conversation.ready();
      conversation.manager.recordReportedUsage({ inputTokens: reported });
    }
    conversation.play(since);
    assert.equal(shortPlan(conversation.manager.planCompaction(trigger)), expected);
  });
}

/** One line with each call as `strategy(kind, model) ranges`, and the level of those above the first. */
export function shortPlan(plan: CompactionPlan | undefined): string {
  const steps = (plan?.steps ?? []).map(({ strategy, kind, model, spans }) => {
    const ranges = spans.map(({ covers, level }) => {
      return `${String(covers.start)}-${String(covers.end - 1)}${level > 1 ? `^${String(level)}` : ""}`;
    });
    return `${strategy}(${kind}, ${model}) ${ranges.join(" ")}`;
  });
  return steps.length === 0 ? "nothing" : steps.join("; ");
}

/** Calls of one kind, one per range. */
export function calls(kind: string, ...ranges: readonly string[]): string {
  return ranges.map((range) => `${kind} ${range}`).join("; ");
}
