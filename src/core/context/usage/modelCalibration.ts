/**
 * What the replies of one model have taught: how it bills kinds of text, by its calibrator, and what it bills for each set
 * of tools, which no formula can tell: providers turn 52 tokens of definitions into anything from 30 to 730.
 */

import type { ModelId } from "../../ids.ts";
import { Calibrator, type CalibrationState, type CountedRequest, type TokenEstimate } from "../../tokens/calibrator.ts";
import { countingFormula } from "../../tokens/countingFormula.ts";

/** What was learned of one model, as plain data. */
export interface SavedCalibration extends CalibrationState {
  readonly model: ModelId;
  /** Billed tokens by {@link CountedRequest.toolSet}, the newest last. */
  readonly tools: readonly { readonly toolSet: string; readonly tokens: number }[];
}

/** Predicts and learns. It corrects what the model's formula says, framing included. */
export class ModelCalibration {
  readonly #model: ModelId;
  #calibrator: Calibrator;
  readonly #toolTokens = new Map<string, number>();

  constructor(model: ModelId) {
    this.#model = model;
    this.#calibrator = calibratorOf(model);
  }

  /** What was learned so far. */
  get saved(): SavedCalibration {
    const tools = [...this.#toolTokens].map(([toolSet, tokens]) => ({ toolSet, tokens }));
    return { model: this.#model, ...this.#calibrator.state, tools: tools.slice(-MOST_TOOL_SETS) };
  }

  /** Takes over what was learned elsewhere: the ratios where they come from more replies, and tools not known here. */
  merge({ tools, ...state }: SavedCalibration): void {
    if (state.replies > this.#calibrator.state.replies) this.#calibrator = calibratorOf(this.#model, state);
    for (const { toolSet, tokens } of tools) {
      if (!this.#toolTokens.has(toolSet)) this.#toolTokens.set(toolSet, tokens);
    }
  }

  /** Estimates the input tokens that a request will be billed. Tools of which nothing is known are in doubt as a whole. */
  predict(request: CountedRequest): TokenEstimate {
    const estimate = this.#calibrator.predict(this.#withTools(request));
    const doubt = this.#areToolsKnown(request) ? 0 : request.fixedTokens;
    return { ...estimate, plusMinusTokens: estimate.plusMinusTokens + doubt };
  }

  /**
   * Learns what was billed. From the first reply with a set of tools it learns what these are billed, as far as the text
   * beside them is known well enough; from others, how text is billed. Bills beyond belief teach nothing.
   */
  learn(request: CountedRequest, reportedTokens: number): void {
    if (this.#areToolsKnown(request)) {
      this.#calibrator.learn(this.#withTools(request), reportedTokens);
      return;
    }
    const text = this.#calibrator.predict({ ...request, fixedTokens: 0 });
    if (text.plusMinusTokens > LARGEST_DOUBT_TOKENS) {
      this.#calibrator.learn(request, reportedTokens);
      return;
    }
    const tokens = reportedTokens - text.tokens;
    const isBelievable = tokens >= 0 && tokens <= 20 * request.fixedTokens + 1_000;
    if (isBelievable) this.#toolTokens.set(request.toolSet ?? "", tokens);
  }

  #areToolsKnown({ fixedTokens, toolSet = "" }: CountedRequest): boolean {
    return fixedTokens === 0 || this.#toolTokens.has(toolSet);
  }

  #withTools(request: CountedRequest): CountedRequest {
    const { fixedTokens, toolSet = "" } = request;
    return fixedTokens === 0 ? request : { ...request, fixedTokens: this.#toolTokens.get(toolSet) ?? fixedTokens };
  }
}

/** Sets of tools that are kept for a model: a set changes only when the user turns tools on or off, or Forge is updated. */
const MOST_TOOL_SETS = 20;

/** With more doubt about the text than most sets of tools take, the rest of a bill says nothing about the tools. */
const LARGEST_DOUBT_TOKENS = 500;

/** Costs are counted with the formula already, so the calibrator begins at 1 and adds no framing of its own. */
function calibratorOf(model: ModelId, state?: CalibrationState): Calibrator {
  return new Calibrator({ ...countingFormula(model), ratio: 1, perMessageTokens: 0, perRequestTokens: 0 }, state);
}
