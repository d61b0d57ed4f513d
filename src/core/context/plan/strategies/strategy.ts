/** What every strategy is: a pure look at the history that answers what should be summarized. */

import type { CompactionPlan, PlanBudget } from "../compactionPlan.ts";
import type { CompactionView } from "../compactionView.ts";
import type { StrategyName } from "../../contextSettings.ts";

/** One way to keep a conversation within its budget. */
export interface Strategy {
  readonly name: StrategyName;
  /** Pure. `undefined`: nothing to do now. */
  readonly plan: (view: CompactionView, budget: PlanBudget) => CompactionPlan | undefined;
  /** Sends so many of the newest messages and no more. */
  readonly sendsLast?: number;
}
