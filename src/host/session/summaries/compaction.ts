/**
 * Runs a compaction in two phases: all summaries are written on a copy of the index, which takes a model and time; then
 * they are applied in one transaction, if their source is unchanged. A compaction that is cancelled, fails or is cut
 * off by a crash has changed nothing.
 */

import type { CompactionPlan } from "../../../core/context/plan/compactionPlan.ts";
import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { ChangeDraft, Conversation } from "../../../core/conversation/conversation.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { CompactionReceipt, NotesReport, SummaryRecord } from "../../../core/history/records.ts";
import type { ModelId } from "../../../core/ids.ts";
import { Cancellation, follow, type CancelSignal } from "../../../core/cancellation.ts";
import { runSync, type CooperativeTask } from "../../../core/cooperativeTask.ts";
import { err, ok, type Ok, type Result } from "../../../core/result.ts";
import { CallAllowance, MOST_CALLS } from "../../../core/summary/write/callAllowance.ts";
import type { SummarizerTally } from "../../../core/summary/quality/summarizerRecord.ts";
import type { SummarizerRecords } from "../../../core/summary/quality/summarizerRecords.ts";
import { areNotesTooLongToAwait } from "../../../core/summary/schedule/awaitedNotes.ts";
import type { SummaryProgress } from "../../../core/summary/write/summaryRequest.ts";
import type { CompactionEvent, CompactionEventKind } from "../../../core/summary/schedule/compactionEvent.ts";
import { checkRequestFits } from "./compactionState.ts";
import { isPlannedByStrategies, withoutModels, type CompactionOrder, type SummaryWriters } from "./compactionOrder.ts";
import { receiptOf } from "./compactionReceipt.ts";
import { NEVER_CANCELLED, readInSlices, yieldToHost } from "../../background/readInSlices.ts";
import { stepsOf, type CompactionStep } from "./compactionSteps.ts";
import { acceptDrafts, draftsOf, type MadeSummary, type StepDeps, type SummaryStep } from "./stepSummaries.ts";

export interface CompactionDeps extends Pick<StepDeps, "counter" | "registry" | "clock" | "areNotesLater"> {
  readonly records: SummarizerRecords;
  readonly conversation: Conversation;
  /** Calls that may be made side by side. Absent: one. */
  readonly parallelCalls?: number;
  /** Somebody waits: notes that take long are written later, and the extract is used until then. Absent: nobody does. */
  readonly isAwaited?: boolean;
  /** Notes that were written for extracts, and wait for a moment that the cut may change, such as this compaction. */
  readonly renewed?: PreparedCompaction;
  readonly writers: SummaryWriters;
  readonly onEvent: (event: CompactionEvent) => void;
}

/** Written summaries that are not applied yet. */
export interface PreparedCompaction {
  readonly order: CompactionOrder;
  readonly made: readonly MadeSummary[];
  readonly notes: readonly NotesReport[];
  /** Time spent on writing. */
  readonly durationMs: number;
}

/** Writes the summaries of `order` and stores nothing; `undefined` when there is nothing to summarize. */
export async function prepareCompaction(
  order: CompactionOrder,
  deps: CompactionDeps,
  cancel: CancelSignal,
): Promise<Result<PreparedCompaction | undefined, ForgeError>> {
  const { context } = deps.conversation;
  const planned = await planOf(order, context, cancel);
  const strategy = planned.ok ? strategyOf(order, planned.value, context) : context.policy;
  const tell = teller(strategy, deps);
  const prepared = planned.ok ? await new CompactionWriter(order, planned.value, tell, deps, cancel).run() : planned;
  if (prepared.ok) return prepared;
  const isCancelled = prepared.error.code === "CANCELLED";
  tell(isCancelled ? { kind: "summarizationCancelled" } : { kind: "summarizationFailed", error: prepared.error });
  return prepared;
}

type Tell = (event: CompactionEventKind) => void;

/** Adds to each event what all have. */
function teller(strategy: string, { clock, onEvent }: Pick<CompactionDeps, "clock" | "onEvent">): Tell {
  return (event) => {
    onEvent({ ...event, strategy, atMs: clock.nowMs() });
  };
}

function strategyOf(order: CompactionOrder, plan: CompactionPlan | undefined, { policy }: ContextManager): string {
  if (order.range !== undefined) return "range";
  if (order.regenerate !== undefined || order.renew !== undefined) return "again";
  return [...new Set(plan?.steps.map(({ strategy }) => strategy))].join(", ") || policy;
}

