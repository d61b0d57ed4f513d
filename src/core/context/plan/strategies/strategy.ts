/** Strategies are pure functions that decide what should be summarized. */

import type { CooperativeTask } from "../../../cooperativeTask.ts";
import type { CompactionPlan, PlanBudget } from "../compactionPlan.ts";
import type { CompactionView } from "../compactionView.ts";
import type { StrategyName } from "../../contextSettings.ts";
import type { StrategyParameters } from "../../strategyParameters.ts";

export interface Strategy {
  readonly name: StrategyName;
  /** `undefined`: nothing to do now. Absent: never summarizes. */
  readonly plan?: (view: CompactionView, budget: PlanBudget) => CooperativeTask<CompactionPlan | undefined>;
  /** Only this many of the newest messages are sent. */
  readonly windowMessages?: (parameters: StrategyParameters) => number;
}
