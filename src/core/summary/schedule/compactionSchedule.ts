/**
 * Decides when a compaction is prepared, applied, offered or skipped. Only decides and remembers: the host reports
 * events and carries out the moves.
 *
 * States: resting -> preparing -> ready -> resting, or resting -> renewing -> resting; after three failures in a row: stopped, until the user acts. One
 * preparation at a time, so there is never more than one compaction in a conversation.
 */

import type { CompactionStage } from "../../context/plan/compactionPlanner.ts";

/** Consecutive failures after which automatic attempts stop. */
export const MOST_FAILURES = 3;
/** Delay after the first failure, doubled after each further one. */
const FIRST_PAUSE_MS = 15_000;
/** Percent of the budget that must fill up before a declined, cancelled or undone summary is tried again. */
const PERCENT_UNTIL_NEXT_TRY = 5;

/** State at the time of a decision. */
export interface CompactionState {
  /** `turn`: a request is about to be sent; `idle`: nothing runs; `busy`: an answer is streaming. */
  readonly at: "turn" | "idle" | "busy";
  readonly stage: CompactionStage;
  /** Whether the next request fits without a compaction. */
  readonly fits: boolean;
  /** Whether the strategies would summarize now; called only when the prepared summary was made for an overflow. */
  readonly isPlanned: () => boolean;
  readonly usedTokens: number;
  readonly budgetTokens: number;
  readonly nowMs: number;
  /** The server that writes summaries works on one request at a time: a summary would hold up the user's message. */
  readonly hasOneSlot: boolean;
  /** Nothing was typed for a while. */
  readonly isQuiet: boolean;
  /** Extracts are in use whose notes are to be written later. */
  readonly hasNotesToWrite: boolean;
}

export interface CompactionPreferences {
  /** Summarize without an explicit command. */
  readonly automatic: boolean;
  /** Prepare while the user reads and types. */
  readonly background: boolean;
  /** Ask before using a summary that the user did not request. */
  readonly ask: boolean;
}

/**
 * `prepare`: start in the background; `renew`: write the notes that were put off; `wait`: for the running preparation, then decide again; `apply`: the ready
 * summary; `run`: now, while the user waits; `extract`: now and without a model; `offer`: ask the user, showing the
 * ready summary if there is one; `discard`: what is being prepared or ready is no longer needed.
 */
export type CompactionMove = "rest" | "prepare" | "renew" | "wait" | "apply" | "run" | "extract" | "offer" | "discard";

/** One per conversation. */
export class CompactionSchedule {
  #preparation: "none" | "running" | "ready" | "renewing" = "none";
  /** The ready summary was prepared for the case that the request no longer fits. */
  #isForOverflow = false;
  #failures = 0;
  #notBeforeMs = 0;
  /** The user accepted what is being prepared or ready. */
  #isAccepted = false;
  /** Used tokens when the user last declined a summary; absent: never. */
  #declinedAtTokens: number | undefined;
  /** Used tokens when a compaction was due but there was nothing to summarize. */
  #nothingAtTokens: number | undefined;

  /** No automatic attempts until the user acts. */
  get isStopped(): boolean {
    return this.#failures >= MOST_FAILURES;
  }

  /** Next automatic attempt after a failure, in epoch milliseconds; absent without a failure, or when stopped. */
  get retryAtMs(): number | undefined {
    return this.#failures === 0 || this.isStopped ? undefined : this.#notBeforeMs;
  }

