/** A plan under construction: spans are added one by one, and the view reflects all added so far. */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { CompactionPlan, PlanBudget, PlannedSpan, PlannedStep } from "./compactionPlan.ts";
import { sumOf } from "./itemRuns.ts";
import { plannedSpan, withLargerTarget } from "./spanPlanning.ts";
import type { CompactionView, PlannedReplacement, ViewItem } from "./compactionView.ts";

export class PlanDraft {
  readonly #budget: PlanBudget;
  readonly #steps: PlannedStep[] = [];
  #spans: PlannedSpan[] = [];
  /** The view as last read; spans added since are in `#unseen`, since a plan for a long history has many. */
  #appliedView: CompactionView;
  #pendingSpans: PlannedReplacement[] = [];
  #usedTokens: number;

  constructor(view: CompactionView, budget: PlanBudget) {
    this.#appliedView = view;
    this.#usedTokens = view.usedTokens;
    this.#budget = budget;
  }

  *view(): CooperativeTask<CompactionView> {
    this.#appliedView = yield* this.#appliedView.withPlanned(this.#pendingSpans, this.#budget.frameTokens);
    this.#pendingSpans = [];
    return this.#appliedView;
  }

  /** Items of the view as last read; those without a span added since are still current. */
  get appliedItems(): readonly ViewItem[] {
    return this.#appliedView.items;
  }

  /** Whether the projected use is down to the target. */
  reachesTarget(): boolean {
    return this.#usedTokens <= this.#budget.targetTokens;
  }

  reachesTargetWith(items: readonly ViewItem[]): boolean {
    return this.projectedWith(items) <= this.#budget.targetTokens;
  }

  /** Projected use after one more summary of `items`; unchanged if that would not pay. */
  projectedWith(items: readonly ViewItem[]): number {
    const span = plannedSpan(items, this.#budget);
    return span === undefined ? this.#usedTokens : this.#usedTokens + this.#sizeChange(span);
  }

  /** Tokens that one more summary of `items` would free; 0 if it would not pay. */
  savedBy(items: readonly ViewItem[]): number {
    return this.#usedTokens - this.projectedWith(items);
  }

  /** Plans a summary of adjacent items, if it pays. */
  add(items: readonly ViewItem[], from?: PlannedSpan["from"]): void {
    const span = plannedSpan(items, this.#budget, from);
    if (span !== undefined) this.addSpan(span, items);
  }

  /** Plans a summary of `items`, if it pays, as long as the target allows: rewriting loses as little as possible. */
  addAsLongAsPossible(items: readonly ViewItem[]): void {
    const span = plannedSpan(items, this.#budget);
    if (span === undefined) return;
    const roomTokens = this.#budget.targetTokens - (this.#usedTokens + this.#sizeChange(span));
    this.addSpan(withLargerTarget(span, roomTokens, this.#budget), items);
  }

  /** Plans exactly this summary. `items` are in the view and in no summary planned since it was last read. */
  addSpan(span: PlannedSpan, items: readonly ViewItem[]): void {
    this.#spans.push(span);
    this.#pendingSpans.push({ span, items });
    this.#usedTokens += this.#sizeChange(span, sumOf(items, "tokens"));
  }

  /** Ends a step with the spans added since the last one. `perCall`: whether they share one model call. */
  endStep(step: Omit<PlannedStep, "spans">, perCall: "all" | "one"): void {
    const calls = perCall === "all" ? [this.#spans] : this.#spans.map((span) => [span]);
    for (const spans of calls) if (spans.length > 0) this.#steps.push({ ...step, spans });
    this.#spans = [];
  }

  /** `undefined` if nothing was added. */
  plan(): CompactionPlan | undefined {
    if (this.#steps.length === 0) return undefined;
    return { steps: this.#steps, projectedTokens: this.#usedTokens };
  }

  #sizeChange(span: PlannedSpan, sourceTokens = span.sourceTokens): number {
    return span.targetTokens + this.#budget.frameTokens - sourceTokens;
  }
}
