/**
 * Carries out the decisions of the compaction schedule: prepares in the background, applies when due, and makes the
 * user wait only where the next request would not fit. The user's orders go through here as well, so that at most one
 * compaction runs at a time.
 */

import type { SummaryId } from "../../../core/ids.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { SessionRun } from "../sessionRun.ts";
import { CompactionProgress } from "./compactionProgress.ts";
import type { ContextManager } from "../../../core/context/contextManager.ts";
import type { Conversation } from "../../../core/conversation/conversation.ts";
import { retryAfterOf, type ForgeError } from "../../../core/errors.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import {
  CompactionSchedule,
  type CompactionState,
  type CompactionMove,
} from "../../../core/summary/schedule/compactionSchedule.ts";
import { BackgroundRun } from "../../background/backgroundRun.ts";
import { compactionState, checkRequestFits } from "./compactionState.ts";
import { isPlannedByStrategies, type CompactionOrder } from "./compactionOrder.ts";
import type { EditedText } from "./summaryEdits.ts";
import { CompactionWork, combineResults, type CompactionResult, type Rewrite } from "./compactionWork.ts";
import { PendingQuestion, type OfferAnswer, type SummaryOffer } from "./summaryOffer.ts";

/** Limit of moves before one request: more do not help. */
const MAX_ROUNDS = 8;

/** Pause in typing after which a summary may be begun on a server with one slot. */
const QUIET_MS = 5_000;

/** State of the automatic attempts after a failure. */
export interface RetryState {
  /** No more automatic attempts. */
  readonly isStopped: boolean;
  /** Time of the next attempt; absent when there is none. */
  readonly retryAtMs: number | undefined;
}

/** Port to the user, for automatic summaries. */
export interface CompactionDialog {
  /** An automatic attempt failed. */
  showFailed(error: ForgeError, tries: RetryState): void;
  /** Asks the user before a summary is used; resolves with `later` when `cancel` is aborted. */
  ask(offer: SummaryOffer, cancel: CancelSignal): Promise<OfferAnswer>;
}

export type SummarizedModel = Pick<SessionModel, "connection">;
export type SummarizedRun = Pick<SessionRun, "activity" | "isReadOnly" | "isSummaryAwaited" | "runIfIdle">;
export type SummaryServices = Pick<
  SessionServices,
  "clock" | "counter" | "registry" | "connections" | "settings" | "view" | "log" | "reportBug"
>;

export class CompactionDriver {
  readonly #context: ContextManager;
  readonly #model: SummarizedModel;
  readonly #run: SummarizedRun;
  readonly #services: SummaryServices;
  readonly #dialog: CompactionDialog;
  readonly #schedule = new CompactionSchedule();
  readonly #progress: CompactionProgress;
  readonly #work: CompactionWork;
  readonly #background: BackgroundRun;
  readonly #question = new PendingQuestion();
  /** Settles when what is written for an offer is written; it is aborted with the question. */
  #offerWriting: Promise<unknown> | undefined;
  #isClosed = false;
  /** Notes that wait may be used. */
  #isCutChanged = false;
  /** When nothing has been typed for {@link QUIET_MS}. */
  #quietAtMs = -Infinity;
  #stopQuietCheck: () => void = () => undefined;
  /** Used tokens when the last compaction was begun. */
  #begunAtTokens = -1;

  constructor(
    conversation: Conversation,
    model: SummarizedModel,
    run: SummarizedRun,
    services: SummaryServices,
    dialog: CompactionDialog,
  ) {
    this.#context = conversation.context;
    this.#model = model;
    this.#run = run;
    this.#services = services;
    this.#dialog = dialog;
    this.#progress = new CompactionProgress(run, services.view, services.log);
    this.#work = new CompactionWork(conversation, model, this.#progress, services);
    this.#background = new BackgroundRun(services.reportBug);
  }

  get isPreparing(): boolean {
    return this.#background.isRunning;
  }

  /** Whether a request or a user's order waits for a summary. */
  get isAwaited(): boolean {
    return this.#run.isSummaryAwaited;
  }

  /** State of the automatic attempts; `undefined` when none has failed, or none is made. */
  get tries(): RetryState | undefined {
    const { isStopped, retryAtMs } = this.#schedule;
    const isOn = this.#services.settings.current.context.infinity;
    return isOn && (isStopped || retryAtMs !== undefined) ? { isStopped, retryAtMs } : undefined;
  }

