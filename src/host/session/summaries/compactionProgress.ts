/** Progress of a conversation's compaction, of which one runs at most, and whether it is awaited; its line in the log. */

import type { CompactionEvent } from "../../../core/summary/schedule/compactionEvent.ts";
import type { Log } from "../../editor/log.ts";
import type { SummaryProgressView } from "../../../protocol/summaryView.ts";
import { percentOf } from "../../../core/context/budgetShare.ts";
import type { SessionRun } from "../sessionRun.ts";
import type { SessionView } from "../sessionView.ts";

export class CompactionProgress {
  readonly #run: Pick<SessionRun, "isSummaryAwaited">;
  readonly #view: Pick<SessionView, "showProgress">;
  readonly #log: Pick<Log, "info">;
  #shown: SummaryProgressView | null = null;

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
      this.onShare(0);
    }
    if (event.kind === "summarizationProgress") this.onShare(event.share, event.partsDone, event.parts);
  };

  /** `share`: from 0 to 1. */
  readonly onShare = (share: number, partsDone = 0, parts = 1): void => {
    this.#show({ percent: Math.floor(share * 100), partsDone, parts });
  };

  ended(): void {
    if (this.#shown !== null) this.#show(null);
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
    if (this.#shown !== null) this.#show(this.#shown);
  }

  #show(progress: SummaryProgressView | null): void {
    this.#shown = progress;
    this.#view.showProgress(progress, this.#run.isSummaryAwaited);
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
