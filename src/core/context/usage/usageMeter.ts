/** Usage of one conversation: what its cuts take, by reported usage and calibration. */

import { type CountedRequest, LOWEST_RATIO } from "../../tokens/calibrator.ts";
import { CONTENT_CLASSES } from "../../tokens/contentClass.ts";
import type { ModelId } from "../../ids.ts";
import type { ContextUsage } from "./contextUsage.ts";
import type { Cut } from "../cut/buildCut.ts";
import type { CutContext } from "../cut/cutBuilder.ts";
import { type Measurement, countedRequest, usageOfCut } from "./usageOfCut.ts";
import type { ModelContext } from "../modelContext.ts";
import { UsageCalibrations } from "./usageCalibrations.ts";
import type { WorkingContext } from "../cut/workingContext.ts";

export class UsageMeter {
  readonly #calibrations: UsageCalibrations;
  #lastPrepared: { readonly context: WorkingContext; readonly counted: CountedRequest } | undefined;
  #measured: (Measurement & { readonly context: WorkingContext }) | undefined;

  constructor(calibrations = new UsageCalibrations()) {
    this.#calibrations = calibrations;
  }

  /** A meter for a copy of the conversation; shares the calibrations. */
  copy(): UsageMeter {
    const copy = new UsageMeter(this.#calibrations);
    copy.#measured = this.#measured;
    return copy;
  }

  /** `cut` is of the model in use. */
  usage(cut: Cut, of: CutContext): ContextUsage {
    const isMeasured = cut.kind === "ready" && this.#measured?.context === cut.context;
    const calibrator = this.#calibrations.of(of.model.model);
    return usageOfCut(cut, { ...of, measurement: this.#measured, isMeasured, calibrator });
  }

  /** Predicted bill of a cut for any model. */
  predictedTokens(cut: Cut, model: ModelContext): number {
    return this.#calibrations.of(model.model).predict(countedRequest(cut, model)).tokens;
  }

  /** Call when a request is made of `context`. */
  recordPrepared(context: WorkingContext, model: ModelContext): void {
    this.#lastPrepared = { context, counted: countedRequest({ kind: "ready", context }, model) };
  }

  /**
   * Learns from the usage reported for the last prepared request; `inputTokens` is the whole input. Of a report that
   * cannot be, as some servers leave out what they have cached, nothing is believed. Returns whether the usage shows that
   * its tools were dropped.
   */
  recordReported(model: ModelId, inputTokens: number): boolean {
    if (this.#lastPrepared === undefined || inputTokens <= 0) return false;
    const { content } = this.#lastPrepared.counted;
    const contentTokens = CONTENT_CLASSES.reduce((sum, name) => sum + content[name], 0);
    if (inputTokens < LOWEST_RATIO * contentTokens) return false;
    this.#measured = { ...this.#lastPrepared, reportedTokens: inputTokens };
    return this.#calibrations.learn(model, this.#lastPrepared.counted, inputTokens, this);
  }

  /** Call when the model changes: measurements say nothing of another one. */
  forgetMeasured(): void {
    this.#measured = undefined;
    this.#lastPrepared = undefined;
  }
}
