/**
 * The activity of an open conversation. Rule of exclusion: turns, compactions and user changes run one at a time; what
 * cannot start says why.
 */

import type { Event } from "../background/emitter.ts";
import { ExclusiveRun, type Activity } from "../background/exclusiveRun.ts";
import { busyBanner } from "../words/busyBanner.ts";
import type { SessionServices } from "./sessionServices.ts";

export class SessionRun {
  readonly #run: ExclusiveRun;
  readonly #view: SessionServices["view"];
  /** Nothing may change, or nothing can be saved. */
  readonly isReadOnly: boolean;
  /** Whether a request or a user's command waits for a summary. */
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

  /** The activity to display: `summarizing` while an answer waits for a summary, since cancelling that ends both. */
  get shownActivity(): Activity {
    return this.isSummaryAwaited ? "summarizing" : this.activity;
  }

  get isIdle(): boolean {
    return this.activity === "idle" && !this.#isClosing;
  }

  /** While true, an abort comes from closing, not from the user. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Runs a turn. The caller has checked `isIdle`. */
  async runTurn(work: (cancel: AbortSignal) => Promise<void>): Promise<void> {
    await this.#run.run("streaming", work);
  }

  /** Runs `work` if the conversation is idle and writable; resolves to whether it ran. */
  async runIfIdle(
    activity: "streaming" | "summarizing" | "applying",
    work: (cancel: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    if (!this.isIdle || this.isReadOnly) return false;
    await this.#run.run(activity, work);
    return true;
  }

  /** Like `runIfIdle`, but shows a banner when it cannot run; `duringAnswer` is its text while an answer streams. */
  async runOrNotify(
    activity: "streaming" | "summarizing" | "applying",
    duringAnswer: string,
    work: (cancel: AbortSignal) => Promise<void>,
  ): Promise<boolean> {
    const ran = await this.runIfIdle(activity, work);
    if (!ran && !this.isReadOnly) this.showBusy(duringAnswer); // what can only be read says so all the time
    return ran;
  }

  /** Says why something has to wait, as long as that is so. */
  showBusy(duringAnswer: string): void {
    const { shownActivity } = this;
    this.#view.showBanner(busyBanner(shownActivity, duringAnswer), () => this.shownActivity === shownActivity);
  }

  stop(): void {
    this.#run.stop();
  }

  /** Stops what runs; nothing starts afterwards. */
  close(): void {
    this.#isClosing = true;
    this.stop();
  }

  /** Resolves when nothing runs any more. */
  get settled(): Promise<void> {
    return this.#run.settled;
  }
}
