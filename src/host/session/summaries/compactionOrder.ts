/** The order for a compaction, and the models that carry it out. */

import type { CompactionTrigger } from "../../../core/context/plan/compactionPlanner.ts";
import type { MessageRange } from "../../../core/history/summaries/summary.ts";
import type { ModelId, SummaryId } from "../../../core/ids.ts";
import type { Provider } from "../../../core/stream/provider.ts";

/** Two services may have models of the same name: a model goes with its provider. */
export interface SummaryWriter {
  readonly model: ModelId;
  /** `undefined`: the extractive summary, which needs no model. */
  readonly provider: Provider | undefined;
}

export interface SummaryWriters {
  /** The usual one. */
  readonly small: SummaryWriter;
  /** That of the answers. */
  readonly main: SummaryWriter;
}

/** The extractive summary alone. */
export function withoutModels({ small, main }: SummaryWriters): SummaryWriters {
  return { small: { ...small, provider: undefined }, main: { ...main, provider: undefined } };
}

export interface CompactionOrder {
  /** `background`: ahead of time. */
  readonly trigger: CompactionTrigger;
  readonly focus?: string;
  /** Only these messages; absent: what the strategies plan. */
  readonly range?: MessageRange;
  /** Notes in the place of these extracts, which stand in for them. */
  readonly renew?: readonly SummaryId[];
  /** Another version of a summary, by another model or of another size. */
  readonly regenerate?: { readonly id: SummaryId; readonly model?: ModelId; readonly sizePercent?: number };
}

/** Whether the strategies choose everything, as for automatic compactions. */
export function isPlannedByStrategies({ focus = "", range, regenerate, renew }: CompactionOrder): boolean {
  return focus === "" && range === undefined && regenerate === undefined && renew === undefined;
}
