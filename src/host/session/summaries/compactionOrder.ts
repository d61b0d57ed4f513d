/** What a compaction is asked for, and who carries it out. */

import type { CompactionTrigger } from "../../../core/context/plan/compactionPlanner.ts";
import type { MessageRange } from "../../../core/history/summaries/summary.ts";
import type { ModelId, SummaryId } from "../../../core/ids.ts";
import type { Provider } from "../../../core/stream/provider.ts";

/** Who writes the summaries. */
export interface SummaryWriters {
  /** Absent: the extract, which needs no model. */
  readonly provider: Provider | undefined;
  readonly smallModel: ModelId;
  readonly mainModel: ModelId;
}

/** What is to be summarized, why, and what the user wants of it. */
export interface CompactionOrder {
  /** `background`: ahead of time. */
  readonly trigger: CompactionTrigger;
  readonly focus?: string;
  /** Only these messages; absent: what the strategies plan. */
  readonly range?: MessageRange;
  /** Another version of a summary, by another model or of another size. */
  readonly again?: { readonly id: SummaryId; readonly model?: ModelId; readonly sizePercent?: number };
}

/** Whether the strategies plan all of it, as they do for what is made by itself. */
export function isLeftToStrategies({ focus = "", range, again }: CompactionOrder): boolean {
  return focus === "" && range === undefined && again === undefined;
}
