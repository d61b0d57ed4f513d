/** Progress of a conversation's compaction, of which one runs at most, and whether it is awaited; its line in the log. */

import type { CompactionEvent } from "../../../core/summary/schedule/compactionEvent.ts";
import type { Log } from "../../editor/log.ts";
import { percentOf } from "../../../core/context/budgetShare.ts";
import type { SessionRun } from "../sessionRun.ts";
import type { SessionView } from "../sessionView.ts";

export class CompactionProgress {
  readonly #run: Pick<SessionRun, "isSummaryAwaited">;
  readonly #view: Pick<SessionView, "showProgress">;
  readonly #log: Pick<Log, "info">;
  #percent: number | null = null;

  constructor(
    run: Pick<SessionRun, "isSummaryAwaited">,
    view: Pick<SessionView, "showProgress">,
    log: Pick<Log, "info">,
  ) {
    this.#run = run;
    this.#view = view;
    this.#log = log;
  }

  readonly onEvent = (event: CompactionEvent): void => {
    if (event.kind === "summarizationStarted") {
      this.#log.info(checkText(event));
      this.#show(0);
    }
    if (event.kind === "summarizationProgress") this.onShare(event.share);
  };

  /** `share`, from 0 to 1, of what is written for an offer. */
  readonly onShare = (share: number): void => {
    this.#show(Math.floor(share * 100));
  };

  ended(): void {
    if (this.#percent !== null) this.#show(null);
  }

  /** Runs `work` for a waiting request or a user's order: until it settles, the compaction counts as awaited. */
  async whileAwaited<T>(work: () => Promise<T>): Promise<T> {
    this.#setAwaited(true);
    try {
      return await work();
    } finally {
      this.#setAwaited(false);
    }
  }

  #setAwaited(isAwaited: boolean): void {
    this.#run.isSummaryAwaited = isAwaited;
    if (this.#percent !== null) this.#show(this.#percent);
  }

  #show(percent: number | null): void {
    this.#percent = percent;
    this.#view.showProgress(percent, this.#run.isSummaryAwaited);
  }
}

/** The check that led to a compaction, as one line. */
function checkText({
  trigger,
  strategy,
  currentTokens,
  budgetTokens,
}: Extract<CompactionEvent, { kind: "summarizationStarted" }>): string {
  const percent = Math.floor(percentOf(currentTokens, budgetTokens));
  const use = `${String(currentTokens)} of ${String(budgetTokens)} tokens (${String(percent)}%)`;
  return `Summarizes (${trigger}): the request has ${use}. Strategy: ${strategy}.`;
}
