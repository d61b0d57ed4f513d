/**
 * When a compaction is prepared, applied, asked for, or left alone. Decides and remembers; does nothing itself: the host
 * tells it what happened and carries out what it answers.
 *
 * States: resting -> preparing -> ready -> resting; after three failures in a row: stopped, until the user acts. One
 * preparation at a time, so there is never more than one compaction in a conversation.
 */

import type { CompactionStage } from "../../context/plan/compactionPlanner.ts";

/** After so many failures in a row nothing is tried by itself any more. */
export const MOST_FAILURES = 3;
/** How long to wait after the first failure; twice as long after each further one. */
const FIRST_PAUSE_MS = 15_000;
/** What the user turned down, cancelled or undid is tried again by itself when so much more of the budget is in use. */
const PERCENT_UNTIL_NEXT_TRY = 5;

/** What is known at the moment of a decision. */
export interface CompactionMoment {
  /** `turn`: a request is about to be made; `idle`: nothing runs; `busy`: an answer is being written. */
  readonly at: "turn" | "idle" | "busy";
  readonly stage: CompactionStage;
  /** Whether the next request would fit as things are. */
  readonly fits: boolean;
  /** Whether the strategies would summarize now; asked only where something was prepared for the case that nothing fits. */
  readonly isPlanned: () => boolean;
  readonly usedTokens: number;
  readonly budgetTokens: number;
  readonly nowMs: number;
}

/** The user's settings, as far as they matter here. */
export interface CompactionHabits {
  /** Summarize without being told to. */
  readonly automatic: boolean;
  /** Prepare while the user reads and types. */
  readonly background: boolean;
  /** Ask before a summary that the user did not ask for is used. */
  readonly ask: boolean;
}

/**
 * What to do. `prepare`: begin in the background; `wait`: for what is being prepared, then decide again; `apply`: what is
 * ready; `run`: now, the user waits; `extract`: now and without a model; `offer`: ask the user, showing what is ready if
 * anything is; `discard`: what is being prepared or ready is not needed any more.
 */
export type CompactionMove = "rest" | "prepare" | "wait" | "apply" | "run" | "extract" | "offer" | "discard";

/** The schedule of one conversation. */
export class CompactionSchedule {
  #preparation: "none" | "running" | "ready" = "none";
  /** What is ready was prepared for the moment when nothing fits any more. */
  #isForOverflow = false;
  #failures = 0;
  #notBeforeMs = 0;
  /** The user said yes to what is being prepared, or is ready. */
  #isAgreed = false;
  /** Use of the budget at which the user last wanted no summary; absent: never. */
  #putOffAtTokens: number | undefined;
  /** Use of the budget at which there was nothing to summarize, although it was due. */
  #nothingAtTokens: number | undefined;

  /** Nothing is tried by itself any more until the user acts. */
  get isStopped(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /** From when on it is tried again after a failure; absent: there was none, or nothing is tried any more. */
  get retryAtMs(): number | undefined {
    return this.#failures === 0 || this.isStopped ? undefined : this.#notBeforeMs;
  }

  /** Decides. Asking twice without telling what happened in between gives the same answer. */
  decide(moment: CompactionMoment, habits: CompactionHabits): CompactionMove {
    const { at, stage, fits } = moment;
    if (!habits.automatic) return this.#preparation === "none" ? "rest" : "discard";
    if (this.#preparation === "ready") return this.#withReady(moment, habits);
    if (this.#preparation === "running") {
      if (at === "turn" && !fits) return "wait";
      return stage === "none" && fits ? "discard" : "rest";
    }
    if (at === "turn" && !fits) return this.#makeRoom(habits);
    if (stage === "none" || this.isStopped || moment.nowMs < this.#notBeforeMs) return "rest";
    if (moment.usedTokens === this.#nothingAtTokens || this.#isPutOff(moment)) return "rest";
    if (habits.background) return "prepare";
    if (stage !== "apply" || at === "busy") return "rest";
    if (habits.ask && !this.#isAgreed) return "offer";
    return at === "turn" || this.#isAgreed ? "run" : "rest";
  }

  /** A preparation began. */
  noteBegun(): void {
    this.#preparation = "running";
  }

  /**
   * It is ready to be applied: when it is due, or, with `isForOverflow`, when nothing fits any more. `isByModel`: a service
   * was asked, and works.
   */
  noteReady({ isForOverflow = false, isByModel = true }: { isForOverflow?: boolean; isByModel?: boolean } = {}): void {
    this.#preparation = "ready";
    this.#isForOverflow = isForOverflow;
    if (isByModel) this.#failures = 0;
  }

  /** It was applied or discarded, or a try was broken off: all the same from here on. */
  noteEnded(): void {
    this.#preparation = "none";
    this.#isAgreed = false;
  }

  /** It failed; `retryAfterMs` is what the service asked for. */
  noteFailed(nowMs: number, retryAfterMs = 0): void {
    this.noteEnded();
    const pauseMs = FIRST_PAUSE_MS * 2 ** this.#failures;
    this.#failures++;
    this.#notBeforeMs = nowMs + Math.max(pauseMs, retryAfterMs);
  }

  /** There was nothing to summarize, or nothing to gain, although it was due: nothing changes until the conversation goes on. */
  noteNothingToDo(moment: Pick<CompactionMoment, "usedTokens">): void {
    this.noteEnded();
    this.#nothingAtTokens = moment.usedTokens;
  }

  /** The user said yes to an offer: what is ready, or will be, may be used. */
  noteAgreed(): void {
    this.#isAgreed = true;
    this.#putOffAtTokens = undefined;
  }

  /** The user said no to an offer, cancelled what was being prepared, or took a summary back. */
  notePutOff(usedTokens: number): void {
    this.#putOffAtTokens = usedTokens;
  }

  /** The user summarized, switched the model, or changed a key or a setting: tries begin anew. */
  noteUserActed(): void {
    this.#failures = 0;
    this.#notBeforeMs = 0;
    this.#putOffAtTokens = undefined;
    this.#nothingAtTokens = undefined;
  }

  #withReady(moment: CompactionMoment, { ask }: CompactionHabits): CompactionMove {
    const { at, stage, fits, isPlanned } = moment;
    if (stage === "none" && fits) return "discard";
    if (at === "busy") return "rest";
    const isDue = !fits || this.#isAgreed || (stage === "apply" && (!this.#isForOverflow || isPlanned()));
    const isInNeed = at === "turn" && !fits;
    if (!isDue || (!isInNeed && this.#isPutOff(moment))) return "rest";
    return ask && !this.#isAgreed ? "offer" : "apply";
  }

  /** A request waits, and does not fit. A service that failed often is not asked again; it has to go on all the same. */
  #makeRoom({ ask }: CompactionHabits): CompactionMove {
    if (ask && !this.#isAgreed) return "offer";
    return this.isStopped ? "extract" : "run";
  }

  #isPutOff({ usedTokens, budgetTokens }: CompactionMoment): boolean {
    const since = this.#putOffAtTokens;
    return since !== undefined && (usedTokens - since) * 100 < budgetTokens * PERCENT_UNTIL_NEXT_TRY;
  }
}
