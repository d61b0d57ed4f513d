/** Decides when to plan, with which strategies, and to what target. Spec §6. */

import type { CompactionReceipt } from "../../history/records.ts";
import type { CutContext } from "../cut/cutBuilder.ts";
import { recentPastes } from "../cut/recentPastes.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { CompactionPlan } from "./compactionPlan.ts";
import { compactionView } from "./compactionView.ts";
import {
  appliesFromPercent,
  isPassive,
  PLAN_FROM_PERCENT,
  sendsSummaries,
  targetPercentOf,
  type ContextPolicy,
  type ContextSettings,
  type StrategyName,
} from "../contextSettings.ts";
import { runPipeline } from "./pipeline.ts";
import { percentOf, shareOfBudget } from "../budgetShare.ts";
import { userMessageRoom } from "../summarization/userMessageRoom.ts";
import { STRATEGIES } from "./strategies/strategies.ts";

/**
 * Why a plan is made. `background`: automatically, as needed now or at the threshold, if it is worth a compaction then;
 * `ahead`: as needed when nothing fits any more. `manual` and `threshold` plan whatever there is.
 */
export type CompactionTrigger = CompactionReceipt["trigger"] | "background" | "ahead";

/** `prepare`: a plan may be made and carried out in advance; `apply`: it is due. */
export type CompactionStage = "none" | "prepare" | "apply";

export interface PlanningState extends CutContext {
  /** Tokens of the current request, measured where possible. */
  readonly usedTokens: number;
  /** The same by our own counting. */
  readonly estimatedTokens: number;
  /** The user has had everything summarized, and nothing has changed since. Absent: false. */
  readonly isSummarized?: boolean;
}

export function compactionStage({ model, settings, policy, usedTokens }: PlanningState): CompactionStage {
  if (!settings.infinity || isPassive(policy)) return "none";
  const usedPercent = percentOf(usedTokens, model.budgetTokens);
  if (usedPercent >= appliesFromPercent(policy, settings)) return "apply";
  return usedPercent >= PLAN_FROM_PERCENT ? "prepare" : "none";
}

/** `undefined` if nothing is due, allowed or possible. */
export function* planCompaction(
  trigger: CompactionTrigger,
  state: PlanningState,
): CooperativeTask<CompactionPlan | undefined> {
  const { history, model, settings, policy, usedTokens, estimatedTokens } = state;
  const isByUser = trigger === "manual";
  const isForced = isByUser || trigger === "modelSwitch" || trigger === "overflow" || trigger === "ahead";
  if (!sendsSummaries(policy) || (isByUser && !isGainPossible(state))) return undefined;
  if (!isByUser && (!settings.infinity || isPassive(policy))) return undefined;
  if (!isForced && compactionStage(state) === "none") return undefined;

  const usedPercent = percentOf(usedTokens, model.budgetTokens);
  const appliesFrom = appliesFromPercent(policy, settings);
  // A plan made in advance is applied when the request has grown by this much. The growth remains, so the target is
  // lower by it.
  const appliedAtPercent = trigger === "background" ? appliesFrom : trigger === "ahead" ? 100 : 0;
  const aheadPercent = Math.max(0, appliedAtPercent - usedPercent);
  const targetPercent = targetPercentOf(policy, settings) - (model.isSmall ? SMALL_WINDOW_PERCENT : 0);
  const view = yield* compactionView({ ...model, history, preserveRecent: settings.preserveRecent });
  yield;
  const userRoom = userMessageRoom(state);
  const pasteTokens = recentPastes(history, history.length, model).reduce(
    (sum, entry) => sum + model.costs.ofEntry(entry),
    0,
  );
  yield;
  const strategies = strategiesOf(policy, settings, isByUser).map((name) => STRATEGIES[name]);
  const planWithin = (budgetTokens: number): CooperativeTask<CompactionPlan | undefined> =>
    runPipeline(strategies, view, {
      budgetTokens: trigger === "ahead" ? Math.min(budgetTokens, estimatedTokens - 1) : budgetTokens,
      usedPercent: trigger === "background" ? Math.max(usedPercent, appliesFrom) : usedPercent,
      summarizeAtPercent: settings.summarizeAtPercent,
      targetTokens: targetBeside(
        pasteTokens,
        shareOfBudget(budgetTokens, Math.max(0, targetPercent - aheadPercent)),
        shareOfBudget(budgetTokens, Math.max(0, appliesFrom - LEAST_FREED_PERCENT.usual - aheadPercent)),
      ),
      summaryRatio: settings.summaryRatio,
      toolCallTurnAge: settings.toolCallTurnAge,
      parameters: settings.parameters,
      frameTokens: model.costs.summaryFrame,
      userRoom,
      isSmall: model.isSmall,
      isForced,
      isByUser,
      leastFreedTokens: TRIGGERS_WITHOUT_MINIMUM.has(trigger)
        ? 0
        : shareOfBudget(budgetTokens, model.isSmall ? LEAST_FREED_PERCENT.small : LEAST_FREED_PERCENT.usual),
    });
  // The view uses our own counting: where the provider bills more, less fits.
  const scale = Math.min(1, estimatedTokens / Math.max(1, usedTokens));
  const plan = yield* planWithin(Math.floor(model.budgetTokens * scale));
  // What fits by our own counting is sent, however it is billed: enough if nothing else can be sent, or the user asks.
  const acceptsEstimate = isByUser || estimatedTokens > model.budgetTokens;
  const possible = plan === undefined && acceptsEstimate && scale < 1 ? yield* planWithin(model.budgetTokens) : plan;
  return trigger === "ahead" && isTooEarly(possible, state) ? undefined : possible;
}

