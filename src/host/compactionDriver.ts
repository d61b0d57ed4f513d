/**
 * Carries out what the schedule of a conversation decides: prepares in the background, applies when it is due, makes the
 * user wait only where the next request would not fit. Never more than one compaction at a time.
 */

import type { ContextManager } from "../core/context/contextManager.ts";
import type { ForgeError } from "../core/errors.ts";
import type { CompactionReceipt } from "../core/history/records.ts";
import type { CancelSignal } from "../core/ports.ts";
import { err, ok, type Result } from "../core/result.ts";
import {
  CompactionSchedule,
  type CompactionHabits,
  type CompactionMoment,
  type CompactionMove,
} from "../core/summary/compactionSchedule.ts";
import { applyCompaction, prepareCompaction, type CompactionDeps, type PreparedCompaction } from "./compaction.ts";
import { momentOf, requestAsItIs } from "./compactionMoment.ts";
import type { CompactionOrder } from "./compactionOrder.ts";

/** What the driver works with, and whom it tells. */
export interface DriverParts {
  readonly manager: ContextManager;
  /** Asked anew for each compaction: the model and its provider may change. */
  readonly deps: () => CompactionDeps;
  readonly habits: () => CompactionHabits;
  readonly nowMs: () => number;
  /** A compaction was applied; resolves when it is shown. */
  readonly applied: (receipt: CompactionReceipt) => Promise<void>;
  /** A try in the background failed; `isStopped`: it was the last one by itself. */
  readonly failed: (error: ForgeError, isStopped: boolean) => void;
  /** Asks the user before anything is summarized by itself; resolves with the answer, false when cancelled. */
  readonly ask: (order: CompactionOrder, cancel: CancelSignal) => Promise<boolean>;
  readonly bug: (error: unknown) => void;
}

/** More rounds of making room than this mean that it does not help. */
const MOST_ROUNDS = 8;

/** The compactions of one conversation that happen by themselves. */
export class CompactionDriver {
  readonly #parts: DriverParts;
  readonly #schedule = new CompactionSchedule();
  #ready: PreparedCompaction | undefined;
  #running: { readonly cancel: AbortController; readonly done: Promise<void> } | undefined;
  #isAsking = false;

  constructor(parts: DriverParts) {
    this.#parts = parts;
  }

  /** Whether summaries are being written in the background. */
  get isPreparing(): boolean {
    return this.#running !== undefined;
  }

  /** Looks what is due while no request waits; applies what is ready when `at` is idle. */
  async look(at: "idle" | "busy"): Promise<void> {
    const move = this.#decide(at);
    if (move === "prepare") this.#begin();
    else if (move === "apply") await this.#apply();
    else if (move === "discard") this.cancel();
    else if (move === "offer") await this.#offer();
  }

