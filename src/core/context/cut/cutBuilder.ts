/** Builds cuts for a model, the settings and the policy of a conversation. */

import type { FullHistory } from "../../history/fullHistory.ts";
import { isSentWhole } from "../../history/sentAs.ts";
import type { HistoryEntry } from "../../message.ts";
import type { CooperativeTask } from "../../cooperativeTask.ts";
import type { ContextPolicy, ContextSettings } from "../contextSettings.ts";
import type { ModelContext } from "../modelContext.ts";
import { appliesFromPercent, isPassive, targetPercentOf } from "../contextSettings.ts";
import { STRATEGIES } from "../plan/strategies/strategies.ts";
import { recalledSegment } from "../recalled/recalledSegment.ts";
import { mostTokensBelow, shareOfBudget } from "../budgetShare.ts";
import { buildCut, type Cut } from "./buildCut.ts";
import type { CutCheckpoint } from "./cutCheckpoint.ts";
import { preservedMessages } from "./preservedMessages.ts";
import { windowCut } from "./windowCut.ts";
import type { ContextSegment, WorkingContext } from "./workingContext.ts";

export interface CutContext {
  readonly history: FullHistory;
  readonly model: ModelContext;
  readonly settings: ContextSettings;
  readonly policy: ContextPolicy;
}

/**
 * One more than the id of the newest summary that no user ordered. With `fullHistory` none is made automatically, so up to
 * here summaries are from before, and are sent only where the originals do not fit.
 */
function endOfAutomatic({ spending }: FullHistory): number {
  const automatic = spending.receipts.filter(({ trigger }) => trigger !== "manual");
  return automatic.reduce((end, { summaries }) => summaries.reduce((most, id) => Math.max(most, id + 1), end), 0);
}

export interface BillingPredictor {
  predictedTokens(cut: Cut, model: ModelContext): number;
}

/** Knows nothing of earlier cuts: that is `StickyCut`'s job. */
export class CutBuilder {
  readonly #context: CutContext;
  readonly #billing: BillingPredictor;

  constructor(context: CutContext, billing: BillingPredictor) {
    this.#context = context;
    this.#billing = billing;
  }

  /** Maximum input tokens. */
  get budgetTokens(): number {
    return this.#context.model.budgetTokens;
  }

  /**
   * A cut above this is made coarser, if that needs no model: restored detail stays below where it would be summarized
   * again at once. Where nothing is summarized automatically, a cut may fill the budget.
   */
  get coarsenAtTokens(): number {
    const { settings, policy } = this.#context;
    const isSummarized = settings.infinity && !isPassive(policy);
    return isSummarized ? mostTokensBelow(this.budgetTokens, appliesFromPercent(policy, settings)) : this.budgetTokens;
  }

  costOf(entry: HistoryEntry): number {
    return this.#context.model.costs.ofEntry(entry);
  }

  /** Passages that go with a message that is appended, where that stays below `limitTokens`. */
  recalledFor(entry: HistoryEntry, context: WorkingContext, limitTokens: number): ContextSegment | undefined {
    const { history, model } = this.#context;
    const roomTokens = limitTokens - context.usedTokens - this.costOf(entry);
    return recalledSegment(
      entry,
      { ...model, history },
      { isSent: (id) => isSentWhole(context.sentAs(id)), roomTokens },
    );
  }

  /** Predicted bill of a cut. */
  billedTokens(cut: Cut): number {
    return this.#billing.predictedTokens(cut, this.#context.model);
  }

  /** Number of newest messages that the policy sends, if it sends no others: its cut is rebuilt at every change. */
  get windowMessages(): number | undefined {
    const { policy, settings } = this.#context;
    return policy === "pipeline" ? undefined : STRATEGIES[policy].windowMessages?.(settings.parameters);
  }

  buildWindow(windowMessages: number): Cut {
    const { history, model, settings } = this.#context;
    return windowCut({ ...model, ...settings, history, windowMessages });
  }

  /** Restored detail must also fit as billed: otherwise the request would not fit, with nothing to summarize. */
  *build(checkpoint: CutCheckpoint): CooperativeTask<Cut> {
    const { entries, summaries, splittable, fill } = checkpoint;
    const { history, model, settings, policy } = this.#context;
    const { preserveRecent } = settings;
    const isFull = policy === "fullHistory";
    const restorable = isFull ? Math.max(checkpoint.restorable, endOfAutomatic(history)) : checkpoint.restorable;
    const target = shareOfBudget(model.budgetTokens, targetPercentOf(policy, settings));
    const isRestored = fill === "restore" || (isFull && fill === "compaction");
    const mostTokens = isRestored ? this.coarsenAtTokens : target;
    const splitFromTokens = fill === "compaction" ? this.coarsenAtTokens : 0;
    const limits = { entries, summaries, restorable, splittable, splitFromTokens };
    for (let fillTokens = mostTokens; ;) {
      const cut = yield* buildCut({ ...model, ...limits, history, preserveRecent, fillTokens });
      const billed = this.billedTokens(cut);
      if (cut.kind !== "ready" || !cut.context.isRefined || billed <= mostTokens) return cut;
      fillTokens = Math.min(fillTokens, Math.floor((cut.context.usedTokens * mostTokens) / billed)) - 1;
    }
  }

  /** Whether the reserved part of the first `entries` messages fits only with truncated tool results. */
  isReservedTooLarge(entries: number): boolean {
    const { history, model, settings } = this.#context;
    const { recentStart, older } = preservedMessages(history, entries, settings.preserveRecent, model);
    const preserved = [...older].map((id) => history.entry(id));
    preserved.push(...history.entries.slice(recentStart, entries).filter((entry) => history.isVisible(entry)));
    const room = model.budgetTokens - model.overheadTokens - model.costs.smallestSummary;
    return preserved.reduce((sum, entry) => sum + this.costOf(entry), 0) > room;
  }
}