/** The plan of the strategies; `undefined` when the order itself names what to summarize. */
async function planOf(
  order: CompactionOrder,
  manager: ContextManager,
  cancel: CancelSignal,
): Promise<Result<CompactionPlan | undefined, ForgeError>> {
  const { range, regenerate, renew, trigger } = order;
  if (range !== undefined || regenerate !== undefined || renew !== undefined) return ok(undefined);
  return readInSlices(manager, () => manager.planningCompaction(trigger), cancel);
}

export interface ProjectedCompaction {
  readonly records: readonly SummaryRecord[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** The records to store now; `undefined` when it is stale, or neither makes the request smaller nor makes it fit. */
export function projectCompaction(
  prepared: PreparedCompaction,
  manager: ContextManager,
): ProjectedCompaction | undefined {
  return runSync(projectingCompaction(prepared, manager));
}

function* projectingCompaction(
  { order, made }: PreparedCompaction,
  manager: ContextManager,
): CooperativeTask<ProjectedCompaction | undefined> {
  const after = manager.copy();
  yield;
  const records: SummaryRecord[] = [];
  for (const { pending, completed, generatedBy } of made) {
    const record = after.completeSummarization(pending, completed, generatedBy);
    if (!record.ok) return undefined;
    after.apply(record.value);
    records.push(record.value);
    yield;
  }
  yield* manager.buildCutAhead();
  yield* after.buildCutAhead();
  const [tokensBefore, tokensAfter] = [manager.usage().usedTokens, after.usage().usedTokens];
  if (order.renew !== undefined) return checkRequestFits(after).ok ? { records, tokensBefore, tokensAfter } : undefined;
  const isGain = tokensAfter < tokensBefore || (!checkRequestFits(manager).ok && checkRequestFits(after).ok);
  if (order.trigger !== "manual" && !isGain) return undefined;
  return { records, tokensBefore, tokensAfter };
}

function* projectedAt(
  revision: number,
  prepared: PreparedCompaction,
  manager: ContextManager,
): CooperativeTask<{ readonly revision: number; readonly projected: ProjectedCompaction | undefined }> {
  return { revision, projected: yield* projectingCompaction(prepared, manager) };
}

/**
 * Commits a prepared compaction and its receipt in one transaction. `undefined`: it is stale or without gain, and
 * nothing is changed.
 */
export async function applyCompaction(
  prepared: PreparedCompaction,
  deps: CompactionDeps,
): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
  const { conversation, registry, clock, writers } = deps;
  const { order, made, notes, durationMs } = prepared;
  const tell = teller([...new Set(made.map(({ strategy }) => strategy))].join(", "), deps);
  const { context } = conversation;
  const ahead = await readInSlices(context, () => projectedAt(context.revision, prepared, context), NEVER_CANCELLED);
  const applied = await conversation.changeBy((): Ok<AppliedCompaction> => {
    const isCurrent = ahead.ok && ahead.value.revision === context.revision;
    const outcome = isCurrent ? ahead.value.projected : projectCompaction(prepared, context);
    if (outcome === undefined) return ok({ records: [], receipt: undefined });
    const receipt = receiptOf(
      {
        ...{ ...outcome, trigger: TRIGGERS[order.trigger], made, notes, durationMs },
        ...{ budgetTokens: context.budgetTokens, atMs: clock.nowMs() },
      },
      { registry, mainModel: writers.main.model },
    );
    return ok({ records: [...outcome.records, { kind: "receipt", receipt } as const], receipt });
  });
  if (!applied.ok) {
    tell({ kind: "summarizationFailed", error: applied.error });
    return applied;
  }
  const { receipt } = applied.value;
  if (receipt === undefined) return ok(undefined);
  const { tokensBefore, tokensAfter: newTokens } = receipt;
  tell({ kind: "summarizationCompleted", tokensSaved: tokensBefore - newTokens, newTokens, durationMs, receipt });
  return ok(receipt);
}

interface AppliedCompaction extends ChangeDraft {
  readonly receipt: CompactionReceipt | undefined;
}

/** Triggers as receipts name them: a compaction prepared ahead of time counts as what it was prepared for. */
const TRIGGERS: Readonly<Record<CompactionOrder["trigger"], CompactionReceipt["trigger"]>> = {
  manual: "manual",
  threshold: "threshold",
  background: "threshold",
  overflow: "overflow",
  ahead: "overflow",
  modelSwitch: "modelSwitch",
};

/** Writes and applies at once; `undefined` when there is nothing to summarize. */
export async function runCompaction(
  order: CompactionOrder,
  deps: CompactionDeps,
  cancel: CancelSignal,
): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
  const prepared = await prepareCompaction(order, deps, cancel);
  if (!prepared.ok) return prepared;
  if (prepared.value === undefined) return ok(undefined);
  if (cancel.aborted) return err({ code: "CANCELLED" });
  return applyCompaction(prepared.value, deps);
}

