/** When a plan is made, by which strategies, and down to what. Spec §6. */

import type { CompactionReceipt } from "../../history/records.ts";
import type { CutContext } from "../cut/cutBuilder.ts";
import type { Steps } from "../../cooperativeTask.ts";
import type { CompactionPlan } from "./compactionPlan.ts";
import { compactionView } from "./compactionView.ts";
import {
  isPassive,
  PLAN_FROM_PERCENT,
  type ContextPolicy,
  type ContextSettings,
  type StrategyName,
} from "../contextSettings.ts";
import { planWith } from "./pipeline.ts";
import { percentOf, share } from "../share.ts";
import { STRATEGIES } from "./strategies/strategies.ts";

/**
 * Why a plan is made. `background`: without being asked, as it is or will be needed at the threshold, if it is worth a
 * compaction then; `ahead`: as it will be needed when nothing fits any more. `manual` and `threshold` plan whatever there is.
 */
export type CompactionTrigger = CompactionReceipt["trigger"] | "background" | "ahead";

/** `prepare`: a plan may be made and carried out ahead of time; `apply`: it is due. */
export type CompactionStage = "none" | "prepare" | "apply";

/** What planning depends on. */
export interface PlanningState extends CutContext {
  /** The request as it is now, measured where possible. */
  readonly usedTokens: number;
  /** The same as it is counted here. */
  readonly estimatedTokens: number;
  /** The user has had all summarized, and nothing happened since. Absent: not so. */
  readonly isSummarized?: boolean;
}

/** What is due at this use of the budget. */
export function compactionStage({ model, settings, policy, usedTokens }: PlanningState): CompactionStage {
  if (!settings.infinity || isPassive(policy)) return "none";
  const usedPercent = percentOf(usedTokens, model.budgetTokens);
  if (usedPercent >= settings.summarizeAtPercent) return "apply";
  return usedPercent >= PLAN_FROM_PERCENT ? "prepare" : "none";
}

/** The plan for `trigger`; `undefined` when nothing is due, allowed or possible. */
export function* planCompaction(trigger: CompactionTrigger, state: PlanningState): Steps<CompactionPlan | undefined> {
  const { history, model, settings, policy, usedTokens, estimatedTokens } = state;
  const isByUser = trigger === "manual";
  const isForced = isByUser || trigger === "modelSwitch" || trigger === "overflow" || trigger === "ahead";
  if (isByUser && !isGainPossible(state)) return undefined;
  if (!isByUser && (!settings.infinity || isPassive(policy))) return undefined;
  if (!isForced && compactionStage(state) === "none") return undefined;

  const usedPercent = percentOf(usedTokens, model.budgetTokens);
  const { summarizeAtPercent } = settings;
  // What is prepared ahead is applied when so much more was said; that stays, and the target holds then.
  const appliedAtPercent = trigger === "background" ? summarizeAtPercent : trigger === "ahead" ? 100 : 0;
  const aheadPercent = Math.max(0, appliedAtPercent - usedPercent);
  const view = yield* compactionView({ ...model, history, preserveRecent: settings.preserveRecent });
  yield;
  const strategies = strategiesOf(policy, settings, isByUser).map((name) => STRATEGIES[name]);
  const planWithin = (budgetTokens: number): Steps<CompactionPlan | undefined> =>
    planWith(strategies, view, {
      budgetTokens: trigger === "ahead" ? Math.min(budgetTokens, estimatedTokens - 1) : budgetTokens,
      usedPercent: trigger === "background" ? Math.max(usedPercent, summarizeAtPercent) : usedPercent,
      summarizeAtPercent,
      targetTokens: share(budgetTokens, Math.max(0, settings.targetPercent - aheadPercent)),
      summaryRatio: settings.summaryRatio,
      toolCallTurnAge: settings.toolCallTurnAge,
      frameTokens: model.costs.summaryFrame,
      isForced,
      isByUser,
      leastFreedTokens: PLANS_ANYTHING.has(trigger) ? 0 : share(budgetTokens, LEAST_FREED_PERCENT),
    });
  // Where the provider bills more than is counted here, less fits; the view is in our own counting.
  const scale = Math.min(1, estimatedTokens / Math.max(1, usedTokens));
  const plan = yield* planWithin(Math.floor(model.budgetTokens * scale));
  // What fits as it is counted is sent, however it is billed: where nothing else can be sent, or the user asks, that will do.
  const willDo = isByUser || estimatedTokens > model.budgetTokens;
  const possible = plan === undefined && willDo && scale < 1 ? yield* planWithin(model.budgetTokens) : plan;
  return trigger === "ahead" && isTooEarly(possible, state) ? undefined : possible;
}

/** Whether a summary that the user orders can gain anything: right after another one it would only write that again. */
function isGainPossible({ model, usedTokens, estimatedTokens, isSummarized }: PlanningState): boolean {
  return isSummarized !== true || Math.max(usedTokens, estimatedTokens) > model.budgetTokens;
}

const PLANS_ANYTHING: ReadonlySet<CompactionTrigger> = new Set(["manual", "threshold"]);
/** Half of what lies between the threshold and the target by default. */
const LEAST_FREED_PERCENT = 15;

/** Below the threshold only what a strategy would do itself is worth preparing: what else may have to be done is not known yet. */
function isTooEarly(plan: CompactionPlan | undefined, state: PlanningState): boolean {
  if (compactionStage(state) === "apply") return false;
  return plan?.steps.every(({ strategy }) => strategy === "levelUp" || strategy === "lastResort") ?? true;
}

/** What runs, in order. Where the user asks and nothing of it takes in all kinds of messages, `threshold` does too. */
function strategiesOf(
  policy: ContextPolicy,
  { pipeline }: ContextSettings,
  isByUser: boolean,
): readonly StrategyName[] {
  const chosen = policy === "pipeline" ? pipeline : [policy];
  if (!isByUser || chosen.some((name) => TAKES_IN_ALL.has(name))) return chosen;
  const afterToolCalls = chosen.lastIndexOf("toolCalls") + 1;
  return [...chosen.slice(0, afterToolCalls), "threshold", ...chosen.slice(afterToolCalls)];
}

const TAKES_IN_ALL: ReadonlySet<StrategyName> = new Set(["threshold", "sandwich", "archive", "tree"]);
