/** A plan in the making: spans are added one by one, and the view is always the one after them. */

import type { CompactionPlan, PlanBudget, PlannedSpan, PlannedStep } from "./compactionPlan.ts";
import { sumOf } from "./itemRuns.ts";
import { plannedSpan, roomier } from "./spanPlanning.ts";
import type { CompactionView, PlannedItems, ViewItem } from "./compactionView.ts";

/** Collects the spans of one strategy. */
export class PlanDraft {
  readonly #budget: PlanBudget;
  readonly #steps: PlannedStep[] = [];
  #spans: PlannedSpan[] = [];
  /** The view when it was last looked at, and what was planned since: a plan for a long history has many spans. */
  #seen: CompactionView;
  #unseen: PlannedItems[] = [];
  #usedTokens: number;

  constructor(view: CompactionView, budget: PlanBudget) {
    this.#seen = view;
    this.#usedTokens = view.usedTokens;
    this.#budget = budget;
  }

  /** The view with what is planned so far in place. */
  get view(): CompactionView {
    this.#seen = this.#seen.with(this.#unseen, this.#budget.frameTokens);
    this.#unseen = [];
    return this.#seen;
  }

  /** The items of the view when it was last looked at: those that nothing was planned for since are still there. */
  get seenItems(): readonly ViewItem[] {
    return this.#seen.items;
  }

  /** Whether the projected use is down to the target. */
  isEnough(): boolean {
    return this.#usedTokens <= this.#budget.targetTokens;
  }

  /** Whether one more summary of `items` would bring it there. */
  isEnoughWith(items: readonly ViewItem[]): boolean {
    return this.projectedWith(items) <= this.#budget.targetTokens;
  }

  /** The use after one more summary of `items`; as it is when that would not pay. */
  projectedWith(items: readonly ViewItem[]): number {
    const span = plannedSpan(items, this.#budget);
    return span === undefined ? this.#usedTokens : this.#usedTokens + this.#grownBy(span);
  }

  /** How much one more summary of `items` would free; 0 when it would not pay. */
  savedBy(items: readonly ViewItem[]): number {
    return this.#usedTokens - this.projectedWith(items);
  }

  /** Plans a summary of neighbouring items, where one pays. */
  add(items: readonly ViewItem[], from?: PlannedSpan["from"]): void {
    const span = plannedSpan(items, this.#budget, from);
    if (span !== undefined) this.addSpan(span, items);
  }

  /**
   * Plans a summary of `items` that is as long as the target of the plan allows, where one pays: what is summarized again
   * loses no more than it has to.
   */
  addRoomy(items: readonly ViewItem[]): void {
    const span = plannedSpan(items, this.#budget);
    if (span === undefined) return;
    const roomTokens = this.#budget.targetTokens - (this.#usedTokens + this.#grownBy(span));
    this.addSpan(roomier(span, roomTokens, this.#budget), items);
  }

  /** Plans exactly this summary of `items`, which are in the view and in no other summary planned since it was looked at. */
  addSpan(span: PlannedSpan, items: readonly ViewItem[]): void {
    this.#spans.push(span);
    this.#unseen.push({ span, items });
    this.#usedTokens += this.#grownBy(span, sumOf(items, "tokens"));
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
    return { steps: this.#steps, projectedTokens: this.#usedTokens };
  }

  #grownBy(span: PlannedSpan, sourceTokens = span.sourceTokens): number {
    return span.targetTokens + this.#budget.frameTokens - sourceTokens;
  }
}
