/**
 * Carries out what the schedule of a conversation decides: prepares in the background, applies when it is due, makes the
 * user wait only where the next request would not fit. What the user orders goes through here, too, so that there is never
 * more than one compaction at a time.
 */

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
  type CompactionMoment,
  type CompactionMove,
} from "../../../core/summary/schedule/compactionSchedule.ts";
import { BackgroundRun } from "../../background/backgroundRun.ts";
import { momentOf, requestAsItIs } from "./compactionMoment.ts";
import { isLeftToStrategies, type CompactionOrder } from "./compactionOrder.ts";
import { CompactionWork, withRest, type Compacted } from "./compactionWork.ts";
import { OpenQuestion, type OfferAnswer, type SummaryOffer } from "./summaryOffer.ts";

/** More rounds of making room than this mean that it does not help. */
const MOST_ROUNDS = 8;

/** What became of tries that nobody asked for. */
export interface FailedTries {
  /** Nothing is tried by itself any more. */
  readonly isStopped: boolean;
  /** When it is tried again; absent when it is not. */
  readonly retryAtMs: number | undefined;
}

/** The port to whoever speaks with the user about summaries that are made by themselves. */
export interface CompactionDialog {
  /** A try that the user did not ask for failed. */
  showFailed(error: ForgeError, tries: FailedTries): void;
  /** Asks the user before a summary is used; resolves with `later` when `cancel` is aborted. */
  ask(offer: SummaryOffer, cancel: CancelSignal): Promise<OfferAnswer>;
}

/** The parts of a session that compactions work with. */
export type SummarizedModel = Pick<SessionModel, "connection">;
export type SummarizedRun = Pick<SessionRun, "activity" | "isReadOnly" | "isSummaryAwaited" | "whenIdle">;
export type SummaryServices = Pick<
  SessionServices,
  "clock" | "counter" | "registry" | "connections" | "settings" | "view" | "reportBug"
>;

/** The compactions of one conversation. */
export class CompactionDriver {
  readonly #context: ContextManager;
  readonly #run: SummarizedRun;
  readonly #services: SummaryServices;
  readonly #dialog: CompactionDialog;
  readonly #schedule = new CompactionSchedule();
  readonly #progress: CompactionProgress;
  readonly #work: CompactionWork;
  readonly #background: BackgroundRun;
  readonly #question = new OpenQuestion();
  #isClosed = false;

  constructor(
    conversation: Conversation,
    model: SummarizedModel,
    run: SummarizedRun,
    services: SummaryServices,
    dialog: CompactionDialog,
  ) {
    this.#context = conversation.context;
    this.#run = run;
    this.#services = services;
    this.#dialog = dialog;
    this.#progress = new CompactionProgress(run, services.view);
    this.#work = new CompactionWork(conversation, model, this.#progress, services);
    this.#background = new BackgroundRun(services.reportBug);
  }

  /** Whether summaries are being written in the background. */
  get isPreparing(): boolean {
    return this.#background.isRunning;
  }

  /** Whether a request, or the user's own order, waits for a summary. */
  get isAwaited(): boolean {
    return this.#run.isSummaryAwaited;
  }

  /** Whether what is ready, or else what is planned, can be used as things are now. */
  get canOffer(): boolean {
    return this.#work.offer(false) !== undefined;
  }

  /** Does what is due while no request waits. */
  async checkDue(): Promise<void> {
    if (this.isAwaited || this.#isClosed) return;
    const move = this.#decide(this.#run.activity === "idle" ? "idle" : "busy");
    if (move === "prepare" || move === "run") this.#begin();
    else if (move === "apply") await this.#run.whenIdle("applying", () => this.#apply());
    else if (move === "discard") this.#cancel();
    else if (move === "offer") await this.#offer();
  }

  /** What is due before the next request is made; an error when it cannot be made. */
  async beforeRequest(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    this.#question.withdraw();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (cancel.aborted) return err({ code: "CANCELLED" });
      const gone = await this.#carryOut(this.#decide("turn"), cancel);
      if (gone !== undefined) return gone;
    }
    return this.#asItIs();
  }

