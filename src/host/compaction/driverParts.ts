/** What the compactions of a conversation work with, and whom they tell. */

import type { ContextManager } from "../../core/context/contextManager.ts";
import type { ForgeError } from "../../core/errors.ts";
import type { CompactionReceipt } from "../../core/history/records.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import type { CompactionHabits } from "../../core/summary/compactionSchedule.ts";
import type { CompactionDeps } from "./compaction.ts";
import type { TellProgress } from "./compactionProgress.ts";
import type { OfferAnswer, SummaryOffer } from "./summaryOffer.ts";

/** What a compaction works with; the driver hears of its events itself. */
export type DriverDeps = Omit<CompactionDeps, "onEvent" | "manager">;

/** What became of tries that nobody asked for. */
export interface FailedTries {
  /** Nothing is tried by itself any more. */
  readonly isStopped: boolean;
  /** When it is tried again; absent when it is not. */
  readonly retryAtMs: number | undefined;
}

/** What the driver works with, and whom it tells. */
export interface DriverParts {
  readonly manager: ContextManager;
  /** Asked anew for each compaction: the model and its provider may change. */
  readonly deps: () => DriverDeps;
  readonly habits: () => CompactionHabits;
  readonly nowMs: () => number;
  /** Whether an answer is being written just now. */
  readonly at: () => "idle" | "busy";
  /** Runs `work` while no request is made and nothing else is changed; answers whether it could. */
  readonly alone: (work: () => Promise<void>) => Promise<boolean>;
  /** A compaction was applied; resolves when it is shown. */
  readonly applied: (receipt: CompactionReceipt) => Promise<void>;
  /** A try that the user did not ask for failed. */
  readonly failed: (error: ForgeError, tries: FailedTries) => void;
  readonly progress: TellProgress;
  /** Asks the user before a summary is used; resolves with `later` when `cancel` is aborted. */
  readonly ask: (offer: SummaryOffer, cancel: CancelSignal) => Promise<OfferAnswer>;
  readonly bug: (error: unknown) => void;
}