  /** Idempotent until the next `note…` call. */
  decide(state: CompactionState, habits: CompactionPreferences): CompactionMove {
    const { at, stage, fits } = state;
    if (!habits.automatic) return this.#preparation === "none" ? "rest" : "discard";
    if (this.#preparation === "ready") return this.#withReady(state, habits);
    if (this.#preparation === "running") {
      if (at === "turn" && state.hasOneSlot) return "discard"; // the user's message goes first
      if (at === "turn" && !fits) return "wait";
      return stage === "none" && fits ? "discard" : "rest";
    }
    if (this.#preparation === "renewing") {
      return at === "turn" && (state.hasOneSlot || !fits) ? "discard" : "rest"; // nobody needs it now
    }
    if (at === "turn" && !fits) return this.#makeRoom(state, habits);
    if (this.isStopped || state.nowMs < this.#notBeforeMs) return "rest";
    if (stage === "none") return this.#renews(state, habits) ? "renew" : "rest";
    if (state.usedTokens === this.#nothingAtTokens || this.#isDeclined(state)) return "rest";
    if (habits.background) return state.hasOneSlot && !(at === "idle" && state.isQuiet) ? "rest" : "prepare";
    if (stage !== "apply" || at === "busy") return "rest";
    if (habits.ask && !this.#isAccepted) return "offer";
    return at === "turn" || this.#isAccepted ? "run" : "rest";
  }

  notePreparing(): void {
    this.#preparation = "running";
  }

  noteRenewing(): void {
    this.#preparation = "renewing";
  }

  /** Applied when due or, with `isForOverflow`, when a request no longer fits. `isByModel`: a provider works. */
  noteReady({ isForOverflow = false, isByModel = true }: { isForOverflow?: boolean; isByModel?: boolean } = {}): void {
    this.#preparation = "ready";
    this.#isForOverflow = isForOverflow;
    if (isByModel) this.#failures = 0;
  }

  /** Applied, discarded or aborted: the state afterwards is the same. */
  noteEnded(): void {
    this.#preparation = "none";
    this.#isAccepted = false;
  }

  /** `retryAfterMs` is the delay that the provider asked for. */
  noteFailed(nowMs: number, retryAfterMs = 0): void {
    this.noteEnded();
    const pauseMs = FIRST_PAUSE_MS * 2 ** this.#failures;
    this.#failures++;
    this.#notBeforeMs = nowMs + Math.max(pauseMs, retryAfterMs);
  }

  /** A compaction was due without anything to summarize or gain: none until the conversation changes. */
  noteNothingToDo(state: Pick<CompactionState, "usedTokens">): void {
    this.noteEnded();
    this.#nothingAtTokens = state.usedTokens;
  }

  /** The user accepted an offer: what is ready, or will be, may be applied. */
  noteAccepted(): void {
    this.#isAccepted = true;
    this.#declinedAtTokens = undefined;
  }

  /** The user declined an offer, cancelled a preparation or undid a summary. */
  noteDeclined(usedTokens: number): void {
    this.#declinedAtTokens = usedTokens;
  }

  /** The user summarized, switched the model, or changed a key or a setting. */
  noteUserActed(): void {
    this.#failures = 0;
    this.#notBeforeMs = 0;
    this.#declinedAtTokens = undefined;
    this.#nothingAtTokens = undefined;
  }

  #withReady(state: CompactionState, { ask }: CompactionPreferences): CompactionMove {
    const { at, stage, fits, isPlanned } = state;
    if (stage === "none" && fits) return "discard";
    if (at === "busy") return "rest";
    const isDue = !fits || this.#isAccepted || (stage === "apply" && (!this.#isForOverflow || isPlanned()));
    const isInNeed = at === "turn" && !fits;
    if (!isDue || (!isInNeed && this.#isDeclined(state))) return "rest";
    return ask && !this.#isAccepted ? "offer" : "apply";
  }

  /**
   * A waiting request does not fit. Room is made without the provider after repeated failures, and where that writes
   * ahead but had no time for it yet.
   */
  #makeRoom({ hasOneSlot }: CompactionState, { ask, background }: CompactionPreferences): CompactionMove {
    if (ask && !this.#isAccepted) return "offer";
    return this.isStopped || (hasOneSlot && background) ? "extract" : "run";
  }

  #renews(
    { at, hasNotesToWrite, hasOneSlot, isQuiet }: CompactionState,
    { background }: CompactionPreferences,
  ): boolean {
    return background && hasNotesToWrite && at === "idle" && (isQuiet || !hasOneSlot);
  }

  #isDeclined({ usedTokens, budgetTokens }: CompactionState): boolean {
    const since = this.#declinedAtTokens;
    return since !== undefined && (usedTokens - since) * 100 < budgetTokens * PERCENT_UNTIL_NEXT_TRY;
  }
}