  /** The model that writes notes, and what was learned of it here. */
  get summarizer(): CompactionWork["summarizer"] & { readonly notesToWrite: number } {
    const { summarizer, notesToWrite } = this.#work;
    return { ...summarizer, notesToWrite };
  }

  /** Whether the prepared compaction, or else the plan, is usable now. */
  get canOffer(): boolean {
    return this.#work.offer(false) !== undefined;
  }

  /** The offer of what is ready now; `undefined` when it is stale. */
  offered(isNeeded: boolean): SummaryOffer | undefined {
    return this.#work.offer(isNeeded);
  }

  /** Replaces texts of what is offered by the user's, by index. */
  replaceTexts(texts: ReadonlyMap<number, EditedText>): Result<void, ForgeError> {
    return this.#work.replaceTexts(texts);
  }

  /** Writes what is offered and only planned. Aborted with the offer. */
  async writeOffered(withdrawn: CancelSignal): Promise<Result<void, ForgeError>> {
    this.askAgain();
    const written = await this.#whileWritten(this.#work.writeOffered(withdrawn));
    if (written.ok) this.#schedule.noteReady();
    return written;
  }

  /** Writes what is offered anew. Aborted with the offer. */
  rewrite(wanted: Rewrite, withdrawn: CancelSignal): Promise<Result<void, ForgeError>> {
    return this.#whileWritten(this.#work.rewrite(wanted, withdrawn));
  }

  async #whileWritten<T>(writing: Promise<T>): Promise<T> {
    this.#offerWriting = writing;
    return writing.finally(() => {
      if (this.#offerWriting === writing) this.#offerWriting = undefined;
      this.checkDue().catch(this.#services.reportBug);
    });
  }

  /** See {@link CompactionWork.requestOf}. */
  requestOf(id: SummaryId, cancel: CancelSignal): ReturnType<CompactionWork["requestOf"]> {
    return this.#work.requestOf(id, cancel);
  }

  /** Carries out what is due while no request waits. */
  async checkDue(): Promise<void> {
    if (this.isAwaited || this.#isClosed || this.#offerWriting !== undefined) return;
    if (this.#isCutChanged) await this.#run.runIfIdle("applying", () => this.#useRenewed());
    const move = this.#decide(this.#run.activity === "idle" ? "idle" : "busy");
    if (move === "prepare" || move === "run") this.#begin();
    else if (move === "renew") this.#beginRenewal();
    else if (move === "apply") await this.#run.runIfIdle("applying", () => this.#apply());
    else if (move === "discard") this.#cancel();
    else if (move === "offer") await this.#offer();
  }

  /** Carries out what is due before a request; an error when the request cannot be sent. */
  async beforeRequest(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    this.#question.withdraw();
    await this.#offerWriting;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (cancel.aborted) return err({ code: "CANCELLED" });
      const gone = await this.#carryOut(this.#decide("turn"), cancel);
      if (gone !== undefined) return gone;
    }
    return this.#fitResult();
  }

  /**
   * Runs what the user ordered. An automatic compaction that is running or ready is used first if the order leaves
   * everything to the strategies, and cancelled otherwise.
   */
  async order(order: CompactionOrder, cancel: CancelSignal): Promise<CompactionResult> {
    const isAlike = isPlannedByStrategies(order);
    this.askAgain();
    return this.#progress.whileAwaited(async () => {
      if (isAlike) await this.#background.settledOrCancelled(cancel);
      const used = isAlike && !cancel.aborted ? await this.#work.apply() : ok(undefined);
      this.#cancel();
      await this.#background.settled();
      await this.#offerWriting;
      this.#schedule.noteUserActed();
      return used.ok ? combineResults(used.value, await this.#work.run(order, cancel)) : used;
    });
  }

  /** The user types: a message may follow, which a summary would hold up on a server with one slot. */
  noteTyped(): void {
    const { clock, reportBug } = this.#services;
    this.#quietAtMs = clock.nowMs() + QUIET_MS;
    if (this.#hasOneSlot && this.#background.isRunning && !this.isAwaited) this.#cancel();
    this.#stopQuietCheck();
    this.#stopQuietCheck = clock.after(QUIET_MS, () => {
      this.checkDue().catch(reportBug);
    });
  }

