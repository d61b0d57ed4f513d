/** Interrupted answers that await the user's decision: partial text, or cut-off tools. Nothing is run here. */

import type { ForgeError } from "../../../core/errors.ts";
import { stepId, type StepId } from "../../../core/ids.ts";
import type { LeftoverStep } from "../../../core/journal/recover.ts";
import type { ToolBatch } from "../../../core/journal/toolBatch.ts";
import { ok, type Result } from "../../../core/result.ts";
import { discardBatch, keepBatch, keepStep, type LeftoverDeps } from "../../../core/turn/recoverableAnswers.ts";
import { stepOfBatch } from "../../../core/turn/toolRound.ts";
import type { Row } from "../../../protocol/toView.ts";
import type { OpenConversation } from "../../opening/openConversation.ts";
import { undecidedBatchRow, undecidedRow } from "../../transcript/rows.ts";
import { explain } from "../../words/explain.ts";
import type { SessionModel } from "../sessionModel.ts";
import type { SessionServices } from "../sessionServices.ts";

/** Holds the answers in a journal that belong to no running turn. */
export class PendingRecovery {
  readonly #opened: OpenConversation;
  readonly #model: SessionModel;
  readonly #services: SessionServices;
  readonly #steps = new Map<StepId, LeftoverStep>();

  constructor(opened: OpenConversation, model: SessionModel, services: SessionServices) {
    this.#opened = opened;
    this.#model = model;
    this.#services = services;
    for (const leftover of opened.recoverable) this.add(leftover);
  }

  /** Partial answers, oldest first. */
  get steps(): readonly LeftoverStep[] {
    return [...this.#steps.values()];
  }

  /** Awaits the user's decision while no turn runs. */
  get batch(): ToolBatch | undefined {
    return this.#opened.toolJournal.batch;
  }

  /** `undefined` once it was decided. */
  step(step: StepId): LeftoverStep | undefined {
    return this.#steps.get(step);
  }

  isBatch(step: StepId): boolean {
    return this.batch !== undefined && stepOfBatch(this.batch) === step;
  }

  add(leftover: LeftoverStep): void {
    this.#steps.set(leftover.stepId, leftover);
  }

  rows(): readonly Row[] {
    const { batch } = this;
    const nowMs = this.#services.clock.nowMs();
    const { label } = this.#model.connection.provider;
    const { history } = this.#opened.conversation;
    const open = this.steps.filter((leftover) => !history.hasStep(leftover.stepId));
    const steps = open.map((leftover) => {
      const problem = leftover.error === undefined ? null : { ...explain(leftover.error, label), actions: [] };
      return undecidedRow(leftover, problem, nowMs);
    });
    return batch === undefined ? steps : [...steps, undecidedBatchRow(batch, nowMs)];
  }

  /** Makes a partial answer a message, as it was shown. */
  async keep(leftover: LeftoverStep): Promise<Result<void, ForgeError>> {
    const kept = await keepStep(leftover, this.#deps);
    if (!kept.ok) return kept;
    this.#steps.delete(leftover.stepId);
    return ok(undefined);
  }

  /** Saves all of them as shown: the user goes on with another message. */
  async keepAll(): Promise<Result<void, ForgeError>> {
    for (const leftover of this.steps) {
      const kept = await this.keep(leftover);
      if (!kept.ok) return kept;
    }
    const kept = await keepBatch(this.#deps);
    return kept.ok ? ok(undefined) : kept;
  }

  /** Repairs the open batch after a failed write, so that it can be continued. */
  mendBatch(): Promise<Result<void, ForgeError>> {
    return this.#opened.toolJournal.mendBatch(stepId(this.#services.newUuid()));
  }

  /** Adds the open batch and its answer to the history, hidden. */
  async discardBatch(): Promise<Result<void, ForgeError>> {
    if (this.batch === undefined) return ok(undefined);
    const hidden = await discardBatch(this.#deps);
    return hidden.ok ? ok(undefined) : hidden;
  }

  get #deps(): LeftoverDeps {
    const { conversation, toolJournal } = this.#opened;
    const { clock, newUuid, messageCounter } = this.#services;
    return { conversation, toolJournal, clock, newUuid, messageCounter };
  }
}