  /** What is due before the next request is made; an error when it can not be made. */
  async beforeRequest(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      if (cancel.aborted) return err({ code: "CANCELLED" });
      const move = this.#decide("turn");
      const gone = await this.#carryOut(move, cancel);
      if (gone !== undefined) return gone;
    }
    return this.#asItIs();
  }

  /** Ends what is being prepared, and forgets what is ready. */
  cancel(): void {
    this.#running?.cancel.abort();
    this.#ready = undefined;
    this.#schedule.noteEnded();
  }

  /** Ends what runs; resolves when nothing does any more. */
  async settle(): Promise<void> {
    this.cancel();
    await this.#running?.done;
  }

  /** The user summarized, switched the model, or changed a key or a setting: tries begin anew. */
  noteUserActed(): void {
    this.#schedule.noteUserActed();
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
        this.cancel();
        return undefined;
      case "wait":
        await this.#waitForRunning(cancel);
        return undefined;
      case "apply":
        await this.#apply();
        return undefined;
      case "offer":
        return this.#askForRoom(cancel);
      case "run":
        return this.#runNow(cancel, true);
      case "extract":
        return this.#runNow(cancel, false);
    }
  }

  #decide(at: CompactionMoment["at"]): CompactionMove {
    return this.#schedule.decide(this.#moment(at), this.#parts.habits());
  }

  #moment(at: CompactionMoment["at"]): CompactionMoment {
    return momentOf(this.#parts.manager, at, this.#parts.nowMs());
  }

  #asItIs(): Result<void, ForgeError> {
    return requestAsItIs(this.#parts.manager);
  }

  #begin(): void {
    const cancel = new AbortController();
    const before = this.#running?.done ?? Promise.resolve();
    this.#schedule.noteBegun();
    const done = before
      .then(() => this.#prepare(cancel.signal))
      .catch(this.#parts.bug)
      .finally(() => {
        if (this.#running?.cancel === cancel) this.#running = undefined;
      });
    this.#running = { cancel, done };
  }

  async #prepare(cancel: CancelSignal): Promise<void> {
    const { manager, deps } = this.#parts;
    const trigger = this.#asItIs().ok ? "background" : "overflow";
    const due = await prepareCompaction({ trigger }, deps(), cancel);
    // Some strategies wait until nothing fits; the user should not have to wait then.
    const isForOverflow = due.ok && due.value === undefined && manager.compactionStage() === "apply";
    const prepared = isForOverflow ? await prepareCompaction({ trigger: "ahead" }, deps(), cancel) : due;
    if (cancel.aborted) return;
    if (!prepared.ok) this.#noteFailed(prepared.error);
    else if (prepared.value === undefined) this.#schedule.noteNothingToDo(this.#moment("idle"));
    else {
      this.#ready = prepared.value;
      this.#schedule.noteReady({ isForOverflow });
    }
  }

  async #apply(): Promise<void> {
    const ready = this.#ready;
    this.#ready = undefined;
    this.#schedule.noteEnded();
    if (ready === undefined) return;
    const applied = await applyCompaction(ready, this.#parts.deps());
    if (!applied.ok) this.#noteFailed(applied.error);
    else if (applied.value !== undefined) await this.#parts.applied(applied.value);
  }

  /** Waits, and stops waiting when the request is cancelled: what is being prepared goes on for the next one. */
  async #waitForRunning(cancel: CancelSignal): Promise<void> {
    const done = this.#running?.done ?? Promise.resolve();
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    cancel.addEventListener("abort", stop);
    await Promise.race([done, stopped]);
    cancel.removeEventListener("abort", stop);
  }

  async #askForRoom(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    if (this.#asItIs().ok) return ok(undefined); // it is asked when the answer has ended
    const agreed = await this.#parts.ask({ trigger: "overflow" }, cancel);
    if (cancel.aborted) return err({ code: "CANCELLED" });
    if (agreed) return (await this.#runNow(cancel, true)) ?? this.#asItIs();
    this.#schedule.noteDeclined(this.#parts.manager.usage().usedTokens);
    return this.#asItIs();
  }

  async #offer(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const agreed = await this.#parts.ask({ trigger: "threshold" }, NEVER);
    this.#isAsking = false;
    if (agreed) this.#begin();
    else this.#schedule.noteDeclined(this.#parts.manager.usage().usedTokens);
  }

  /** Writes and applies while the request waits. A failure ends the request only where it can not go without. */
  async #runNow(cancel: CancelSignal, usesModel: boolean): Promise<Result<void, ForgeError> | undefined> {
    const deps = this.#parts.deps();
    const writers = usesModel ? deps.writers : { ...deps.writers, provider: undefined };
    const trigger = this.#asItIs().ok ? "threshold" : "overflow";
    this.#schedule.noteBegun();
    const prepared = await prepareCompaction({ trigger }, { ...deps, writers }, cancel);
    if (!prepared.ok) return this.#afterFailure(prepared.error);
    if (prepared.value === undefined) {
      this.#schedule.noteNothingToDo(this.#moment("turn"));
      return this.#asItIs();
    }
    this.#ready = prepared.value;
    this.#schedule.noteReady({ isByModel: usesModel });
    await this.#apply();
    return undefined;
  }

  #afterFailure(error: ForgeError): Result<void, ForgeError> | undefined {
    if (error.code === "CANCELLED") {
      this.#schedule.noteEnded();
      return err(error);
    }
    this.#schedule.noteFailed(this.#parts.nowMs(), retryAfterOf(error));
    if (this.#asItIs().ok) {
      this.#parts.failed(error, this.#schedule.isStopped);
      return ok(undefined);
    }
    return this.#schedule.isStopped ? undefined : err(error);
  }

  #noteFailed(error: ForgeError): void {
    this.#schedule.noteFailed(this.#parts.nowMs(), retryAfterOf(error));
    this.#parts.failed(error, this.#schedule.isStopped);
  }
}

function retryAfterOf(error: ForgeError): number {
  return "retryAfterMs" in error ? (error.retryAfterMs ?? 0) : 0;
}

/** An offer between requests waits as long as the user likes. */
const NEVER: CancelSignal = {
  aborted: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
};
