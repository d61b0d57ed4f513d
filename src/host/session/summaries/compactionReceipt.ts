/** The receipt of a compaction: its effect and cost. The receipts of a conversation add up to its totals. */

import type { CompactionReceipt, NotesReport, SummaryRecord } from "../../../core/history/records.ts";
import type { MessageRange } from "../../../core/history/summaries/summary.ts";
import { messageId, type ModelId } from "../../../core/ids.ts";
import { costUsd, type ModelPrice } from "../../../core/models/modelPrice.ts";
import type { ModelRegistry } from "../../../core/models/modelRegistry.ts";
import type { MadeSummary } from "./stepSummaries.ts";

export interface ReceiptInput {
  readonly trigger: CompactionReceipt["trigger"];
  readonly made: readonly MadeSummary[];
  /** One for each of `made`. */
  readonly records: readonly SummaryRecord[];
  readonly notes: readonly NotesReport[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Of the main model. */
  readonly budgetTokens: number;
  readonly durationMs: number;
  readonly atMs: number;
}

/** The cost is omitted unless it is known for every call. */
export function receiptOf(
  parts: ReceiptInput,
  { registry, mainModel }: { readonly registry: ModelRegistry; readonly mainModel: ModelId },
): CompactionReceipt {
  const { made, records, tokensBefore, tokensAfter } = parts;
  const summaries = records.map(({ summary }) => summary);
  const later = summaries.flatMap(({ id }, index) => (made[index]?.isForNow === true ? [id] : []));
  const billed = made.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  const costs = made.map((one) => costOf(one, registry.priceOf(one.model)));
  const known = costs.filter((cost) => cost !== undefined);
  const cost = known.length === costs.length ? { costUsd: sum(known, (one) => one) } : {};
  const strategies = made.map(({ strategy }) => strategy);
  const pays = cost.costUsd === undefined ? undefined : breakEven(parts, cost.costUsd, registry.priceOf(mainModel));
  return {
    summaries: summaries.map(({ id }) => id),
    span: hull(summaries.map(({ covers }) => covers)),
    strategy: unique(strategies),
    trigger: parts.trigger,
    ...(new Set(strategies).size === 1 ? {} : { strategies }),
    tokensBefore,
    tokensAfter,
    budgetTokens: parts.budgetTokens,
    requestModel: mainModel,
    ...(billed.length === 0
      ? {}
      : {
          billedInputTokens: sum(billed, ({ inputTokens }) => inputTokens),
          billedOutputTokens: sum(billed, ({ outputTokens }) => outputTokens),
        }),
    model: unique(made.map(({ generatedBy }) => generatedBy)),
    calls: sum(made, ({ calls }) => calls),
    ...cost,
    ...(pays === undefined ? {} : { breakEvenRequests: pays }),
    durationMs: parts.durationMs,
    factsKept: sum(summaries, ({ factsKept }) => factsKept),
    factsTotal: sum(summaries, ({ factsTotal }) => factsTotal),
    atMs: parts.atMs,
    ...(parts.notes.length === 0 ? {} : { notes: parts.notes }),
    ...(later.length === 0 ? {} : { notesLater: later }),
  };
}

function costOf({ calls, usage }: MadeSummary, price: ModelPrice | undefined): number | undefined {
  if (calls === 0) return 0;
  return usage === undefined || price === undefined ? undefined : costUsd(price, { ...usage, requests: calls });
}

/**
 * Number of later requests after which the compaction has paid for itself. Cost: its calls, and reading the new request
 * once without the provider's cache. Saving per request: reading the tokens that are no longer sent.
 */
function breakEven(
  { tokensBefore, tokensAfter }: ReceiptInput,
  spentUsd: number,
  price: ModelPrice | undefined,
): number | undefined {
  if (price === undefined || tokensAfter >= tokensBefore) return undefined;
  const { inputPerMillionUsd: fresh, cacheReadPerMillionUsd: cached = fresh } = price;
  const savedUsd = ((tokensBefore - tokensAfter) * cached) / 1e6;
  const readAnewUsd = (tokensAfter * (fresh - cached)) / 1e6;
  return savedUsd > 0 ? Math.ceil((spentUsd + readAnewUsd) / savedUsd) : undefined;
}

/** The smallest range that contains all of `ranges`, which is not empty. */
function hull(ranges: readonly MessageRange[]): MessageRange {
  const start = Math.min(...ranges.map((range) => range.start));
  const end = Math.max(...ranges.map((range) => range.end));
  return { start: messageId(start), end: messageId(end) };
}

function unique(words: readonly string[]): string {
  return [...new Set(words)].join(", ");
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