  /** Cancels the preparation at the user's request; no further attempt until the conversation has grown. */
  postpone(): void {
    this.#cancel();
    this.#schedule.noteDeclined(this.#context.usage().usedTokens);
  }

  /** The user's word to ask a model again whose notes were of no use. */
  askAgain(): void {
    this.#work.records.forgive();
  }

  /** The user retried, or changed a key or a setting: attempts start over. */
  noteUserActed(): void {
    this.#schedule.noteUserActed();
  }

  /** The source messages changed: cancels what is being written or ready. */
  noteSourcesChanged(): void {
    this.#cancel();
  }

  /** The model changed: cancels what was written for the previous one. */
  noteModelSwitched(): void {
    this.#cancel();
    this.#schedule.noteUserActed();
    this.#work.noteModelSwitched();
  }

  /** The cut has changed: notes that wait for such a moment are used as soon as nothing runs. */
  noteCutChanged(): void {
    this.#isCutChanged = this.#work.hasRenewed;
    this.checkDue().catch(this.#services.reportBug);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopQuietCheck();
    this.#cancel();
    await this.#background.settled();
    await this.#offerWriting;
  }

  /** Carries out one move before a request; `undefined`: decide again. */
  async #carryOut(move: CompactionMove, cancel: CancelSignal): Promise<Result<void, ForgeError> | undefined> {
    switch (move) {
      case "rest":
        return this.#fitResult();
      case "prepare":
        this.#begin();
        return this.#fitResult();
      case "renew":
        return this.#fitResult(); // not while a request waits
      case "discard":
        this.#cancel();
        return undefined;
      case "wait":
        await this.#progress.whileAwaited(() => this.#background.settledOrCancelled(cancel));
        return undefined;
      case "apply":
        await this.#progress.whileAwaited(() => this.#apply());
        return undefined;
      case "offer":
        return this.#askForRoom(cancel);
      case "run":
      case "extract":
        return this.#progress.whileAwaited(() => this.#runNow(cancel, this.#writerFor(move)));
    }
  }

