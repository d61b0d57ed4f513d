/** Plans in a form that fits into a table of tests. */

import assert from "node:assert/strict";
import type { CompactionPlan } from "../../../src/core/context/plan/compactionPlan.ts";
import type { CompactionTrigger } from "../../../src/core/context/plan/compactionPlanner.ts";
import type { ContextSettings } from "../../../src/core/context/contextSettings.ts";
import { TestConversation } from "./conversation.ts";

/** What a plan is made for. */
export interface PlanOptions extends Partial<ContextSettings> {
  /** Absent: `threshold`. */
  readonly trigger?: CompactionTrigger;
  /** Absent: `small`, whose budget is 3,892 tokens. */
  readonly model?: string;
  /** What the provider reported of the request; absent: nothing. */
  readonly reported?: number;
  /** What happened after that; absent: nothing. */
  readonly since?: string;
}

/** Checks the plan for what a script says happened, written as `shortPlan` writes it. */
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

/** One line: each call as `strategy(kind, model) ranges`, with the level of those above the first. */
export function shortPlan(plan: CompactionPlan | undefined): string {
  const steps = (plan?.steps ?? []).map(({ strategy, kind, model, spans }) => {
    const ranges = spans.map(({ covers, level }) => {
      return `${String(covers.start)}-${String(covers.end - 1)}${level > 1 ? `^${String(level)}` : ""}`;
    });
    return `${strategy}(${kind}, ${model}) ${ranges.join(" ")}`;
  });
  return steps.length === 0 ? "nothing" : steps.join("; ");
}

/** Calls of one kind, one for each range. */
export function calls(kind: string, ...ranges: readonly string[]): string {
  return ranges.map((range) => `${kind} ${range}`).join("; ");
}
