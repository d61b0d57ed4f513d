/**
 * The context of one conversation: applies its records and determines what may be sent to the model now. Pure and
 * synchronous; texts are read only when a request is sent.
 *
 * Invariant: only `apply`, `switchModel` and `configure` change it. Everything else that a user does makes a record,
 * which is stored first and applied after.
 */

import type { ForgeError, RecentMessagesTooLarge, ValidationError } from "../errors.ts";
import { FullHistory, type StoredRecord } from "../history/fullHistory.ts";
import type * as records from "../history/records.ts";
import { isSentWhole, type SentAs } from "../history/sentAs.ts";
import type { MessageRange, SummaryState } from "../history/summaries/summary.ts";
import type { MessageId, ModelId, SummaryId } from "../ids.ts";
import type { Message } from "../message.ts";
import type { ModelLimits } from "../models/modelLimits.ts";
import type { Result } from "../result.ts";
import { runSync, type CooperativeTask } from "../cooperativeTask.ts";
import type { CompactionPlan, PlannedStep } from "./plan/compactionPlan.ts";
import * as planner from "./plan/compactionPlanner.ts";
import { completedSummary, type SummarizerOutput } from "./summarization/completedSummary.ts";
import {
  type ContextAdaptation,
  type SwitchPreview,
  adaptationBetween,
  previewSwitch,
} from "./request/switchPreview.ts";
import { settingsOfConversation, type ContextPolicy, type ContextSettings } from "./contextSettings.ts";
import type { ContextUsage } from "./usage/contextUsage.ts";
import * as changes from "./viewChangeRecords.ts";
import { CutBuilder, type CutContext } from "./cut/cutBuilder.ts";
import { sendableMessageRecord, messageRecord, type MessageMeta } from "./messageRecord.ts";
import { isSameRequest, modelContext, type ModelContext } from "./modelContext.ts";
import { pendingForMessages, pendingForSpan, type PendingSummarization } from "./summarization/pendingSummarization.ts";
import { longestAnswer } from "./outputReserve.ts";
import { preparationOf, usageStatusOf, type Preparation, type UsageStatus } from "./request/preparation.ts";
import { type PreparedContext, proveContext } from "./request/preparedContext.ts";
import { mostRecalledTokens } from "./recalled/recalledSegment.ts";
import type { SentTexts } from "./recalled/recallForQuestion.ts";
import { StickyCut } from "./cut/stickyCut.ts";
import { summarizationScope } from "./summarization/summarySources.ts";
import { UsageMeter } from "./usage/usageMeter.ts";
import { estimatedUse } from "./usage/usageOfCut.ts";
import type { WorkingContext } from "./cut/workingContext.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { ReadMessages } from "./request/apiMessages.ts";
import type { RequestOverhead } from "./request/requestOverhead.ts";
import type { UsageCalibrations } from "./usage/usageCalibrations.ts";

export class ContextManager {
  /** Change it through `apply` only. */
  readonly history: FullHistory;
  readonly #cut: StickyCut;
  #options: ContextManagerOptions;
  #model: ModelContext;
  #ownRevision = 0;
  readonly #meter: UsageMeter;
  /** As of the last compaction, so that the budget changes only when the cut does; absent: none, or not adaptive. */
  #longestAnswer: number | undefined;