  #decide(at: CompactionState["at"]): CompactionMove {
    const { background, askBeforeSummarizing: ask, context } = this.#services.settings.current;
    // A summary of what is read only would cost money and could not be stored.
    const automatic = context.infinity && !this.#run.isReadOnly;
    return this.#schedule.decide(this.#moment(at), { automatic, background, ask });
  }

  #moment(at: CompactionState["at"]): CompactionState {
    const nowMs = this.#services.clock.nowMs();
    const [hasOneSlot, isQuiet] = [this.#hasOneSlot, nowMs >= this.#quietAtMs];
    const hasNotesToWrite = this.#work.notesToWrite > 0;
    return compactionState(this.#context, { at, nowMs, hasOneSlot, isQuiet, hasNotesToWrite });
  }

  /** A summary that is written elsewhere holds up no message. */
  get #hasOneSlot(): boolean {
    const { connections, registry } = this.#services;
    const { connection } = this.#model;
    if (connections.summarizerProvider(connection) !== connection.providerName) return false;
    return registry.abilitiesOf(connection.model).slots === 1;
  }

  #fitResult(): Result<void, ForgeError> {
    return checkRequestFits(this.#context);
  }

  /** Cancels the preparation and drops what is ready. */
  #cancel(): void {
    this.#question.withdraw();
    this.#background.cancel();
    this.#work.discardPrepared();
    this.#schedule.noteEnded();
  }

  #begin(): void {
    this.#schedule.notePreparing();
    this.#begunAtTokens = this.#context.usage().usedTokens;
    this.#background.start(
      (cancel) => this.#prepare(cancel),
      () => {
        this.#progress.ended();
        this.checkDue().catch(this.#services.reportBug);
      },
    );
  }

  #beginRenewal(): void {
    this.#schedule.noteRenewing();
    this.#background.start(
      async (cancel) => {
        const renewed = await this.#work.renew(cancel);
        if (cancel.aborted) return;
        if (renewed.ok) {
          this.#schedule.noteEnded();
          // Where reading takes no time, the notes are worth more than what the provider has cached.
          if (!this.#hasOneSlot) this.#isCutChanged = this.#work.hasRenewed;
        } else this.#noteFailed(renewed.error, false);
      },
      () => {
        this.#progress.ended();
        this.checkDue().catch(this.#services.reportBug);
      },
    );
  }

  async #prepare(cancel: CancelSignal): Promise<void> {
    const written = await this.#work.prepare(cancel);
    if (cancel.aborted) return;
    if (!written.ok) this.#noteFailed(written.error);
    else if (written.value === "nothing") this.#schedule.noteNothingToDo(this.#moment("idle"));
    else this.#schedule.noteReady({ isForOverflow: written.value === "readyForOverflow" });
  }

  async #useRenewed(): Promise<void> {
    this.#isCutChanged = false;
    const used = await this.#work.applyRenewed();
    if (!used.ok) this.#noteFailed(used.error, false);
  }

  async #apply(): Promise<void> {
    const applied = await this.#work.apply();
    if (!applied.ok) this.#noteFailed(applied.error);
    else if (applied.value !== undefined) this.#schedule.noteEnded();
    else this.#afterStale();
  }

  /** The written summary is stale or saves nothing: another one is due only if the conversation has changed meanwhile. */
  #afterStale(): void {
    if (this.#context.usage().usedTokens === this.#begunAtTokens) {
      this.#schedule.noteNothingToDo(this.#moment("idle"));
      return;
    }
    this.#schedule.noteEnded();
    this.checkDue().catch(this.#services.reportBug);
  }

  /** Offers what is due while no request waits. */
  async #offer(): Promise<void> {
    if (!this.#question.isOpen && (await this.#ask(false)) === "yes") await this.checkDue();
  }

  /** Offers what the next request needs; an error when the request must not be sent. */
  async #askForRoom(cancel: CancelSignal): Promise<Result<void, ForgeError> | undefined> {
    if (this.#fitResult().ok) return ok(undefined); // asked when the answer has ended
    const answer = await this.#question.withdrawOnAbort(cancel, () => this.#ask(true));
    if (cancel.aborted || answer === "later") return err({ code: "CANCELLED" });
    return answer === "yes" ? undefined : this.#fitResult();
  }

  /** `no` also when there is nothing to offer. */
  async #ask(isNeeded: boolean): Promise<OfferAnswer> {
    const offer = this.#work.offer(isNeeded);
    if (offer === undefined) {
      this.#work.discardPrepared();
      this.#schedule.noteNothingToDo(this.#moment("idle"));
      return "no";
    }
    const answer = await this.#question.open((withdrawn) => this.#dialog.ask(offer, withdrawn));
    if (answer === "yes") this.#schedule.noteAccepted();
    else if (answer === "no") this.#schedule.noteDeclined(offer.tokensBefore);
    return answer;
  }

  /** After repeated failures no notes are promised for later. */
  #writerFor(move: "run" | "extract"): "byModel" | "byNoModel" | "later" {
    if (move === "run") return "byModel";
    return this.#schedule.isStopped ? "byNoModel" : "later";
  }

  /** Writes and applies while the request waits. A failure is an error only where the request would not fit. */
  async #runNow(
    cancel: CancelSignal,
    writer: "byModel" | "byNoModel" | "later",
  ): Promise<Result<void, ForgeError> | undefined> {
    this.#schedule.notePreparing();
    this.#begunAtTokens = this.#context.usage().usedTokens;
    const written = await this.#work.writeNow(writer, cancel);
    if (!written.ok) return this.#afterFailure(written.error);
    if (!written.value) {
      this.#schedule.noteNothingToDo(this.#moment("turn"));
      return this.#fitResult();
    }
    this.#schedule.noteReady({ isByModel: writer === "byModel" });
    await this.#apply();
    return undefined;
  }

  #afterFailure(error: ForgeError): Result<void, ForgeError> | undefined {
    if (error.code === "CANCELLED") {
      this.#schedule.noteEnded();
      return err(error);
    }
    const fitResult = this.#fitResult();
    this.#noteFailed(error, fitResult.ok);
    if (fitResult.ok) return fitResult;
    return this.#schedule.isStopped ? undefined : err(error);
  }

  /** `shouldReport`: the error is shown nowhere else, as by a request that fails with it. */
  #noteFailed(error: ForgeError, shouldReport = true): void {
    this.#schedule.noteFailed(this.#services.clock.nowMs(), retryAfterOf(error));
    const { isStopped, retryAtMs } = this.#schedule;
    if (shouldReport || isStopped) this.#dialog.showFailed(error, { isStopped, retryAtMs });
  }
}
