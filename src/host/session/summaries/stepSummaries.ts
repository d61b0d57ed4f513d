/** Makes the summaries of one compaction step: reads their sources and writes them in as few calls as they fit into. */

import type { SummarizerOutput } from "../../../core/context/summarization/completedSummary.ts";
import type { ContextManager } from "../../../core/context/contextManager.ts";
import { firstUserMessage } from "../../../core/context/summarization/userMessageRoom.ts";
import type { PendingSummarization } from "../../../core/context/summarization/pendingSummarization.ts";
import type { ForgeError } from "../../../core/errors.ts";
import { storedWithoutExcluded } from "../../../core/history/exclusion.ts";
import { pagesOf } from "../../../core/history/readPages.ts";
import type { SummaryRecord } from "../../../core/history/records.ts";
import type { Summary, SummaryKind } from "../../../core/history/summaries/summary.ts";
import { messageId, type ModelId } from "../../../core/ids.ts";
import { textMessage, type HistoryEntry, type TokenCounts } from "../../../core/message.ts";
import type { ModelRegistry } from "../../../core/models/modelRegistry.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { Clock } from "../../../core/clock.ts";
import type { MessageReader } from "../../../core/store/conversationStore.ts";
import { invariant, ok, type Result } from "../../../core/result.ts";
import { AnswerJoiner, sourceOf, type SummarySource } from "../../../core/summary/write/source.ts";
import { ledgerOf, readLedger } from "../../../core/summary/facts/ledger.ts";
import type { SummarizerRecords } from "../../../core/summary/quality/summarizerRecords.ts";
import type { CallAllowance } from "../../../core/summary/write/callAllowance.ts";
import { summarizeTogether } from "../../../core/summary/write/summarizer.ts";
import type { SummaryDraft, SummaryProgress, SummaryRequest } from "../../../core/summary/write/summaryRequest.ts";
import type { TokenCounter } from "../../../core/tokens/tokenCounter.ts";
import type { SummaryWriter } from "./compactionOrder.ts";
import { yieldToHost } from "../../background/readInSlices.ts";

/** Summaries to be made together. */
export interface SummaryStep extends SummaryWriter {
  readonly pendings: readonly PendingSummarization[];
  readonly kind: SummaryKind;
  readonly strategy: string;
}

export interface StepDeps {
  readonly store: MessageReader;
  readonly counter: TokenCounter;
  readonly registry: ModelRegistry;
  readonly clock: Clock;
  readonly records: Pick<SummarizerRecords, "of">;
  readonly calls: CallAllowance;
  /** Extracts stand in for notes of a model that has no time now. Absent: they do not. */
  readonly areNotesLater?: boolean;
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
  /** An extract that stands in for notes, which are written later. */
  readonly isForNow?: true;
}

/** Applies the summaries to `manager`, a copy that later steps build on. Stores nothing. */
export async function acceptDrafts(
  step: SummaryStep,
  drafts: readonly SummaryDraft[],
  manager: ContextManager,
  deps: StepDeps,
): Promise<Result<readonly MadeSummary[], ForgeError>> {
  const all: MadeSummary[] = [];
  for (const [index, pending] of step.pendings.entries()) {
    await yieldToHost();
    const draft = drafts[index];
    invariant(draft !== undefined, "there is a draft for each summary");
    const isForNow = draft.isForNow === true || (deps.areNotesLater === true && draft.generatedBy === "extract");
    const made = madeOf(pending, isForNow ? { ...draft, isForNow } : draft, { step, clock: deps.clock });
    const isUsable = draft.generatedBy !== "extract" || step.provider === undefined || !isOfNotes(pending, manager);
    const record = isUsable ? accepted(made, manager) : undefined;
    if (record?.ok === true) {
      manager.apply(record.value);
      all.push(made);
      continue;
    }
    if (record !== undefined && draft.generatedBy === "extract") return record;
    // An extract replaces what the context refuses, and what was extracted from a model's notes.
    const extracts = await draftsOf({ ...step, pendings: [pending], provider: undefined }, manager, deps);
    if (!extracts.ok) return extracts;
    const [extract] = extracts.value;
    invariant(extract !== undefined, "an extract is made without a model");
    const { calls, usage } = made;
    const spent = { calls, ...(usage === undefined ? {} : { usage }), ...(isForNow ? { isForNow } : {}) };
    const instead = { ...madeOf(pending, extract, { step, clock: deps.clock }), ...spent };
    const extracted = accepted(instead, manager);
    if (!extracted.ok) return extracted;
    manager.apply(extracted.value);
    all.push(instead);
  }
  return ok(all);
}

/** Whether some of the sources are a model's notes. */
function isOfNotes({ sources }: PendingSummarization, { history }: ContextManager): boolean {
  return sources.some((source) => source.kind === "summary" && isByModel(history.summary(source.id)));
}

function isByModel({ generatedBy }: Summary): boolean {
  return generatedBy !== "extract" && generatedBy !== "user";
}

/** Writes the summaries of a step, and changes nothing. */
export async function draftsOf(
  { pendings, kind, model, provider }: SummaryStep,
  manager: ContextManager,
  { store, records, calls, counter, registry, cancel, focus, onProgress }: StepDeps,
): Promise<Result<readonly SummaryDraft[], ForgeError>> {
  const task = firstUserMessage(manager.history)?.id;
  const requests: SummaryRequest[] = [];
  for (const pending of pendings) {
    requests.push({
      sources: {
        [Symbol.asyncIterator]: () => sourcesOf(pending, manager, { store, isForExtract: provider === undefined }),
      },
      ...{ kind, ...pending.writerLimits },
      ...(task === undefined ? {} : { task }),
      listedNames: namesListedBeside(pending, manager),
      ...(focus === undefined ? {} : { focus }),
    });
  }
  return summarizeTogether(requests, {
    provider,
    model,
    limits: registry.get(model).limits,
    record: records.of(model),
    calls,
    counter,
    cancel,
    onProgress,
    yieldToHost,
  });
}

