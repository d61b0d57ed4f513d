/** What the user is shown before a summary is used that they did not ask for: what it covers, what it saves, what it says. */

import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { MessageRange } from "../../../core/history/summaries/summary.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { projected, type PreparedCompaction } from "./compaction.ts";
import type { CompactionOrder } from "./compactionOrder.ts";

/** The question. */
export interface SummaryOffer {
  readonly parts: readonly OfferedSummary[];
  readonly tokensBefore: number;
  /** Where nothing is written yet, as planned. */
  readonly tokensAfter: number;
  /** The next request does not fit without it. */
  readonly isNeeded: boolean;
}

/** One of the summaries that are offered. */
export interface OfferedSummary {
  readonly covers: MessageRange;
  /** Absent: it is not written yet. */
  readonly content?: string;
  readonly factsKept?: number;
  readonly factsTotal?: number;
}

/** `later`: not answered, because the conversation went on. */
export type OfferAnswer = "yes" | "no" | "later";

/** What is ready, as an offer; `undefined` when it is out of date, or would save nothing. */
export function offerOfPrepared(
  prepared: PreparedCompaction,
  manager: ContextManager,
  isNeeded: boolean,
): SummaryOffer | undefined {
  const outcome = projected(prepared, manager);
  if (outcome === undefined) return undefined;
  const { tokensBefore, tokensAfter, records } = outcome;
  const parts = records.map(({ summary: { covers, content, factsKept, factsTotal } }) => {
    return { covers, content, factsKept, factsTotal };
  });
  return { parts, tokensBefore, tokensAfter, isNeeded };
}

/** What would be summarized for `trigger`, as an offer; `undefined` when there is nothing. */
export function offerOfPlan(
  trigger: CompactionOrder["trigger"],
  manager: ContextManager,
  isNeeded: boolean,
): SummaryOffer | undefined {
  const plan = manager.planCompaction(trigger);
  if (plan === undefined) return undefined;
  const parts = plan.steps.flatMap(({ spans }) => spans.map(({ covers }) => ({ covers })));
  return { parts, tokensBefore: manager.usage().usedTokens, tokensAfter: plan.projectedTokens, isNeeded };
}

/** The question that the user has not answered yet; one at most. */
export class OpenQuestion {
  #asked: AbortController | undefined;

  /** Whether one waits for the user. */
  get isOpen(): boolean {
    return this.#asked !== undefined;
  }

  /** Takes it back. */
  withdraw(): void {
    this.#asked?.abort();
  }

  /** Asks, until there is an answer. */
  async open(ask: (withdrawn: CancelSignal) => Promise<OfferAnswer>): Promise<OfferAnswer> {
    const asked = new AbortController();
    this.#asked = asked;
    return ask(asked.signal).finally(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
  }

  /** Does `work`, which asks; what is asked is taken back when `cancel` is aborted. */
  async unless<T>(cancel: CancelSignal, work: () => Promise<T>): Promise<T> {
    const withdraw = (): void => {
      this.withdraw();
    };
    cancel.addEventListener("abort", withdraw);
    return work().finally(() => {
      cancel.removeEventListener("abort", withdraw);
    });
  }
}
