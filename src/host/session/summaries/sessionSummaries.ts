/** The summaries of the open conversation, as the user has them made, taken back, brought back and shown. */

import { noteOrder, takeOrder } from "../../../adapters/node/orderedSummary.ts";
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
import type { ComposerEdits } from "../composer/composerEdits.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionRun } from "../sessionRun.ts";
import type { SessionServices } from "../sessionServices.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import type { Transcript } from "../../transcript/transcript.ts";
import { summaryDetail } from "./summaryDetail.ts";
import { editSummary, useVersion } from "./summaryEdits.ts";

/** What can be done with summaries; each change is a record and can be undone by another. */
export class SessionSummaries {
  /** Those that are made by themselves. */
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
   * Summarizes now because the user asked: what the strategies plan, a range, or another version of a summary. Answers what
   * came of it; `undefined` when there is nothing to summarize, `CANCELLED` also when something else runs.
   */
  async summarizeNow(
    wanted: Omit<CompactionOrder, "trigger"> = {},
  ): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
    let outcome: Result<CompactionReceipt | undefined, ForgeError> = err({ code: "CANCELLED" });
    const { folder, manager } = this.#opened;
    await this.#run.whenIdle("summarizing", async (cancel) => {
      this.#order = "running";
      const noted = noteOrder(folder, manager.history.spending.receipts.length);
      outcome = await this.automatic.driver.order({ ...wanted, trigger: "manual" }, cancel);
      this.#order = outcome.ok || outcome.error.code !== "CANCELLED" ? "none" : "cancelled";
      if (this.#order === "cancelled") this.automatic.driver.putOff(); // or one would be begun by itself at once
      await noted;
      await takeOrder(folder);
    });
    return outcome;
  }

  /** What became of what the user ordered last, as far as that is of interest when the conversation is left. */
  orderState(): "none" | "running" | "cancelled" {
    return this.#order;
  }

  /** Sees to it that the next request fits, or says why it may or cannot. */
  beforeRequest(cancel: CancelSignal): Promise<Result<void, ForgeError>> {
    return this.automatic.driver.beforeRequest(cancel);
  }

  /** Takes a summary back, or brings it back. */
  async setState(id: number, state: "active" | "undone"): Promise<void> {
    const { conversation, manager } = this.#opened;
    const done = await this.#change(() =>
      conversation.changeBy(() => {
        const record = manager.setSummaryState(summaryId(id), state, this.#services.clock.nowMs());
        return record.ok ? ok({ records: [record.value] }) : record;
      }),
    );
    if (!done.ok) this.#model.showFailure(done.error);
  }

  /** Puts the user's own text in a summary's place, which ends their edit of it; an error says why it cannot stand there. */
  edit(id: number, text: string): Promise<Result<unknown, ForgeError>> {
    return this.#change((cancel) =>
      this.#edits.send({ summaryId: summaryId(id) }, (drops) =>
        editSummary(id, text, drops, this.#opened.conversation, this.#services, cancel),
      ),
    );
  }

  /** Uses an earlier or later version of a summary from now on. */
  use(id: number): Promise<Result<unknown, ForgeError>> {
    return this.#change(() => useVersion(id, this.#opened.conversation, this.#services.clock.nowMs()));
  }

  /** What a summary says; `undefined` when there is none with this id. */
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
    await this.#run.onUsersWord("summarizing", text, async (cancel) => {
      done = await change(cancel);
    });
    return done;
  }
}
