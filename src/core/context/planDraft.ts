/** A plan in the making: spans are added one by one, and the view is always the one after them. */

import type { CompactionPlan, PlanBudget, PlannedSpan, PlannedStep } from "./compactionPlan.ts";
import { plannedSpan } from "./spanPlanning.ts";
import type { CompactionView, ViewItem } from "./compactionView.ts";

/** Collects the spans of one strategy. */
export class PlanDraft {
  /** The view with what is planned so far in place. */
  view: CompactionView;
  readonly #budget: PlanBudget;
  readonly #steps: PlannedStep[] = [];
  #spans: PlannedSpan[] = [];

  constructor(view: CompactionView, budget: PlanBudget) {
    this.view = view;
    this.#budget = budget;
  }

  /** Whether the projected use is down to the target. */
  isEnough(): boolean {
    return this.view.usedTokens <= this.#budget.targetTokens;
  }

  /** Whether one more summary of `items` would bring it there. */
  isEnoughWith(items: readonly ViewItem[]): boolean {
    return this.projectedWith(items) <= this.#budget.targetTokens;
  }

  /** The use after one more summary of `items`; as it is when that would not pay. */
  projectedWith(items: readonly ViewItem[]): number {
    const span = plannedSpan(items, this.#budget);
    if (span === undefined) return this.view.usedTokens;
    return this.view.usedTokens - span.sourceTokens + span.targetTokens + this.#budget.frameTokens;
  }

  /** Plans a summary of neighbouring items, where one pays. */
  add(items: readonly ViewItem[], from?: PlannedSpan["from"]): void {
    const span = plannedSpan(items, this.#budget, from);
    if (span !== undefined) this.addSpan(span, items);
  }

  /** Plans exactly this summary. */
  addSpan(span: PlannedSpan, items: readonly ViewItem[]): void {
    this.#spans.push(span);
    this.view = this.view.with(span, items, this.#budget.frameTokens);
  }

  /** Makes one step of the spans added since the last one; `perCall` of them share a model call. */
  endStep(step: Omit<PlannedStep, "spans">, perCall: "all" | "one"): void {
    const calls = perCall === "all" ? [this.#spans] : this.#spans.map((span) => [span]);
    for (const spans of calls) if (spans.length > 0) this.#steps.push({ ...step, spans });
    this.#spans = [];
  }

  /** The plan; `undefined` when nothing was added. */
  plan(): CompactionPlan | undefined {
    if (this.#steps.length === 0) return undefined;
    return { steps: this.#steps, projectedTokens: this.view.usedTokens };
  }
}
