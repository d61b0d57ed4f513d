/** What the user does with summaries of the open conversation: create, undo, redo, edit, show. */

import { recordSummaryOrder, takeSummaryOrder } from "../../../adapters/node/orderedSummary.ts";
import { sendsSummaries } from "../../../core/context/contextSettings.ts";
import type { ForgeError } from "../../../core/errors.ts";
import type { CompactionReceipt } from "../../../core/history/records.ts";
import { summaryId } from "../../../core/ids.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import { countingFormula } from "../../../core/tokens/countingFormula.ts";
import type { SummaryDetail } from "../../../protocol/summaryView.ts";
import { localize } from "../../../protocol/localize.ts";
import { AutomaticSummaries } from "./automaticSummaries.ts";
import type { CompactionOrder } from "./compactionOrder.ts";
import { fitsAsBilled } from "./compactionState.ts";
import type { ComposerEdits } from "../composer/composerEdits.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionRun } from "../sessionRun.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { Transcript } from "../../transcript/transcript.ts";
import { summaryDetail } from "./summaryDetail.ts";
import { editSummary, useVersion } from "./summaryEdits.ts";

/** Each change is a record and can be undone by another. */
export class SessionSummaries {
  readonly automatic: AutomaticSummaries;
  readonly #opened: OpenConversation;
  readonly #edits: ComposerEdits;
  readonly #model: SessionModel;
  readonly #run: SessionRun;
  readonly #services: SessionServices;
  #order: "none" | "running" | "cancelled" = "none";

  constructor(
    opened: OpenConversation,
    transcript: Transcript,
    edits: ComposerEdits,
    model: SessionModel,
    run: SessionRun,
    services: SessionServices,
  ) {
    this.#opened = opened;
    this.#edits = edits;
    this.#model = model;
    this.#run = run;
    this.#services = services;
    this.automatic = new AutomaticSummaries(opened, transcript, model, run, services);
  }

  /**
   * Summarizes at the user's request: what the strategies plan, a range, or another version of a summary. `undefined`
   * when there is nothing to summarize, or the strategy sends no summaries; `CANCELLED` also when something else runs.
   */
  async summarizeNow(
    wanted: Omit<CompactionOrder, "trigger"> = {},
  ): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
    let outcome: Result<CompactionReceipt | undefined, ForgeError> = err({ code: "CANCELLED" });
    const { folder, manager } = this.#opened;
    if (!sendsSummaries(manager.policy)) return ok(undefined);
    await this.#run.runIfIdle("summarizing", async (cancel) => {
      this.#order = "running";
      const noted = recordSummaryOrder(folder, manager.history.spending.receipts.length);
      outcome = await this.automatic.driver.order({ ...wanted, trigger: "manual" }, cancel);
      this.#order = outcome.ok || outcome.error.code !== "CANCELLED" ? "none" : "cancelled";
      if (this.#order === "cancelled") this.automatic.driver.postpone(); // else an automatic one would start at once
      await noted;
      // A window that is closing may be killed at any moment: its marker stays until the close decides about it.
      if (!this.#run.isClosing) await takeSummaryOrder(folder);
    });
    return outcome;
  }

  /** State of the user's last order, for when the conversation is closed. */
  orderState(): "none" | "running" | "cancelled" {
    return this.#order;
  }

  /** Makes the next request fit, or returns why it cannot be sent. */
  beforeRequest(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    return this.automatic.driver.beforeRequest(cancel);
  }

  /**
   * Makes room for the rest of an answer that filled the window, although by Forge's count the next request fits. A failed
   * summary is no reason not to send it.
   */
  async makeRoom(cancel: CancelSignal): Promise<void> {
    const { askBeforeSummarizing, context } = this.#services.settings.current;
    if (!context.infinity || askBeforeSummarizing || !fitsAsBilled(this.#opened.manager)) return;
    await this.automatic.driver.order({ trigger: "overflow" }, cancel);
  }

  /** Undoes or redoes a summary. */
  async setState(id: number, state: "active" | "undone"): Promise<void> {
    const { conversation, manager } = this.#opened;
    const done = await this.#change(() =>
      conversation.changeBy(() => {
        const record = manager.summaryStateRecord(summaryId(id), state, this.#services.clock.nowMs());
        return record.ok ? ok({ records: [record.value] }) : record;
      }),
    );
    if (!done.ok) this.#model.showFailure(done.error);
  }

  /** Replaces a summary by the user's text and ends the edit; an error says why the text is refused. */
  edit(id: number, text: string): Promise<Result<unknown, ForgeError>> {
    return this.#change((cancel) =>
      this.#edits.send({ summaryId: summaryId(id) }, (drops) =>
        editSummary(id, text, drops, this.#opened.conversation, this.#services, cancel),
      ),
    );
  }

  use(id: number): Promise<Result<unknown, ForgeError>> {
    return this.#change(() => useVersion(id, this.#opened.conversation, this.#services.clock.nowMs()));
  }

  /** `undefined` when there is no summary with this id. */
  detail(id: number): SummaryDetail | undefined {
    const { manager } = this.#opened;
    const { connection } = this.#model;
    const { encoding } = countingFormula(manager.model);
    const models = connection.isLanguageModel
      ? [...new Set([this.#services.connections.summarizerModel(connection), connection.model])]
      : [];
    return summaryDetail(id, { history: manager.history, encoding, models });
  }

  async #change(
    change: (cancel: AbortSignal) => Promise<Result<unknown, ForgeError>>,
  ): Promise<Result<unknown, ForgeError>> {
    let done: Result<unknown, ForgeError> = ok(undefined);
    const text = localize("Summaries can be changed when this answer has ended.");
    await this.#run.runOrNotify("summarizing", text, async (cancel) => {
      done = await change(cancel);
    });
    return done;
  }
}
