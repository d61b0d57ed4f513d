/** The offer shown before an automatic summary is used: what it covers, what it saves, what it says. */

import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { MessageRange } from "../../../core/history/summaries/summary.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { projectCompaction, type PreparedCompaction } from "./compaction.ts";
import { isTopmost } from "./preparedEdits.ts";
import type { CompactionOrder } from "./compactionOrder.ts";

export interface SummaryOffer {
  readonly summaries: readonly OfferedSummary[];
  readonly tokensBefore: number;
  /** As planned, where nothing is written yet. */
  readonly tokensAfter: number;
  /** The next request does not fit without it. */
  readonly isNeeded: boolean;
}

export interface OfferedSummary {
  /** Among the summaries of the prepared compaction. */
  readonly index: number;
  /** Its text may be changed: no other summary was made of it. */
  readonly isEditable: boolean;
  readonly covers: MessageRange;
  /** Absent: not written yet. */
  readonly content?: string;
  readonly factsKept?: number;
  readonly factsTotal?: number;
}

/** `later`: withdrawn without an answer, because the conversation went on. */
export type OfferAnswer = "yes" | "no" | "later";

/** An offer of what is ready; `undefined` when it is stale or without gain. */
export function offerOfPrepared(
  prepared: PreparedCompaction,
  manager: ContextManager,
  isNeeded: boolean,
): SummaryOffer | undefined {
  const outcome = projectCompaction(prepared, manager);
  if (outcome === undefined) return undefined;
  const { tokensBefore, tokensAfter, records } = outcome;
  const summaries = records.map(({ summary: { covers, content, factsKept, factsTotal } }, index) => {
    return { index, isEditable: isTopmost(index, prepared.made), covers, content, factsKept, factsTotal };
  });
  return { summaries, tokensBefore, tokensAfter, isNeeded };
}

/** An offer of what would be summarized for `trigger`; `undefined` when there is nothing. */
export function offerOfPlan(
  trigger: CompactionOrder["trigger"],
  manager: ContextManager,
  isNeeded: boolean,
): SummaryOffer | undefined {
  const plan = manager.planCompaction(trigger);
  if (plan === undefined) return undefined;
  const summaries = plan.steps
    .flatMap(({ spans }) => spans.map(({ covers }) => ({ covers })))
    .map(({ covers }, index) => ({ index, isEditable: false, covers }));
  return { summaries, tokensBefore: manager.usage().usedTokens, tokensAfter: plan.projectedTokens, isNeeded };
}

/** The unanswered question of a conversation; one at most. */
export class PendingQuestion {
  #asked: AbortController | undefined;

  get isOpen(): boolean {
    return this.#asked !== undefined;
  }

  withdraw(): void {
    this.#asked?.abort();
  }

  async open(ask: (withdrawn: CancelSignal) => Promise<OfferAnswer>): Promise<OfferAnswer> {
    const asked = new AbortController();
    this.#asked = asked;
    return ask(asked.signal).finally(() => {
      if (this.#asked === asked) this.#asked = undefined;
    });
  }

  /** Runs `work`, which asks; withdraws the question when `cancel` is aborted. */
  async withdrawOnAbort<T>(cancel: CancelSignal, work: () => Promise<T>): Promise<T> {
    const withdraw = (): void => {
      this.withdraw();
    };
    cancel.addEventListener("abort", withdraw);
    return work().finally(() => {
      cancel.removeEventListener("abort", withdraw);
    });
  }
}
