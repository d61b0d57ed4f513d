/** What a cut is made for. */

import type { RequestPart } from "../errors.ts";
import type { FullHistory } from "../history/fullHistory.ts";
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
