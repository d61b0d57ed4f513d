/** What a cut is made for, and what a history looks like from there. */

import type { RequestPart } from "../errors.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import type { SummaryNode } from "../history/summaryForest.ts";
import type { MessageId } from "../ids.ts";
import type { FinestMix } from "./finestMix.ts";
import type { SpareCosts } from "./spareCosts.ts";
import type { TokenCosts } from "./tokenCosts.ts";

/** What a cut is made for. */
export interface CutRequest {
  readonly history: FullHistory;
  readonly costs: TokenCosts;
  readonly overhead: readonly RequestPart[];
  readonly budgetTokens: number;
  readonly preserveRecent: number;
  /** Only the first so many messages are looked at. */
  readonly entries: number;
  /** Only summaries with ids below this are used. */
  readonly summaries: number;
  /** Only blocks whose summary has an id below this may be shown finer again, up to `fillTokens` of the budget. */
  readonly restorable: number;
  readonly fillTokens: number;
}

/** A history seen as what is always sent, what is summarized, and the rest. */
export interface Blocks {
  readonly spare: SpareCosts;
  /** The outermost summaries, oldest first. */
  readonly roots: readonly SummaryNode[];
  readonly mix: FinestMix;
  /** Cost of the kept messages whose tool results have to be cut. */
  readonly excerpts: ReadonlyMap<MessageId, number>;
}
