/** What ended badly and waits for the user's word: cut answers, and an answer whose tools were cut. Nothing here is run. */

import type { ForgeError } from "../../core/errors.ts";
import { stepId, type StepId } from "../../core/ids.ts";
import type { LeftoverStep } from "../../core/journal/recover.ts";
import type { ToolBatch } from "../../core/journal/toolBatch.ts";
import { ok, type Result } from "../../core/result.ts";
import { discardBatch, keepBatch, keepStep, type LeftoverDeps } from "../../core/turn/leftovers.ts";
import { stepOfBatch } from "../../core/turn/toolRound.ts";
import type { Entered } from "../../core/turn/turnEvent.ts";
import type { MessageRow, Row } from "../../protocol/toView.ts";
import type { Connection } from "../connections/connections.ts";
import { explain } from "../words/explain.ts";
import type { OpenConversation } from "../transcript/openConversation.ts";
import { undecidedBatchRow, undecidedRow } from "../transcript/rows.ts";
import type { SessionEnvironment } from "./sessionEnvironment.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** What deciding works with. */
export interface UndecidedParts {
  readonly opened: OpenConversation;
  readonly transcript: Transcript;
  readonly environment: SessionEnvironment;
  readonly connection: () => Connection;
  readonly rowOf: (entered: Entered) => MessageRow;
}

/** The answers of one conversation that are in a journal and in no running turn. */
export class Undecided {
  readonly #parts: UndecidedParts;
  readonly #steps = new Map<StepId, LeftoverStep>();

  constructor(parts: UndecidedParts) {
    this.#parts = parts;
    for (const leftover of parts.opened.undecided) this.#steps.set(leftover.stepId, leftover);
  }

  /** Cut answers, oldest first. */
  get steps(): readonly LeftoverStep[] {
    return [...this.#steps.values()];
  }

  /** The open batch: undecided while no turn runs. */
  get batch(): ToolBatch | undefined {
    return this.#parts.opened.toolJournal.batch;
  }

  /** What putting into the history works with. */
  get deps(): LeftoverDeps {
    const { manager, store, toolJournal } = this.#parts.opened;
    const { clock, newUuid, countTokens } = this.#parts.environment;
    return { manager, store, toolJournal, clock, newUuid, countTokens };
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

  /** Their rows, which stand behind the history. */
  rows(): readonly Row[] {
    const { environment, connection } = this.#parts;
    const nowMs = environment.clock.nowMs();
    const steps = this.steps.map((leftover) => {
      const { error } = leftover;
      const problem = error === undefined ? null : { ...explain(error, connection().provider.label), actions: [] };
      return undecidedRow(leftover, problem, nowMs);
    });
    return this.batch === undefined ? steps : [...steps, undecidedBatchRow(this.batch, nowMs)];
  }

  /** Makes a cut answer a message, as it was seen. */
  async keep(leftover: LeftoverStep): Promise<Result<void, ForgeError>> {
    const kept = await keepStep(leftover, this.deps);
    if (!kept.ok) return kept;
    this.#steps.delete(leftover.stepId);
    const { transcript, rowOf } = this.#parts;
    if (kept.value === undefined) transcript.remove(leftover.stepId);
    else transcript.change(leftover.stepId, rowOf(kept.value));
    return ok(undefined);
  }

  /** A message typed behind them says that the user goes on: all of them stay, as they were seen. */
  async keepAll(): Promise<Result<void, ForgeError>> {
    for (const leftover of this.steps) {
      const kept = await this.keep(leftover);
      if (!kept.ok) return kept;
    }
    const { batch } = this;
    if (batch === undefined) return ok(undefined);
    const kept = await keepBatch(this.deps);
    if (!kept.ok) return kept;
    if (kept.value !== undefined) {
      this.#parts.transcript.change(stepOfBatch(batch), this.#parts.rowOf(kept.value));
    }
    return ok(undefined);
  }

  /** Makes the open batch one that can be gone on with, after storing failed. */
  mendBatch(): Promise<Result<void, ForgeError>> {
    return this.#parts.opened.toolJournal.mendBatch(stepId(this.#parts.environment.newUuid()));
  }

  /** Hides the open batch with its answer, in the history. */
  async discardBatch(): Promise<Result<void, ForgeError>> {
    const { batch } = this;
    if (batch === undefined) return ok(undefined);
    const hidden = await discardBatch(this.deps);
    if (!hidden.ok) return hidden;
    this.#parts.transcript.remove(stepOfBatch(batch));
    return ok(undefined);
  }
}