  constructor(options: ContextManagerOptions, original?: ContextManager) {
    this.history = original?.history.copy() ?? new FullHistory();
    this.#options = options;
    this.#longestAnswer = original === undefined ? undefined : original.#longestAnswer;
    this.#model = this.#contextOf(options.model);
    this.#meter = original === undefined ? new UsageMeter(options.calibrations) : original.#meter.copy();
    const builder = (): CutBuilder => new CutBuilder(this.#cutContext(), this.#meter);
    this.#cut =
      original === undefined ? new StickyCut(this.history, builder) : original.#cut.copy(this.history, builder);
  }

  /** Changes whenever something changes that a request depends on. */
  get revision(): number {
    return this.history.revision + this.#ownRevision;
  }
  get model(): ModelId {
    return this.#model.model;
  }
  /** `maxOutput` is what is reserved for an answer. */
  get limits(): ModelLimits {
    return this.#model.limits;
  }
  /** Maximum input tokens. */
  get budgetTokens(): number {
    return this.#model.budgetTokens;
  }
  /** Fields that every request carries besides its messages. */
  get overhead(): RequestOverhead {
    return this.#options.overhead;
  }
  get policy(): ContextPolicy {
    return this.settings.strategy;
  }
  /** The user's settings with those of this conversation. */
  get settings(): ContextSettings {
    return settingsOfConversation(this.#options.settings, (name) => this.history.setting(name));
  }
  /** An independent copy, to try out changes. */
  copy(other?: Pick<ContextManagerOptions, "readMessages">): ContextManager {
    return new ContextManager({ ...this.#options, model: this.model, ...other }, this);
  }

  /** Applies a stored record; call in storage order. */
  apply(record: StoredRecord): void {
    if (record.kind === "model") this.#changeModel(record.model);
    this.history.apply(record);
    this.#cut.recordApplied(record);
    if (record.kind === "receipt") this.#adaptReserve();
  }

  /** Replaces settings, instructions or tools, and rereads the registry, for the next request. */
  configure(changed: Partial<Pick<ContextManagerOptions, "settings" | "overhead">>): void {
    const before = { ...this.#options, model: this.#model };
    this.#options = { ...this.#options, ...changed };
    this.#model = this.#contextOf(this.model);
    if (isSameRequest(before, { ...this.#options, model: this.#model })) return;
    this.#cut.reset(changed.settings !== undefined);
    this.#ownRevision++;
  }

  /** The record of a message that exists already, such as an answer. */
  record(message: Message, meta: MessageMeta): records.MessageRecord {
    return messageRecord(message, meta, this.history);
  }

  /** The record of a new message; an error if it could not be sent even alone: then do not add it to the history. */
  admit(message: Message, meta: MessageMeta): Result<records.MessageRecord, RecentMessagesTooLarge> {
    return sendableMessageRecord(message, meta, this.#cutContext());
  }

  /** False when the next call that needs to know what is sent takes as long as the history. */
  get isCutBuilt(): boolean {
    return this.#cut.isBuilt;
  }

  /** Computes in slices what is sent now, so that the next call that needs it is fast. */
  buildCutAhead(): CooperativeTask<void> {
    return this.#cut.buildAhead();
  }

  /** Cost depends on what changed since the last call, not on the length of the history. */
  prepare(): Preparation {
    return preparationOf(this.#cut.current(), (context) => this.#prove(context));
  }

  /**
   * The form in which the request of `prepare()` has a message, for all that tells of it. Where nothing can be sent, the
   * form in the least request, which does not fit.
   */
  sentAs(id: MessageId): SentAs {
    return this.#cut.current().context.sentAs(id);
  }

  /** True if that request has a passage of the message beside a question that names it. */
  isRecalled(id: MessageId): boolean {
    return this.#cut.current().context.hasRecalled(id);
  }

  /** True if that request has this summary. */
  isSummarySent(id: SummaryId): boolean {
    return this.#cut.current().context.hasSummary(id);
  }

  /**
   * Texts of the next request, after `changes`, by which is found what a question needs besides; `undefined` if no
   * request can be made.
   */
  sentTexts(changes: readonly records.VisibilityRecord[] = []): SentTexts | undefined {
    const cut = this.#cut.current();
    if (cut.kind !== "ready") return undefined;
    const segments = cut.context.segments();
    const { history } = this;
    const texts = segments.flatMap((segment) =>
      segment.kind === "summary" ? [history.summary(segment.id).content] : [],
    );
    // What changes the view ends what was recalled before.
    const recalled = segments.flatMap((segment) =>
      segment.kind === "recalled" && changes.length === 0 ? segment.passages : [],
    );
    const mostTokens = mostRecalledTokens(this.budgetTokens);
    const isHidden = (id: MessageId): boolean => {
      const change = changes.findLast(({ range }) => range.start <= id && id < range.end);
      return change?.hidden ?? !history.isVisible(history.entry(id));
    };
    const ids = segments.flatMap((segment) => {
      const isKnown = segment.kind === "original" && isSentWhole(cut.context.sentAs(segment.id));
      return isKnown && !isHidden(segment.id) ? [segment.id] : [];
    });
    return { history, known: { ids, texts }, recalled, isHidden, costs: this.#model.costs, mostTokens };
  }

  usage(): ContextUsage {
    return this.#meter.usage(this.#cut.current(), this.#cutContext());
  }

  usageStatus(): UsageStatus {
    return usageStatusOf(this.#cut.current(), this.usage());
  }

  /**
   * Learns from the usage reported for the last prepared request; `inputTokens` is the whole input. Returns whether the
   * usage shows that its tools were dropped.
   */
  recordReportedUsage({ inputTokens }: { readonly inputTokens: number }): boolean {
    return this.#meter.recordReported(this.model, inputTokens);
  }

  /** Predicts a switch, without model calls. If the conversation changes meanwhile, the result fits no state of it. */
  *previewModelSwitch(model: ModelId): CooperativeTask<SwitchPreview> {
    const from = { cut: this.#cut.current(), ...this.#model, usedTokens: this.usage().usedTokens };
    const next = { ...this.#cutContext(), model: this.#contextOf(model) };
    if (model === this.model) return yield* previewSwitch(from, next, from);
    const cut = yield* this.#cut.previewIn(model, new CutBuilder(next, this.#meter));
    return yield* previewSwitch(from, next, { cut, usedTokens: this.#meter.predictedTokens(cut, next.model) });
  }

  /** Resumes where the conversation last stood with `model`, or with as much of the originals as fits. */
  switchModel(model: ModelId): ContextAdaptation {
    const from = { cut: this.#cut.current(), budgetTokens: this.budgetTokens };
    this.#changeModel(model);
    return adaptationBetween(from, { cut: this.#cut.current(), budgetTokens: this.budgetTokens });
  }

  compactionStage(): planner.CompactionStage {
    return planner.compactionStage(this.#planningState());
  }

  /** What to summarize by this conversation's strategies; `undefined` if nothing is due or possible. */
  planCompaction(trigger: planner.CompactionTrigger): CompactionPlan | undefined {
    return runSync(this.planningCompaction(trigger));
  }

  /** Like `planCompaction`. If the conversation changes meanwhile, the result fits no state of it. */
  planningCompaction(trigger: planner.CompactionTrigger): CooperativeTask<CompactionPlan | undefined> {
    return planner.planCompaction(trigger, this.#planningState());
  }

  /** Begins the summaries of one step of a plan; skips spans that would no longer pay. */
  *beginPlannedSummaries(step: PlannedStep): CooperativeTask<readonly PendingSummarization[]> {
    const scope = summarizationScope(this.#cutContext());
    const pendings: PendingSummarization[] = [];
    for (const span of step.spans) {
      const pending = yield* pendingForSpan(span, scope);
      if (pending !== undefined) pendings.push(pending);
    }
    return pendings;
  }

  /** Begins a summary of the first contiguous run of `ids`, or a new version if that has a summary already. */
  prepareSummarization(ids: readonly MessageId[]): CooperativeTask<PendingSummarization | undefined> {
    return pendingForMessages(ids, summarizationScope(this.#cutContext()));
  }

  /** The record of a finished summary, if it is valid for its source as that is now. */
  completeSummarization(
    pending: PendingSummarization,
    draft: SummarizerOutput,
    generatedBy: string,
  ): Result<records.SummaryRecord, ForgeError> {
    return completedSummary({ pending, draft, generatedBy }, { history: this.history, costs: this.#model.costs });
  }

  /** The record that undoes, retires or restores a summary. */
  summaryStateRecord(
    id: SummaryId,
    state: SummaryState,
    atMs: number,
  ): Result<records.SummaryStateRecord, ValidationError> {
    return changes.summaryStateRecord(this.history, { id, state, atMs });
  }

  /** The record that hides a range, widened to whole tool batches. */
  hideRecord(range: MessageRange, atMs: number): Result<records.VisibilityRecord, ValidationError> {
    return changes.visibilityRecord(this.history, { range, hidden: true, atMs });
  }

  showRecord(range: MessageRange, atMs: number): Result<records.VisibilityRecord, ValidationError> {
    return changes.visibilityRecord(this.history, { range, hidden: false, atMs });
  }

  /** The record that pins a message, so that it is always sent unchanged. */
  pinRecord(id: MessageId, atMs: number): Result<records.PinRecord, ValidationError> {
    return changes.pinRecord(this.history, { id, pinned: true, atMs });
  }

  unpinRecord(id: MessageId, atMs: number): Result<records.PinRecord, ValidationError> {
    return changes.pinRecord(this.history, { id, pinned: false, atMs });
  }

  #changeModel(model: ModelId): void {
    if (model === this.model) return;
    this.#cut.endVisit(this.model);
    this.#model = this.#contextOf(model);
    this.#cut.beginVisit(model);
    this.#meter.forgetMeasured();
    this.#ownRevision++;
  }

  #contextOf(model: ModelId): ModelContext {
    return modelContext(model, { ...this.#options, longestAnswer: this.#longestAnswer });
  }

  #adaptReserve(): void {
    if (this.#options.adaptsToSmallWindows !== true) return;
    this.#longestAnswer = longestAnswer(this.history);
    this.#model = this.#contextOf(this.model);
  }

  #prove(context: WorkingContext): PreparedContext {
    this.#meter.recordPrepared(context, this.#model);
    return proveContext(context, {
      ...this.#cutContext(),
      overhead: this.#options.overhead,
      readMessages: this.#options.readMessages,
      usage: this.usage(),
      revision: () => this.revision,
    });
  }

  #cutContext(): CutContext {
    const { settings } = this;
    return { history: this.history, model: this.#model, settings, policy: settings.strategy };
  }

  #planningState(): planner.PlanningState {
    const [{ usedTokens }, { isSummarized }] = [this.usage(), this.#cut];
    const estimatedTokens = estimatedUse(this.#cut.current());
    return { ...this.#cutContext(), usedTokens, estimatedTokens, isSummarized };
  }
}

export interface ContextManagerOptions {
  readonly registry: ModelRegistry;
  readonly settings: ContextSettings;
  readonly model: ModelId;
  readonly overhead: RequestOverhead;
  /** Calibrations learned in all conversations; absent: none. */
  readonly calibrations?: UsageCalibrations;
  /** Reserves less for short answers in a small window, and has fewer and larger compactions there. Absent: false. */
  readonly adaptsToSmallWindows?: boolean;
  /** Called once per request, with the messages that it sends. */
  readonly readMessages: ReadMessages;
}
