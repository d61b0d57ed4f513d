/** The figures of one conversation's meter: what its cuts take, from what providers have reported and what that has taught. */

import type { CountedRequest } from "../../tokens/calibrator.ts";
import type { ModelId } from "../../ids.ts";
import type { ContextUsage } from "./contextUsage.ts";
import type { Cut } from "../cut/buildCut.ts";
import type { CutContext } from "../cut/cutBuilder.ts";
import { type Measurement, countedRequest, usageOfCut } from "./usageOfCut.ts";
import type { ModelContext } from "../modelContext.ts";
import { UsageCalibrations } from "./usageCalibrations.ts";
import type { WorkingContext } from "../cut/workingContext.ts";

/** Measures with the model in use, and predicts for any. */
export class UsageMeter {
  readonly #calibrations: UsageCalibrations;
  #lastPrepared: { readonly context: WorkingContext; readonly counted: CountedRequest } | undefined;
  #measured: (Measurement & { readonly context: WorkingContext }) | undefined;

  constructor(calibrations = new UsageCalibrations()) {
    this.#calibrations = calibrations;
  }

  /** A meter that knows as much, for a copy of the conversation. */
  copy(): UsageMeter {
    const copy = new UsageMeter(this.#calibrations);
    copy.#measured = this.#measured;
    return copy;
  }

  /** The figures for a cut of the model in use. */
  usage(cut: Cut, of: CutContext): ContextUsage {
    const isMeasured = cut.kind === "ready" && this.#measured?.context === cut.context;
    const calibrator = this.#calibrations.of(of.model.model);
    return usageOfCut(cut, { ...of, measurement: this.#measured, isMeasured, calibrator });
  }

  /** What a cut for another model will take, as far as is known of how that is billed. */
  predictedTokens(cut: Cut, model: ModelContext): number {
    return this.#calibrations.of(model.model).predict(countedRequest(cut, model)).tokens;
  }

  /** A request was made of this context. */
  notePrepared(context: WorkingContext, model: ModelContext): void {
    this.#lastPrepared = { context, counted: countedRequest({ kind: "ready", context }, model) };
  }

  /** Learns from what the provider reported of the request that was prepared last; `inputTokens` is all that it read. */
  noteReported(model: ModelId, inputTokens: number): void {
    if (this.#lastPrepared === undefined || inputTokens <= 0) return;
    this.#measured = { ...this.#lastPrepared, reportedTokens: inputTokens };
    this.#calibrations.learn(model, this.#lastPrepared.counted, inputTokens);
  }

  /** Another model answers: what was measured says nothing of it. */
  forgetMeasured(): void {
    this.#measured = undefined;
    this.#lastPrepared = undefined;
  }
}
