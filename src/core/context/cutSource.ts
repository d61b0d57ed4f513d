/** What a model, the settings and the policy of a conversation make of the cut. */

import type { FullHistory } from "../history/fullHistory.ts";
import type { Steps } from "../steps.ts";
import { isPassive } from "./compactionPlanner.ts";
import type { ContextPolicy, ContextSettings } from "./contextSettings.ts";
import { SMALLEST_SUMMARY_TOKENS } from "./smallestSummary.ts";
import { buildCut, type Cut } from "./cut.ts";
import type { CutAnchor } from "./cutAnchor.ts";
import { keptMessages } from "./keptMessages.ts";
import type { ModelContext } from "./modelContext.ts";
import { mostBelow, share } from "./share.ts";
import { STRATEGIES } from "./strategies/strategies.ts";
import type { CutSource } from "./stickyCut.ts";
import { windowCut } from "./windowCut.ts";

/** What a cut is made with. */
export interface CutContext {
  readonly history: FullHistory;
  readonly model: ModelContext;
  readonly settings: ContextSettings;
  readonly policy: ContextPolicy;
}

/** Tells what is known of how models bill. */
export interface Billing {
  /** Tokens that a model will bill for a cut. */
  predictedTokens(cut: Cut, model: ModelContext): number;
}

/** How cuts are built and continued for `context`. */
export function cutSource(context: CutContext, billing: Billing): CutSource {
  const { history, model, settings, policy } = context;
  const { costs, overheadTokens, budgetTokens } = model;
  const sendsLast = policy === "pipeline" ? undefined : STRATEGIES[policy].sendsLast;
  return {
    budgetTokens,
    coarsenAtTokens: mostRestored(budgetTokens, settings, policy),
    costOf: (entry) => costs.ofEntry(entry),
    ...(sendsLast === undefined ? {} : { window: () => windowCut({ ...model, ...settings, history, sendsLast }) }),
    build: (anchor) => cutAt(anchor, context, billing),
    billedTokens: (cut) => billing.predictedTokens(cut, model),
    fixedPartOverflows: (entries) => {
      const { recentStart, older } = keptMessages(history, entries, settings.preserveRecent);
      const kept = [...older].map((id) => history.entry(id));
      kept.push(...history.entries.slice(recentStart, entries).filter((entry) => history.isVisible(entry)));
      const room = budgetTokens - overheadTokens - costs.summaryFrame - SMALLEST_SUMMARY_TOKENS;
      return kept.reduce((sum, entry) => sum + costs.ofEntry(entry), 0) > room;
    },
  };
}

/** The cut at an anchor. What may come back is so much as it is billed, too: else the cut would not fit, with nothing to summarize. */
function* cutAt(anchor: CutAnchor, { history, model, settings, policy }: CutContext, billing: Billing): Steps<Cut> {
  const { entries, summaries, restorable } = anchor;
  const restoreTokens = mostRestored(model.budgetTokens, settings, policy);
  const mostTokens = anchor.fill === "target" ? share(model.budgetTokens, settings.targetPercent) : restoreTokens;
  const { preserveRecent } = settings;
  for (let fillTokens = mostTokens; ;) {
    const cut = yield* buildCut({ ...model, history, preserveRecent, entries, summaries, restorable, fillTokens });
    const billed = billing.predictedTokens(cut, model);
    if (cut.kind !== "ready" || !cut.context.isRefined || billed <= mostTokens) return cut;
    fillTokens = Math.min(fillTokens, Math.floor((cut.context.usedTokens * mostTokens) / billed)) - 1;
  }
}

/** What is restored stays below where it would be summarized again at once; where nothing is, it may fill the budget. */
function mostRestored(budgetTokens: number, settings: ContextSettings, policy: ContextPolicy): number {
  const isSummarized = settings.infinity && !isPassive(policy);
  return isSummarized ? mostBelow(budgetTokens, settings.summarizeAtPercent) : budgetTokens;
}
