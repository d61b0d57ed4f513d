/** The steps of a compaction; later steps may build on the summaries of earlier ones. */

import type { CompactionPlan } from "../../../core/context/plan/compactionPlan.ts";
import { independentSteps } from "../../../core/context/plan/independentSteps.ts";
import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { PendingSummarization } from "../../../core/context/summarization/pendingSummarization.ts";
import type { MessageRange } from "../../../core/history/summaries/summary.ts";
import { messageId, type ModelId, type SummaryId } from "../../../core/ids.ts";
import type { CompactionOrder, SummaryWriter, SummaryWriters } from "./compactionOrder.ts";
import type { SummaryStep } from "./stepSummaries.ts";

/** A step with its place among all of them. */
export interface CompactionStep extends SummaryStep {
  /** From 0. */
  readonly part: number;
  readonly parts: number;
}

/** Steps that are written side by side. */
type CompactionSteps = Generator<readonly CompactionStep[] | undefined, void>;

/** `undefined` pauses. The caller applies the summaries to `manager` before it takes the next steps. */
export function* stepsOf(
  order: CompactionOrder,
  plan: CompactionPlan | undefined,
  manager: ContextManager,
  writers: SummaryWriters,
): CompactionSteps {
  if (order.regenerate !== undefined) yield* regenerationSteps(order.regenerate, manager, writers);
  else if (order.renew !== undefined) yield* renewalSteps(order.renew, manager, writers);
  else if (order.range !== undefined) yield* rangeSteps(order.range, manager, writers);
  else if (plan !== undefined) yield* plannedSteps(plan, manager, writers);
}

function* plannedSteps(plan: CompactionPlan, manager: ContextManager, writers: SummaryWriters): CompactionSteps {
  let part = 0;
  const parts = plan.steps.length;
  for (const wave of independentSteps(plan.steps)) {
    const steps: CompactionStep[] = [];
    for (const step of wave) {
      const pendings = yield* manager.beginPlannedSummaries(step);
      const place = { part: part++, parts };
      if (pendings.length === 0) continue;
      const writer = step.model === "main" ? writers.main : writers.small;
      steps.push({ pendings, kind: step.kind, ...writer, strategy: step.strategy, ...place });
    }
    if (steps.length > 0) yield steps;
  }
}

/** One summary for each run of messages that may be summarized; pinned messages separate the runs. */
function* rangeSteps(range: MessageRange, manager: ContextManager, writers: SummaryWriters): CompactionSteps {
  const pendings: PendingSummarization[] = [];
  for (let start: number = range.start; start < range.end;) {
    const pending = yield* manager.prepareSummarization(idsOf(start, range.end));
    if (pending === undefined || pending.covers.end <= start) break;
    pendings.push(pending);
    start = pending.covers.end;
  }
  if (pendings.length > 0)
    yield stepsBeside(
      pendings.map((pending) => [pending]),
      "range",
      writers,
    );
}

/** The same range again; `sizePercent` is relative to the default size. */
function* regenerationSteps(
  { id, model, sizePercent = 100 }: NonNullable<CompactionOrder["regenerate"]>,
  manager: ContextManager,
  writers: SummaryWriters,
): CompactionSteps {
  const { covers, kind } = manager.history.summary(id);
  const pending = yield* manager.prepareSummarization(idsOf(covers.start, covers.end));
  if (pending === undefined) return;
  const step: CompactionStep = {
    pendings: [scaledPending(pending, sizePercent)],
    kind: kind === "extract" ? "conversation" : kind,
    ...writerOf(model, writers),
    strategy: "again",
    part: 0,
    parts: 1,
  };
  yield [step];
}

/** The writer with this model; any other model is one of the provider of the answers. */
function writerOf(model: ModelId | undefined, { small, main }: SummaryWriters): SummaryWriter {
  return model === undefined || model === small.model ? small : { ...main, model };
}

/** The same summary at another size, relative to that of `pending`. */
export function scaledPending(pending: PendingSummarization, sizePercent: number): PendingSummarization {
  const scaled = (tokens: number): number => Math.max(1, Math.floor((tokens * sizePercent) / 100));
  const largest = pending.sourceTokens - LEAST_SAVED_TOKENS;
  const maxTokens = Math.min(largest, Math.max(pending.maxTokens, scaled(pending.maxTokens)));
  const grown = maxTokens / pending.maxTokens;
  const { targetTokens, userTokens, mostTokens } = pending.writerLimits;
  const writerLimits = {
    targetTokens: scaled(targetTokens),
    userTokens: { cl100k: scaled(userTokens.cl100k), o200k: scaled(userTokens.o200k) },
    mostTokens: { cl100k: Math.floor(mostTokens.cl100k * grown), o200k: Math.floor(mostTokens.o200k * grown) },
  };
  return { ...pending, targetTokens: Math.min(largest, scaled(pending.targetTokens)), maxTokens, writerLimits };
}

/** Notes on what extracts stand for now, in as few calls as they fit into. */
function* renewalSteps(ids: readonly SummaryId[], manager: ContextManager, writers: SummaryWriters): CompactionSteps {
  const pendings: PendingSummarization[] = [];
  for (const id of ids) {
    const { start, end } = manager.history.summary(id).covers;
    const pending = yield* manager.prepareSummarization(idsOf(start, end));
    if (pending !== undefined) pendings.push(pending);
  }
  if (pendings.length > 0) yield stepsBeside(sharedCalls(pendings), "again", writers);
}

function stepsBeside(
  groups: readonly (readonly PendingSummarization[])[],
  strategy: string,
  { small }: SummaryWriters,
): readonly CompactionStep[] {
  return groups.map((pendings, part): CompactionStep => {
    return { pendings, kind: "conversation", ...small, strategy, part, parts: groups.length };
  });
}

/** Tokens of summaries that are written in one call; longer ones are written side by side. */
const MOST_SHARED_TOKENS = 1_500;

function sharedCalls(pendings: readonly PendingSummarization[]): readonly (readonly PendingSummarization[])[] {
  const groups: PendingSummarization[][] = [];
  let tokens = 0;
  for (const pending of pendings) {
    tokens += pending.targetTokens;
    const group = groups.at(-1);
    if (group !== undefined && tokens <= MOST_SHARED_TOKENS) group.push(pending);
    else {
      groups.push([pending]);
      tokens = pending.targetTokens;
    }
  }
  return groups;
}

/** A summary must save more than its framing. */
const LEAST_SAVED_TOKENS = 40;

function idsOf(start: number, end: number): readonly ReturnType<typeof messageId>[] {
  return Array.from({ length: end - start }, (_, index) => messageId(start + index));
}