/** The summaries of `prepared` that are still valid, applied to `manager`. */
function applied(
  prepared: PreparedCompaction | undefined,
  manager: ContextManager,
): Pick<PreparedCompaction, "made" | "notes"> {
  if (prepared === undefined) return { made: [], notes: [] };
  const made = prepared.made.filter(({ pending, completed, generatedBy }) => {
    const record = manager.completeSummarization(pending, completed, generatedBy);
    if (record.ok) manager.apply(record.value);
    return record.ok;
  });
  return { made, notes: prepared.notes };
}

class CompactionWriter {
  readonly #order: CompactionOrder;
  readonly #plan: CompactionPlan | undefined;
  readonly #tell: Tell;
  readonly #deps: CompactionDeps;
  readonly #cancel: CancelSignal;
  readonly #made: MadeSummary[] = [];
  /** How many answers of each model there were before. */
  readonly #talliesBefore = new Map<ModelId, SummarizerTally>();
  #itemsDone = 0;
  #tokensSaved = 0;

  constructor(
    order: CompactionOrder,
    plan: CompactionPlan | undefined,
    tell: Tell,
    deps: CompactionDeps,
    cancel: CancelSignal,
  ) {
    this.#order = order;
    this.#plan = plan;
    this.#tell = tell;
    this.#deps = deps;
    this.#cancel = cancel;
  }