/** Beside a paste that is sent whole the target is higher by it: else everything else would be squeezed to a few lines. */
function targetBeside(pasteTokens: number, targetTokens: number, mostTokens: number): number {
  return pasteTokens === 0 ? targetTokens : Math.max(targetTokens, Math.min(targetTokens + pasteTokens, mostTokens));
}

/** Whether a summary ordered by the user can gain anything: right after another one it would only rewrite that. */
function isGainPossible({ model, usedTokens, estimatedTokens, isSummarized }: PlanningState): boolean {
  return isSummarized !== true || Math.max(usedTokens, estimatedTokens) > model.budgetTokens;
}

const TRIGGERS_WITHOUT_MINIMUM: ReadonlySet<CompactionTrigger> = new Set(["manual", "threshold"]);
/**
 * Half of the default distance between threshold and target. In a small window all of the distance, and more: what is
 * always sent takes so much of it that smaller steps would follow each other after every second turn.
 */
const LEAST_FREED_PERCENT = { usual: 15, small: 32 };

/**
 * By so much a small window is emptied further: a summary exceeds its target by the user's own words. By 10, recorded
 * conversations lose a fifth of the names in use, and have no fewer calls.
 */
const SMALL_WINDOW_PERCENT = 7;

/** Below the threshold only steps of strategies are worth preparing: what else may be needed is not known yet. */
function isTooEarly(plan: CompactionPlan | undefined, state: PlanningState): boolean {
  if (compactionStage(state) === "apply") return false;
  return plan?.steps.every(({ strategy }) => strategy === "levelUp" || strategy === "lastResort") ?? true;
}

/** Strategies in order. If the user asks and none of them covers all kinds of messages, `threshold` is added. */
function strategiesOf(
  policy: ContextPolicy,
  { pipeline }: ContextSettings,
  isByUser: boolean,
): readonly StrategyName[] {
  const chosen = policy === "pipeline" ? pipeline : [policy];
  if (!isByUser || chosen.some((name) => COVERS_ALL_KINDS.has(name))) return chosen;
  const afterToolCalls = chosen.lastIndexOf("toolCalls") + 1;
  return [...chosen.slice(0, afterToolCalls), "threshold", ...chosen.slice(afterToolCalls)];
}

const COVERS_ALL_KINDS: ReadonlySet<StrategyName> = new Set(["threshold", "sandwich", "archive", "tree"]);