  /** What the user orders. What runs by itself, or is ready, is used first where it is of that kind, and else ended. */
  async order(order: CompactionOrder, cancel: CancelSignal): Promise<Compacted> {
    const isAlike = isLeftToStrategies(order);
    return this.#progress.awaited(async () => {
      if (isAlike) await this.#background.settledUnless(cancel);
      const used = isAlike && !cancel.aborted ? await this.#work.apply() : ok(undefined);
      this.#cancel();
      await this.#background.settled();
      this.#schedule.noteUserActed();
      return used.ok ? withRest(used.value, await this.#work.run(order, cancel)) : used;
    });
  }

  /** The user wants no summary now: ends what is being prepared, and tries no more until the conversation has gone on. */
  putOff(): void {
    this.#cancel();
    this.#schedule.notePutOff(this.#context.usage().usedTokens);
  }

  /** The user wants it tried again, or changed a key or a setting: tries begin anew. */
  noteUserActed(): void {
    this.#schedule.noteUserActed();
  }

  /** What summaries are made of has changed: what is being written, or is ready, was made of what it was. */
  noteSourcesChanged(): void {
    this.#cancel();
  }

  /** Another model answers from now on: what was being written was for the one before. */
  noteSwitched(): void {
    this.#cancel();
    this.#schedule.noteUserActed();
    this.#work.noteSwitched();
  }

  /** Ends for good; resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#background.settled();
  }

  /** Carries out one move before a request; answers when that settles the question, else it is to be asked again. */
  async #carryOut(move: CompactionMove, cancel: CancelSignal): Promise<Result<void, ForgeError> | undefined> {
    switch (move) {
      case "rest":
        return this.#asItIs();
      case "prepare":
        this.#begin();
        return this.#asItIs();
      case "discard":
        this.#cancel();
        return undefined;
      case "wait":
        await this.#progress.awaited(() => this.#background.settledUnless(cancel));
        return undefined;
      case "apply":
        await this.#progress.awaited(() => this.#apply());
        return undefined;
      case "offer":
        return this.#askForRoom(cancel);
      case "run":
      case "extract":
        return this.#progress.awaited(() => this.#runNow(cancel, move === "run"));
    }
  }

  #decide(at: CompactionMoment["at"]): CompactionMove {
    const { background, askBeforeSummarizing: ask, context } = this.#services.settings.current;
    // A summary of what is read only would cost money and could not be stored.
    const automatic = context.infinity && !this.#run.isReadOnly;
    return this.#schedule.decide(this.#moment(at), { automatic, background, ask });
  }

  #moment(at: CompactionMoment["at"]): CompactionMoment {
    return momentOf(this.#context, at, this.#services.clock.nowMs());
  }

  #asItIs(): Result<void, ForgeError> {
    return requestAsItIs(this.#context);
  }

  /** Ends what is being prepared, and forgets what is ready. */
  #cancel(): void {
    this.#question.withdraw();
    this.#background.cancel();
    this.#work.forget();
    this.#schedule.noteEnded();
  }

  #begin(): void {
    this.#schedule.noteBegun();
    this.#background.begin(
      (cancel) => this.#prepare(cancel),
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

  async #apply(): Promise<void> {
    const applied = await this.#work.apply();
    if (!applied.ok) this.#noteFailed(applied.error);
    else if (applied.value === undefined) this.#schedule.noteNothingToDo(this.#moment("idle"));
    else this.#schedule.noteEnded();
  }

  /** Offers what is due while no request waits. */
  async #offer(): Promise<void> {
    if (!this.#question.isOpen && (await this.#ask(false)) === "yes") await this.checkDue();
  }

  /** Offers what the next request cannot go without; answers when it may not be made. */
  async #askForRoom(cancel: CancelSignal): Promise<Result<void, ForgeError> | undefined> {
    if (this.#asItIs().ok) return ok(undefined); // it is asked when the answer has ended
    const answer = await this.#question.unless(cancel, () => this.#ask(true));
    if (cancel.aborted || answer === "later") return err({ code: "CANCELLED" });
    return answer === "yes" ? undefined : this.#asItIs();
  }

  /** Asks; `no` also where there is nothing to offer. */
  async #ask(isNeeded: boolean): Promise<OfferAnswer> {
    const offer = this.#work.offer(isNeeded);
    if (offer === undefined) {
      this.#work.forget();
      this.#schedule.noteNothingToDo(this.#moment("idle"));
      return "no";
    }
    const answer = await this.#question.open((withdrawn) => this.#dialog.ask(offer, withdrawn));
    if (answer === "yes") this.#schedule.noteAgreed();
    else if (answer === "no") this.#schedule.notePutOff(offer.tokensBefore);
    return answer;
  }

  /** Writes and applies while the request waits. A failure ends the request only where it cannot go without. */
  async #runNow(cancel: CancelSignal, usesModel: boolean): Promise<Result<void, ForgeError> | undefined> {
    this.#schedule.noteBegun();
    const written = await this.#work.writeNow(usesModel, cancel);
    if (!written.ok) return this.#afterFailure(written.error);
    if (!written.value) {
      this.#schedule.noteNothingToDo(this.#moment("turn"));
      return this.#asItIs();
    }
    this.#schedule.noteReady({ isByModel: usesModel });
    await this.#apply();
    return undefined;
  }

  #afterFailure(error: ForgeError): Result<void, ForgeError> | undefined {
    if (error.code === "CANCELLED") {
      this.#schedule.noteEnded();
      return err(error);
    }
    const asItIs = this.#asItIs();
    this.#noteFailed(error, asItIs.ok);
    if (asItIs.ok) return asItIs;
    return this.#schedule.isStopped ? undefined : err(error);
  }

  /** `isToBeSaid`: nobody else says it, as where a request fails with it. */
  #noteFailed(error: ForgeError, isToBeSaid = true): void {
    this.#schedule.noteFailed(this.#services.clock.nowMs(), retryAfterOf(error));
    const { isStopped, retryAtMs } = this.#schedule;
    if (isToBeSaid || isStopped) this.#dialog.showFailed(error, { isStopped, retryAtMs });
  }
}
