/** Interrupted answers that await the user's decision: partial text, or cut-off tools. Nothing is run here. */

import type { ForgeError } from "../../../core/errors.ts";
import { stepId, type MessageId, type StepId } from "../../../core/ids.ts";
import type { RecoverableAnswer } from "../../../core/journal/recoverAnswers.ts";
import type { ToolBatch } from "../../../core/journal/toolBatch.ts";
import { ok, type Result } from "../../../core/result.ts";
import { discardBatch, saveOpenBatch, saveAnswer, type RecoveryDeps } from "../../../core/turn/settleRecovery.ts";
import { stepOfBatch } from "../../../core/turn/toolRound.ts";
import type { Row } from "../../../protocol/toView.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import { recoverableBatchRow, recoverableRow } from "../../transcript/rows.ts";
import { explain } from "../../words/explain.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";

/** Holds the answers in a journal that belong to no running turn. */
export class PendingRecovery {
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #steps = new Map<StepId, RecoverableAnswer>();
  /** Why the last message has no answer, as long as `isTrue`. */
  #failure: { readonly row: Row; readonly last: MessageId | undefined; readonly isTrue: () => boolean } | undefined;

  constructor(opened: OpenConversation, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#model = model;
    this.#services = services;
    for (const leftover of opened.recoverable) this.add(leftover);
  }

  /** Partial answers, oldest first. */
  get steps(): readonly RecoverableAnswer[] {
    return [...this.#steps.values()];
  }

  /** Awaits the user's decision while no turn runs. */
  get batch(): ToolBatch | undefined {
    return this.#opened.toolJournal.batch;
  }

  /** The questions of all that awaits a decision. */
  get asked(): readonly MessageId[] {
    return [...this.steps, ...(this.batch === undefined ? [] : [this.batch])].map(({ asked }) => asked);
  }

  /** Notes the row that tells why the last message has no answer. */
  noteFailure(row: Row): void {
    const last = this.#opened.conversation.history.lastVisible?.id;
    this.#failure = { row, last, isTrue: this.#model.whileUnchanged() };
  }

  /** That row; `undefined` when another message is the last one, or model, keys or settings have changed. */
  get failure(): Row | undefined {
    const { lastVisible } = this.#opened.conversation.history;
    const failure = this.#failure;
    return failure?.last === lastVisible?.id && failure?.isTrue() === true ? failure.row : undefined;
  }

  /** `undefined` once it was decided. */
  step(step: StepId): RecoverableAnswer | undefined {
    return this.#steps.get(step);
  }

  isOpenBatch(step: StepId): boolean {
    return this.batch !== undefined && stepOfBatch(this.batch) === step;
  }

  add(leftover: RecoverableAnswer): void {
    this.#steps.set(leftover.stepId, leftover);
  }

  rows(): readonly Row[] {
    const { batch } = this;
    const { model, provider } = this.#model.connection;
    const { history } = this.#opened.conversation;
    const open = this.steps.filter((leftover) => !history.hasStep(leftover.stepId));
    const steps = open.map((leftover) => {
      const failed = leftover.model === model ? provider.label : leftover.model; // the user may have switched since
      const problem = leftover.error === undefined ? null : { ...explain(leftover.error, failed), actions: [] };
      return recoverableRow(leftover, problem);
    });
    return batch === undefined ? steps : [...steps, recoverableBatchRow(batch)];
  }

  /** Makes a partial answer a message, as it was shown. */
  async saveAnswer(leftover: RecoverableAnswer): Promise<Result<void, ForgeError>> {
    const kept = await saveAnswer(leftover, this.#deps);
    if (!kept.ok) return kept;
    this.#steps.delete(leftover.stepId);
    return ok(undefined);
  }

  /** Saves all of them as shown: the user goes on with another message. */
  async saveAll(): Promise<Result<void, ForgeError>> {
    for (const leftover of this.steps) {
      const kept = await this.saveAnswer(leftover);
      if (!kept.ok) return kept;
    }
    const kept = await saveOpenBatch(this.#deps);
    return kept.ok ? ok(undefined) : kept;
  }

  /** Repairs the open batch after a failed write, so that it can be continued. */
  recreateBatch(): Promise<Result<void, ForgeError>> {
    return this.#opened.toolJournal.recreateBatch(stepId(this.#services.newUuid()));
  }

  /** Adds the open batch and its answer to the history, hidden. */
  async discardBatch(): Promise<Result<void, ForgeError>> {
    if (this.batch === undefined) return ok(undefined);
    const hidden = await discardBatch(this.#deps);
    return hidden.ok ? ok(undefined) : hidden;
  }

  get #deps(): RecoveryDeps {
    const { conversation, toolJournal } = this.#opened;
    const { clock, newUuid, messageCounter } = this.#services;
    return { conversation, toolJournal, clock, newUuid, messageCounter };
  }
}
