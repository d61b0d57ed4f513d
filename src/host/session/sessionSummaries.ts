/** The summaries of the open conversation, as the user has them made, taken back, brought back and shown. */

import { noteOrder, takeOrder } from "../../adapters/node/orderedSummary.ts";
import type { ForgeError } from "../../core/errors.ts";
import type { CompactionReceipt } from "../../core/history/records.ts";
import { summaryId } from "../../core/ids.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { countingFormula } from "../../core/tokens/countingFormula.ts";
import type { SummaryDetail } from "../../protocol/summaryView.ts";
import { localize } from "../../protocol/localize.ts";
import { AutomaticSummaries } from "./automaticSummaries.ts";
import type { ComposerEdits } from "./composer/composerEdits.ts";
import type { CompactionOrder } from "../compaction/compactionOrder.ts";
import { busyNote, shownActivity } from "../words/busyNote.ts";
import { explain } from "../words/explain.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { SummarizedConversation } from "../compaction/summarizedConversation.ts";
import { summaryDetail } from "../compaction/summaryDetail.ts";
import { editSummary, useVersion, type SummaryEditParts } from "./summaryEdits.ts";

/** The conversation, with what the user is changing in it. */
type EditedConversation = SummarizedConversation & {
  readonly composer: { readonly edits: Pick<ComposerEdits, "send"> };
};

/** What a change of a summary works with. */
type ChangeParts = SummaryEditParts & { readonly environment: SessionEnvironment };

/** What can be done with summaries; each change is a record and can be undone by another. */
export class SessionSummaries {
  /** Those that are made by themselves. */
  readonly automatic: AutomaticSummaries;
  readonly #session: EditedConversation;
  readonly #environment: SessionEnvironment;
  #order: "none" | "running" | "cancelled" = "none";

  constructor(session: EditedConversation, environment: SessionEnvironment) {
    this.#session = session;
    this.#environment = environment;
    this.automatic = new AutomaticSummaries(session, environment);
  }

  /**
   * Summarizes now because the user asked: what the strategies plan, a range, or another version of a summary. Answers what
   * came of it; `undefined` when there is nothing to summarize, `CANCELLED` also when something else runs.
   */
  async summarizeNow(
    wanted: Omit<CompactionOrder, "trigger"> = {},
  ): Promise<Result<CompactionReceipt | undefined, ForgeError>> {
    let outcome: Result<CompactionReceipt | undefined, ForgeError> = err({ code: "CANCELLED" });
    const { folder, manager } = this.#session.opened;
    await this.#session.alone("summarizing", async (cancel) => {
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
    const done = await this.#change(async ({ opened: { manager, store }, environment: { clock, saved } }) => {
      const record = manager.setSummaryState(summaryId(id), state, clock.nowMs());
      if (!record.ok) return record;
      const committed = await store.commit([{ kind: "record", record: record.value }]);
      if (!committed.ok) return committed;
      manager.apply(record.value);
      saved(null); // what it saved is not so any more
      this.automatic.driver.putOff(); // or it would be summarized anew at once
      return ok(undefined);
    });
    if (!done.ok) this.#environment.showBanner(explain(done.error, this.#session.connection.provider.label));
  }

  /** Puts the user's own text in a summary's place, which ends their edit of it; an error says why it cannot stand there. */
  edit(id: number, text: string): Promise<Result<void, ForgeError>> {
    return this.#revise((parts) =>
      this.#session.composer.edits.send({ summaryId: summaryId(id) }, (drops) => editSummary(id, text, parts, drops)),
    );
  }

  /** Uses an earlier or later version of a summary from now on. */
  use(id: number): Promise<Result<void, ForgeError>> {
    return this.#revise((parts) => useVersion(id, parts));
  }

  /** What a summary says; `undefined` when there is none with this id. */
  detail(id: number): SummaryDetail | undefined {
    const { opened, connection } = this.#session;
    const { encoding } = countingFormula(opened.manager.model);
    const models = connection.isLanguageModel
      ? [...new Set([this.#environment.summarizerModel(connection), connection.model])]
      : [];
    return summaryDetail(id, { history: opened.manager.history, encoding, models });
  }

  /** Another text stands in a summary's place: what is being written of the one before would put that back. */
  #revise(revise: (parts: ChangeParts) => Promise<Result<void, ForgeError>>): Promise<Result<void, ForgeError>> {
    return this.#change(async (parts) => {
      const done = await revise(parts);
      if (done.ok) this.automatic.driver.noteSourcesChanged();
      return done;
    });
  }

  async #change(change: (parts: ChangeParts) => Promise<Result<void, ForgeError>>): Promise<Result<void, ForgeError>> {
    let done: Result<void, ForgeError> = ok(undefined);
    const ran = await this.#session.alone("summarizing", async (cancel) => {
      done = await change({ opened: this.#session.opened, environment: this.#environment, cancel });
      if (done.ok) await this.automatic.rebuild();
    });
    if (!ran) {
      const text = localize("Summaries can be changed when this answer has ended.");
      const { activity } = this.#session;
      this.#environment.showBanner(busyNote(shownActivity({ activity, summaries: this }), text));
    }
    return done;
  }
}