  async run(): Promise<Result<PreparedCompaction | undefined, ForgeError>> {
    const { conversation, writers, clock } = this.#deps;
    const manager = conversation.context;
    const startedAtMs = clock.nowMs();
    const { usedTokens: currentTokens, budgetTokens } = manager.usage();
    const copy = manager.copy();
    await yieldToHost();
    const renewed = applied(this.#deps.renewed, copy);
    const calls = new CallAllowance(
      this.#order.trigger !== "manual" || isPlannedByStrategies(this.#order) ? MOST_CALLS : Infinity,
    );
    const steps = stepsOf(this.#order, this.#plan, copy, this.#isPutOff ? withoutModels(writers) : writers);
    for (let next = steps.next(); next.done !== true; next = steps.next()) {
      const wave = next.value;
      if (wave === undefined) {
        await yieldToHost();
        continue;
      }
      if (this.#made.length === 0 && wave.length > 0) {
        this.#tell({ kind: "summarizationStarted", trigger: this.#order.trigger, currentTokens, budgetTokens });
      }
      for (let at = 0; at < wave.length; at += this.#parallelCalls) {
        const made = await this.#write(wave.slice(at, at + this.#parallelCalls), copy, calls);
        if (!made.ok) return made;
        if (this.#cancel.aborted) return err({ code: "CANCELLED" });
      }
    }
    if (this.#made.length === 0) return ok(undefined);
    const durationMs = clock.nowMs() - startedAtMs;
    const made = [...renewed.made, ...this.#made];
    return ok({ order: this.#order, made, notes: [...renewed.notes, ...this.#notesReports()], durationMs });
  }

  /**
   * Writes steps side by side and then accepts them in their order: what is stored does not depend on which of them ends
   * first. The first failure stops the others.
   */
  async #write(
    steps: readonly CompactionStep[],
    copy: ContextManager,
    calls: CallAllowance,
  ): Promise<Result<void, ForgeError>> {
    const { records } = this.#deps;
    const stop = new Cancellation();
    const unfollow = follow(this.#cancel, stop);
    const allowances = calls.divide(steps.length);
    const progress = new RoundProgress(steps, (event) => {
      this.#tellProgress(event);
    });
    const parts = steps.map((step, index) => {
      if (!this.#talliesBefore.has(step.model)) this.#talliesBefore.set(step.model, records.of(step.model).tally);
      const deps = this.#depsOf({
        records: records.fork(index === 0),
        calls: allowances[index] ?? new CallAllowance(0),
        cancel: stop,
        onProgress: (part) => {
          progress.note(index, part);
        },
      });
      return { step, deps };
    });
    const written = await Promise.all(
      parts.map(async ({ step, deps }) => {
        const drafts = await draftsOf(step, copy, deps);
        if (!drafts.ok) stop.abort();
        return drafts;
      }),
    );
    unfollow();
    const failures = written.flatMap((drafts) => (drafts.ok ? [] : [drafts.error]));
    const failure = failures.find(({ code }) => code !== "CANCELLED") ?? failures[0];
    if (failure !== undefined) return err(this.#cancel.aborted ? { code: "CANCELLED" } : failure);
    for (const [index, { step, deps }] of parts.entries()) {
      const drafts = written[index];
      if (drafts?.ok !== true) continue;
      const made = await acceptDrafts(step, drafts.value, copy, deps);
      if (!made.ok) return made;
      records.join(deps.records);
      calls.giveBack(deps.calls);
      this.#made.push(...made.value);
      this.#itemsDone += itemsOf(step);
      this.#tokensSaved += made.value.reduce(
        (sum, { pending, completed }) => sum + pending.originalTokens.o200k - completed.tokens.o200k,
        0,
      );
    }
    return ok(undefined);
  }

  #depsOf<Own extends Pick<StepDeps, "records" | "calls" | "cancel" | "onProgress">>(own: Own): StepDeps & Own {
    const { conversation } = this.#deps;
    const areNotesLater = this.#isPutOff || this.#deps.areNotesLater === true;
    return {
      ...this.#deps,
      ...{ store: conversation.store, areNotesLater, focus: this.#order.focus },
      ...own,
    };
  }

  get #parallelCalls(): number {
    return Math.max(1, this.#deps.parallelCalls ?? 1);
  }

  /** True if the extract is used now, and the notes are written when nobody waits. */
  get #isPutOff(): boolean {
    const { writers, records, isAwaited = false } = this.#deps;
    return (
      isAwaited &&
      writers.small.provider !== undefined &&
      this.#plan !== undefined &&
      isPlannedByStrategies(this.#order) &&
      !records.of(writers.small.model).isStopped &&
      areNotesTooLongToAwait(this.#plan.steps, this.#parallelCalls)
    );
  }

  #tellProgress({ itemsDone, itemsTotal, tokensSaved, ...done }: StepsProgress): void {
    this.#tell({
      kind: "summarizationProgress",
      itemsDone: this.#itemsDone + itemsDone,
      itemsTotal: this.#itemsDone + itemsTotal,
      tokensSaved: this.#tokensSaved + tokensSaved,
      ...done,
    });
  }

  #notesReports(): readonly NotesReport[] {
    const { records } = this.#deps;
    return [...this.#talliesBefore].flatMap(([model, before]) => records.of(model).since(before, model) ?? []);
  }
}

function itemsOf({ pendings }: SummaryStep): number {
  return pendings.reduce((sum, { sources }) => sum + sources.length, 0);
}

/** `share` is that of all steps. */
interface StepsProgress extends SummaryProgress {
  readonly partsDone: number;
  readonly parts: number;
}

/** Adds up the progress of steps that are written side by side. */
class RoundProgress {
  readonly #steps: readonly CompactionStep[];
  readonly #parts: SummaryProgress[];
  readonly #tell: (progress: StepsProgress) => void;

  constructor(steps: readonly CompactionStep[], tell: (progress: StepsProgress) => void) {
    this.#steps = steps;
    this.#parts = steps.map((step) => ({ itemsDone: 0, itemsTotal: itemsOf(step), tokensSaved: 0, share: 0 }));
    this.#tell = tell;
  }

  note(index: number, part: SummaryProgress): void {
    this.#parts[index] = { ...part, itemsTotal: this.#parts[index]?.itemsTotal ?? part.itemsTotal };
    const sum = (of: (progress: SummaryProgress) => number): number =>
      this.#parts.reduce((total, progress) => total + of(progress), 0);
    const { part: partsBefore, parts } = this.#steps[0] ?? { part: 0, parts: 1 };
    const partsDone = partsBefore + this.#parts.filter(({ share }) => share === 1).length;
    const share = (partsBefore + sum((progress) => progress.share)) / parts;
    this.#tell({
      ...{ share, partsDone, parts },
      itemsDone: sum(({ itemsDone }) => itemsDone),
      itemsTotal: sum(({ itemsTotal }) => itemsTotal),
      tokensSaved: sum(({ tokensSaved }) => tokensSaved),
    });
  }
}
