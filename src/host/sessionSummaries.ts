/** The summaries of the open conversation: made, taken back, brought back, shown. */

import type { ForgeError } from "../core/errors.ts";
import type { CompactionReceipt } from "../core/history/records.ts";
import { summaryId } from "../core/ids.ts";
import type { CancelSignal } from "../core/ports.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Row, SummaryDetail } from "../protocol/toView.ts";
import { runCompaction } from "./compaction.ts";
import type { CompactionOrder } from "./compactionOrder.ts";
import type { Connection } from "./connections.ts";
import { explain } from "./explain.ts";
import type { OpenConversation } from "./openConversation.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { Transcript } from "./transcript.ts";

/** The conversation whose summaries these are, as far as it concerns them. */
export interface SummarizedConversation {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly connection: Connection;
  /** The rows that stand behind the history. */
  readonly rowsBehindHistory: () => readonly Row[];
  /** Runs `work` when nothing else runs; answers whether it could. */
  readonly summarizing: (work: (cancel: AbortSignal) => Promise<void>) => Promise<boolean>;
}

/** What can be done with summaries; each change is a record and can be undone by another. */
export class SessionSummaries {
  readonly #session: SummarizedConversation;
  readonly #environment: SessionEnvironment;

  constructor(session: SummarizedConversation, environment: SessionEnvironment) {
    this.#session = session;
    this.#environment = environment;
  }

  /** Summarizes now because the user asked. Answers what came of it; `undefined` when there is nothing to summarize. */
  async summarizeNow(focus: string | undefined): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
    let outcome: Result<CompactionReceipt | undefined, ForgeError> = ok(undefined);
    const ran = await this.#session.summarizing(async (cancel) => {
      const order: CompactionOrder = { trigger: "manual", ...(focus === undefined ? {} : { focus }) };
      outcome = await this.#compact(order, cancel);
    });
    return ran ? outcome : err({ code: "CANCELLED" });
  }

  /** Makes room for the next request, or says why it may not or could not. */
  async makeRoom(excessTokens: number, cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    if (!this.#environment.settings().context.infinity) return err({ code: "SUMMARIZATION_NEEDED", excessTokens });
    const done = await this.#compact({ trigger: "overflow" }, cancel);
    if (!done.ok) return done;
    return done.value === undefined ? err({ code: "SUMMARIZATION_NEEDED", excessTokens }) : ok(undefined);
  }

  /** Takes a summary back, or brings it back. */
  async setState(id: number, state: "active" | "undone"): Promise<void> {
    await this.#session.summarizing(async () => {
      const { manager, store } = this.#session.opened;
      const record = manager.setSummaryState(summaryId(id), state, this.#environment.clock.nowMs());
      const committed = record.ok ? await store.commit([{ kind: "record", record: record.value }]) : record;
      if (!record.ok || !committed.ok) {
        const error = record.ok ? committed : record;
        if (!error.ok) this.#environment.showBanner(explain(error.error, this.#session.connection.provider.label));
        return;
      }
      manager.apply(record.value);
      await this.showAnew();
    });
  }

  /** What a summary says; `undefined` when there is none with this id. */
  detail(id: number): SummaryDetail | undefined {
    const summary = this.#session.opened.manager.history.summaries[id];
    return summary === undefined ? undefined : { content: summary.content };
  }

  /** Reads and shows the transcript anew. */
  async showAnew(): Promise<void> {
    const loaded = await this.#session.transcript.load(this.#session.rowsBehindHistory());
    if (!loaded.ok) this.#environment.showBanner(explain(loaded.error, ""));
    this.#environment.refreshView();
  }

  async #compact(
    order: CompactionOrder,
    cancel: CancelSignal,
  ): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
    const { opened, connection } = this.#session;
    this.#environment.progress(0);
    const done = await runCompaction(
      order,
      {
        manager: opened.manager,
        store: opened.store,
        counter: this.#environment.counter,
        registry: this.#environment.registry,
        clock: this.#environment.clock,
        writers: {
          provider: connection.isLanguageModel ? connection.provider : undefined,
          smallModel: this.#environment.summarizerModel(connection),
          mainModel: connection.model,
        },
        onEvent: (event) => {
          if (event.kind === "summarizationProgress") this.#environment.progress(Math.floor(event.share * 100));
        },
      },
      cancel,
    );
    this.#environment.progress(null);
    if (done.ok && done.value !== undefined) await this.showAnew();
    return done;
  }
}
