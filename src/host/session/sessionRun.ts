/**
 * What an open conversation is busy with. The one rule of exclusion: a turn, a compaction and what the user changes run one
 * at a time; what cannot begin says why.
 */

import type { Event } from "../background/emitter.ts";
import { ExclusiveRun, type Activity } from "../background/exclusiveRun.ts";
import { busyNote } from "../words/busyNote.ts";
import type { SessionServices } from "./sessionServices.ts";

/** The activity of one conversation. */
export class SessionRun {
  readonly #run: ExclusiveRun;
  readonly #view: SessionServices["view"];
  /** Written by a newer Forge: nothing of it changes here. */
  readonly isReadOnly: boolean;
  /** Whether a request, or an order of the user's, waits for a summary. */
  isSummaryAwaited = false;
  #isClosing = false;

  constructor(isReadOnly: boolean, { view, reportBug }: Pick<SessionServices, "view" | "reportBug">) {
    this.isReadOnly = isReadOnly;
    this.#view = view;
    this.#run = new ExclusiveRun(reportBug);
  }

  get onDidBegin(): Event<Activity> {
    return this.#run.onDidBegin;
  }
  /** Fires when it is idle again. */
  get onDidEnd(): Event<void> {
    return this.#run.onDidEnd;
  }

  get activity(): Activity {
    return this.#run.activity;
  }

  /** What runs as it is shown: where an answer waits for a summary, that summary, which ends both when it is cancelled. */
  get shownActivity(): Activity {
    return this.isSummaryAwaited ? "summarizing" : this.activity;
  }

  /** Nothing runs, and something may begin. */
  get isIdle(): boolean {
    return this.activity === "idle" && !this.#isClosing;
  }

  /** The conversation is being closed: what is cut off now was not stopped by the user. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Runs a turn; whoever calls it has seen that nothing runs. */
  async turn(work: (cancel: AbortSignal) => Promise<void>): Promise<void> {
    await this.#run.run("streaming", work);
  }

  /** Runs `work` where nothing else runs and the conversation may change; answers whether it did. */
  async whenIdle(
    activity: "streaming" | "summarizing" | "applying",
    work: (cancel: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    if (!this.isIdle || this.isReadOnly) return false;
    await this.#run.run(activity, work);
    return true;
  }

  /** The same for what the user asked for: where it cannot be, it is said; `duringAnswer` is what is said of an answer. */
  async onUsersWord(
    activity: "streaming" | "summarizing" | "applying",
    duringAnswer: string,
    work: (cancel: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    const ran = await this.whenIdle(activity, work);
    if (!ran) this.#view.showBanner(busyNote(this.shownActivity, duringAnswer));
    return ran;
  }

  /** Stops what runs. */
  stop(): void {
    this.#run.stop();
  }

  /** Lets nothing begin any more, and stops what runs. */
  close(): void {
    this.#isClosing = true;
    this.stop();
  }

  /** Resolves when nothing runs any more. */
  get settled(): Promise<void> {
    return this.#run.settled;
  }
}
