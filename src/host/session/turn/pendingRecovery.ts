/** Answers that ended badly and wait for the user's word: cut ones, and one whose tools were cut. Nothing here is run. */

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

/** The answers of one conversation that are in a journal and in no running turn. */
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

  /** Cut answers, oldest first. */
  get steps(): readonly LeftoverStep[] {
    return [...this.#steps.values()];
  }

  /** The open batch: it waits for the user while no turn runs. */
  get batch(): ToolBatch | undefined {
    return this.#opened.toolJournal.batch;
  }

  /** The cut answer of `step`; `undefined` once it was decided. */
  step(step: StepId): LeftoverStep | undefined {
    return this.#steps.get(step);
  }

  /** Whether `step` is that of the open batch. */
  isBatch(step: StepId): boolean {
    return this.batch !== undefined && stepOfBatch(this.batch) === step;
  }

  /** An answer has just ended badly. */
  add(leftover: LeftoverStep): void {
    this.#steps.set(leftover.stepId, leftover);
  }

  /** Their rows, which stand after the history. */
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

  /** Makes a cut answer a message, as it was seen. */
  async keep(leftover: LeftoverStep): Promise<Result<void, ForgeError>> {
    const kept = await keepStep(leftover, this.#deps);
    if (!kept.ok) return kept;
    this.#steps.delete(leftover.stepId);
    return ok(undefined);
  }

  /** A message that is sent after them says that the user goes on: all of them stay, as they were seen. */
  async keepAll(): Promise<Result<void, ForgeError>> {
    for (const leftover of this.steps) {
      const kept = await this.keep(leftover);
      if (!kept.ok) return kept;
    }
    const kept = await keepBatch(this.#deps);
    return kept.ok ? ok(undefined) : kept;
  }

  /** Makes the open batch one that can be gone on with, after storing failed. */
  mendBatch(): Promise<Result<void, ForgeError>> {
    return this.#opened.toolJournal.mendBatch(stepId(this.#services.newUuid()));
  }

  /** Hides the open batch with its answer, in the history. */
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