/** Names in the ledgers of the other summaries in use. */
function namesListedBeside({ covers }: PendingSummarization, { history }: ContextManager): ReadonlySet<string> {
  const beside = history.usableSummaries().filter(({ summary }) => {
    return summary.covers.end <= covers.start || covers.end <= summary.covers.start;
  });
  const facts = beside.flatMap(({ summary }) => readLedger(summary.content).facts);
  return new Set(facts.flatMap(({ kind, text }) => (kind === "path" || kind === "identifier" ? [text] : [])));
}

function madeOf(
  pending: PendingSummarization,
  draft: SummaryDraft,
  { step, clock }: { readonly step: SummaryStep; readonly clock: Clock },
): MadeSummary {
  const { content, tokens, kind, factsKept, factsTotal, generatedBy, calls, usage, isForNow } = draft;
  const completed = { content, tokens, kind, factsKept, factsTotal, createdAtMs: clock.nowMs() };
  const { model, strategy } = step;
  const spent = { calls, ...(usage === undefined ? {} : { usage }) };
  return { pending, completed, generatedBy, model, strategy, ...spent, ...(isForNow === true ? { isForNow } : {}) };
}

function accepted(made: MadeSummary, manager: ContextManager): Result<SummaryRecord, ForgeError> {
  return manager.completeSummarization(made.pending, made.completed, made.generatedBy);
}

/** Tokens of originals that an extract reads instead of a model's notes on them. */
const MOST_REREAD_TOKENS = 100_000;

/**
 * Tokens of a page, some 50 KB of JSON. What is in use while the engine collects garbage ends among its long-lived
 * objects, which are collected rarely: of a conversation of 66 MB, 26 MB do with these pages, and 48 MB with larger ones.
 */
const MOST_PAGE_TOKENS = 8_000;

/** A summary, or a message that is still to be read. `isReread`: its tokens are those of its summary. */
type PlannedSource = { readonly tokens: TokenCounts } & (
  { readonly summary: SummarySource } | { readonly entry: HistoryEntry; readonly isReread: boolean }
);

/**
 * For an extract, a model's notes are no source: their faults would be inherited. It is made of the facts that Forge
 * itself kept below them and, if they are not too many, of the messages.
 */
async function* sourcesOf(
  { sources }: PendingSummarization,
  { history }: ContextManager,
  { store, isForExtract }: { readonly store: MessageReader; readonly isForExtract: boolean },
): AsyncGenerator<Result<readonly SummarySource[], ForgeError>, void> {
  const notes = sources.flatMap((source) => (source.kind === "summary" ? [history.summary(source.id)] : []));
  const replaced = new Set(isForExtract ? notes.filter(isByModel).map(({ id }) => id) : []);
  const rereadTokens = notes.reduce(
    (sum, { id, originalTokens }) => sum + (replaced.has(id) ? originalTokens.o200k : 0),
    0,
  );
  const isReread = rereadTokens <= MOST_REREAD_TOKENS;
  function* plannedSources(): Generator<PlannedSource, void> {
    for (const source of sources) yield* plannedSource(source);
  }
  function* plannedSource(source: (typeof sources)[number]): Generator<PlannedSource, void> {
    if (source.kind === "message") {
      yield plannedMessage(history.entry(source.id), false);
      return;
    }
    const { covers, content, tokenCount: tokens } = history.summary(source.id);
    const text = replaced.has(source.id) ? ledgerOf(content) : content;
    const { turn } = history.entry(covers.start);
    const message = textMessage("system", text);
    yield { tokens, summary: { id: covers.start, lastId: messageId(covers.end - 1), turn, message, tokens } };
    if (!replaced.has(source.id) || !isReread) return;
    for (const entry of history.entries.slice(covers.start, covers.end)) {
      if (history.isVisible(entry)) yield plannedMessage(entry, true);
    }
  }
  const joiner = new AnswerJoiner();
  for (const page of pagesOf(plannedSources(), MOST_PAGE_TOKENS)) {
    const read = await readPage(page, store);
    if (!read.ok) {
      yield read;
      return;
    }
    yield ok(joiner.add(read.value));
  }
  yield ok(joiner.end());
}

function plannedMessage(entry: HistoryEntry, isReread: boolean): PlannedSource {
  return { entry, isReread, tokens: entry.tokens };
}

async function readPage(
  page: readonly PlannedSource[],
  store: MessageReader,
): Promise<Result<readonly SummarySource[], ForgeError>> {
  const ids = page.flatMap((planned) => ("entry" in planned ? [planned.entry.id] : []));
  const read = await store.readMessages(ids);
  if (!read.ok) return read;
  const stored = new Map(read.value.map((each) => [each.entry.id, each]));
  return ok(
    page.flatMap((planned): readonly SummarySource[] => {
      if ("summary" in planned) return [planned.summary];
      const found = stored.get(planned.entry.id);
      if (found === undefined) return [];
      const source = sourceOf(storedWithoutExcluded(found, planned.entry));
      return [planned.isReread ? { ...source, tokens: { cl100k: 0, o200k: 0 } } : source];
    }),
  );
}
