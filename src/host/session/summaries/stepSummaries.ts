/** Makes the summaries of one compaction step: reads their sources and writes them in as few calls as they fit into. */

import type { SummarizerOutput } from "../../../core/context/summarization/completedSummary.ts";
import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { PendingSummarization } from "../../../core/context/summarization/pendingSummarization.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { storedWithoutExcluded } from "../../../core/history/exclusion.ts";
import type { SummaryRecord } from "../../../core/history/records.ts";
import type { SummaryKind } from "../../../core/history/summaries/summary.ts";
import type { ModelId } from "../../../core/ids.ts";
import { textMessage } from "../../../core/message.ts";
import type { ModelRegistry } from "../../../core/models/modelRegistry.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Clock } from "../../../core/clock.ts";
import type { MessageReader } from "../../../core/store/conversationStore.ts";
import type { Provider } from "../../../core/stream/provider.ts";
import { invariant, ok, type Result } from "../../../core/result.ts";
import { sourceOf, withJoinedAnswers, type SummarySource } from "../../../core/summary/write/source.ts";
import { summarizeTogether } from "../../../core/summary/write/summarizer.ts";
import type { SummaryDraft, SummaryProgress, SummaryRequest } from "../../../core/summary/write/summaryRequest.ts";
import type { TokenCounter } from "../../../core/tokens/tokenCounter.ts";
import { yieldToHost } from "../../background/readInSlices.ts";

/** Summaries to be made together. */
export interface SummaryStep {
  readonly pendings: readonly PendingSummarization[];
  readonly kind: SummaryKind;
  readonly model: ModelId;
  readonly strategy: string;
}

export interface StepDeps {
  readonly store: MessageReader;
  readonly counter: TokenCounter;
  readonly registry: ModelRegistry;
  readonly clock: Clock;
  /** `undefined`: the extractive summary, which needs no model. */
  readonly provider: Provider | undefined;
  readonly focus: string | undefined;
  readonly cancel: CancelSignal;
  readonly onProgress: (progress: SummaryProgress) => void;
}

/** A summary that is not recorded yet. `calls` and `usage` include those of a refused answer. */
export interface MadeSummary {
  readonly pending: PendingSummarization;
  readonly completed: SummarizerOutput;
  readonly generatedBy: string;
  /** The model that `calls` went to. */
  readonly model: ModelId;
  readonly strategy: string;
  readonly calls: number;
  readonly usage?: SummaryDraft["usage"];
}

/** Makes the summaries and applies them to `manager`, a copy that later steps build on. Stores nothing. */
export async function makeSummaries(
  step: SummaryStep,
  manager: ContextManager,
  deps: StepDeps,
): Promise<Result<readonly MadeSummary[], ForgeError>> {
  const drafts = await draftsOf(step, manager, deps);
  if (!drafts.ok) return drafts;
  const all: MadeSummary[] = [];
  for (const [index, pending] of step.pendings.entries()) {
    const draft = drafts.value[index];
    invariant(draft !== undefined, "there is a draft for each summary");
    const made = madeOf(pending, draft, { step, clock: deps.clock });
    const record = accepted(made, manager);
    if (record.ok) {
      manager.apply(record.value);
      all.push(made);
      continue;
    }
    if (draft.generatedBy === "extract") return record;
    // When the context refuses what a model wrote, the extractive summary replaces it.
    const extracts = await draftsOf({ ...step, pendings: [pending] }, manager, { ...deps, provider: undefined });
    if (!extracts.ok) return extracts;
    const [extract] = extracts.value;
    invariant(extract !== undefined, "an extract is made without a model");
    const { calls, usage } = made;
    const spent = { calls, ...(usage === undefined ? {} : { usage }) };
    const instead = { ...madeOf(pending, extract, { step, clock: deps.clock }), ...spent };
    const extracted = accepted(instead, manager);
    if (!extracted.ok) return extracted;
    manager.apply(extracted.value);
    all.push(instead);
  }
  return ok(all);
}

async function draftsOf(
  { pendings, kind, model }: SummaryStep,
  manager: ContextManager,
  { store, provider, counter, registry, cancel, focus, onProgress }: StepDeps,
): Promise<Result<readonly SummaryDraft[], ForgeError>> {
  const requests: SummaryRequest[] = [];
  for (const pending of pendings) {
    const sources = await sourcesOf(pending, manager, store);
    if (!sources.ok) return sources;
    requests.push({ sources: sources.value, kind, ...pending.writerLimits, ...(focus === undefined ? {} : { focus }) });
  }
  return summarizeTogether(requests, {
    provider,
    model,
    limits: registry.get(model).limits,
    counter,
    cancel,
    onProgress,
    yieldToHost,
  });
}

function madeOf(
  pending: PendingSummarization,
  draft: SummaryDraft,
  { step, clock }: { readonly step: SummaryStep; readonly clock: Clock },
): MadeSummary {
  const { content, tokens, kind, factsKept, factsTotal, generatedBy, calls, usage } = draft;
  const completed = { content, tokens, kind, factsKept, factsTotal, createdAtMs: clock.nowMs() };
  const { model, strategy } = step;
  return { pending, completed, generatedBy, model, strategy, calls, ...(usage === undefined ? {} : { usage }) };
}

function accepted(made: MadeSummary, manager: ContextManager): Result<SummaryRecord, ForgeError> {
  return manager.completeSummarization(made.pending, made.completed, made.generatedBy);
}

async function sourcesOf(
  { sources }: PendingSummarization,
  { history }: ContextManager,
  store: MessageReader,
): Promise<Result<readonly SummarySource[], ForgeError>> {
  const read = await store.readMessages(sources.flatMap((source) => (source.kind === "message" ? [source.id] : [])));
  if (!read.ok) return read;
  const messages = new Map(
    read.value.map((stored) => [
      stored.entry.id,
      sourceOf(storedWithoutExcluded(stored, history.entry(stored.entry.id))),
    ]),
  );
  const found = sources.flatMap((source): readonly SummarySource[] => {
    if (source.kind === "message") {
      const message = messages.get(source.id);
      return message === undefined ? [] : [message];
    }
    const { covers, content, tokenCount } = history.summary(source.id);
    const { turn } = history.entry(covers.start);
    return [{ id: covers.start, turn, message: textMessage("system", content), tokens: tokenCount }];
  });
  return ok(withJoinedAnswers(found));
}
