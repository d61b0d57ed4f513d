/** How cuts are built and continued for a model, the settings and the policy of a conversation. */

import type { FullHistory } from "../../history/fullHistory.ts";
import type { HistoryEntry } from "../../message.ts";
import type { Steps } from "../../cooperativeTask.ts";
import type { ContextPolicy, ContextSettings } from "../contextSettings.ts";
import type { ModelContext } from "../modelContext.ts";
import { isPassive } from "../contextSettings.ts";
import { STRATEGIES } from "../plan/strategies/strategies.ts";
import { mostBelow, share } from "../share.ts";
import { buildCut, type Cut } from "./buildCut.ts";
import type { CutCheckpoint } from "./cutCheckpoint.ts";
import { preservedMessages } from "./preservedMessages.ts";
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

/** Builds the cuts of one conversation with one model. Knows nothing of earlier cuts: that is `StickyCut`'s. */
export class CutBuilder {
  readonly #context: CutContext;
  readonly #billing: Billing;

  constructor(context: CutContext, billing: Billing) {
    this.#context = context;
    this.#billing = billing;
  }

  /** Tokens of input that may be sent. */
  get budgetTokens(): number {
    return this.#context.model.budgetTokens;
  }

  /**
   * A cut of more tokens that can be made coarser without a model is made so: what is restored stays below where it would be
   * summarized again at once; where nothing is, it may fill the budget.
   */
  get coarsenAtTokens(): number {
    const { settings, policy } = this.#context;
    const isSummarized = settings.infinity && !isPassive(policy);
    return isSummarized ? mostBelow(this.budgetTokens, settings.summarizeAtPercent) : this.budgetTokens;
  }

  /** Cost of a message that is sent as it is. */
  costOf(entry: HistoryEntry): number {
    return this.#context.model.costs.ofEntry(entry);
  }

  /** Tokens that the model will bill for a cut, as far as is known of it. */
  billedTokens(cut: Cut): number {
    return this.#billing.predictedTokens(cut, this.#context.model);
  }

  /** How many of the newest messages are sent, by a policy that sends no others: its cut is built anew at every change. */
  get sendsLast(): number | undefined {
    const { policy } = this.#context;
    return policy === "pipeline" ? undefined : STRATEGIES[policy].sendsLast;
  }

  /** The cut of the newest messages. */
  window(sendsLast: number): Cut {
    const { history, model, settings } = this.#context;
    return windowCut({ ...model, ...settings, history, sendsLast });
  }

  /** The cut at a checkpoint. What may come back is so much as it is billed, too: else it would not fit, with nothing to summarize. */
  *build({ entries, summaries, restorable, fill }: CutCheckpoint): Steps<Cut> {
    const { history, model, settings } = this.#context;
    const { preserveRecent } = settings;
    const mostTokens = fill === "target" ? share(model.budgetTokens, settings.targetPercent) : this.coarsenAtTokens;
    for (let fillTokens = mostTokens; ;) {
      const cut = yield* buildCut({ ...model, history, preserveRecent, entries, summaries, restorable, fillTokens });
      const billed = this.billedTokens(cut);
      if (cut.kind !== "ready" || !cut.context.isRefined || billed <= mostTokens) return cut;
      fillTokens = Math.min(fillTokens, Math.floor((cut.context.usedTokens * mostTokens) / billed)) - 1;
    }
  }

  /** Whether the first `entries` messages hold a reserved part that fits only with its tool results cut. */
  isReservedTooLarge(entries: number): boolean {
    const { history, model, settings } = this.#context;
    const { recentStart, older } = preservedMessages(history, entries, settings.preserveRecent);
    const preserved = [...older].map((id) => history.entry(id));
    preserved.push(...history.entries.slice(recentStart, entries).filter((entry) => history.isVisible(entry)));
    const room = model.budgetTokens - model.overheadTokens - model.costs.smallestSummary;
    return preserved.reduce((sum, entry) => sum + this.costOf(entry), 0) > room;
  }
}
