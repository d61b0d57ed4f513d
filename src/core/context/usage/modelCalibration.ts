/**
 * What the replies of one model have taught: how it bills kinds of text, and what it bills for each set of tools, which
 * no formula can tell: providers turn 52 tokens of definitions into anything from 30 to 730.
 */

import type { ModelId } from "../../ids.ts";
import { Calibrator, type CalibrationState, type CountedRequest, type TokenEstimate } from "../../tokens/calibrator.ts";
import { countingFormula } from "../../tokens/countingFormula.ts";

/** Serializable state. */
export interface SavedCalibration extends CalibrationState {
  readonly model: ModelId;
  /** Billed tokens by {@link CountedRequest.toolSet}, the newest last. */
  readonly tools: readonly { readonly toolSet: string; readonly tokens: number }[];
}

/** Corrects the estimate of the model's formula, framing included. */
export class ModelCalibration {
  readonly #model: ModelId;
  #calibrator: Calibrator;
  readonly #toolTokens = new Map<string, number>();
  /** Conversations whose last bill was odd. */
  readonly #odd = new Set<object>();

  constructor(model: ModelId) {
    this.#model = model;
    this.#calibrator = calibratorOf(model);
  }

  get saved(): SavedCalibration {
    const tools = [...this.#toolTokens].map(([toolSet, tokens]) => ({ toolSet, tokens }));
    return { model: this.#model, ...this.#calibrator.state, tools: tools.slice(-MOST_TOOL_SETS) };
  }

  /** Adopts ratios that come from more replies, and tool sets not known here. */
  merge({ tools, ...state }: SavedCalibration): void {
    if (state.replies > this.#calibrator.state.replies) this.#calibrator = calibratorOf(this.#model, state);
    for (const { toolSet, tokens } of tools) {
      if (!this.#toolTokens.has(toolSet)) this.#toolTokens.set(toolSet, tokens);
    }
  }

  /** Estimates the billed input tokens. All tokens of an unknown tool set are margin of error. */
  predict(request: CountedRequest): TokenEstimate {
    const estimate = this.#calibrator.predict(this.#withTools(request));
    const doubt = this.#areToolsKnown(request) ? 0 : request.fixedTokens;
    return { ...estimate, plusMinusTokens: estimate.plusMinusTokens + doubt };
  }

  /**
   * The first bill with a tool set teaches the cost of the tools, if that of the text is known well enough or the bill
   * shows that they were dropped; all other bills teach how text is billed. Implausible bills are ignored, and where
   * much is known, those of one `conversation` that fit nothing before: it sends something that is not counted, or
   * counts what is not sent. Odd bills of several show that the model is billed otherwise by now.
   */
  learn(request: CountedRequest, reportedTokens: number, conversation?: object): void {
    if (conversation !== undefined && this.#isOdd(request, reportedTokens, conversation)) return;
    const isCautious = conversation !== undefined && this.#isEstablished;
    if (this.ignoresTools(request, reportedTokens)) this.#toolTokens.set(request.toolSet ?? "", 0);
    if (this.#areToolsKnown(request)) {
      this.#calibrator.learn(this.#withTools(request), reportedTokens, isCautious);
      return;
    }
    const text = this.#calibrator.predict({ ...request, fixedTokens: 0 });
    if (text.plusMinusTokens > LARGEST_DOUBT_TOKENS) {
      this.#calibrator.learn(request, reportedTokens, isCautious);
      return;
    }
    const tokens = reportedTokens - text.tokens;
    const isBelievable = tokens >= 0 && tokens <= 20 * request.fixedTokens + 1_000;
    if (isBelievable) this.#toolTokens.set(request.toolSet ?? "", tokens);
  }

  get #isEstablished(): boolean {
    return this.#calibrator.state.replies >= FEWEST_REPLIES;
  }

  #isOdd(request: CountedRequest, reportedTokens: number, conversation: object): boolean {
    const known = this.#withTools(request);
    const { tokens } = this.#calibrator.predict(known);
    const doubt = this.#areToolsKnown(request) ? 0 : request.fixedTokens;
    const isFar = Math.abs(reportedTokens - tokens) > ODD_SHARE * tokens + doubt;
    const isOdd = isFar && this.#calibrator.deviationsOf(known, reportedTokens) > ODD_DEVIATIONS;
    if (!this.#isEstablished || !isOdd) {
      this.#odd.delete(conversation);
      return false;
    }
    this.#odd.add(conversation);
    if (this.#odd.size < ODD_CONVERSATIONS) return true;
    this.#odd.clear();
    this.#calibrator = calibratorOf(this.#model);
    return false;
  }

  /**
   * True when the bill fits the request without its tools and not with them: the server's template drops them. Call before
   * {@link ModelCalibration.learn}. Undecided, so false, where the text's margin of error is larger than the tools.
   */
  ignoresTools(request: CountedRequest, reportedTokens: number): boolean {
    const { fixedTokens, toolSet = "" } = request;
    if (fixedTokens === 0 || (this.#toolTokens.get(toolSet) ?? 0) > 0) return false;
    const text = this.#calibrator.predict({ ...request, fixedTokens: 0 });
    const [least, most] = [text.tokens - text.plusMinusTokens, text.tokens + text.plusMinusTokens];
    return reportedTokens >= least && reportedTokens <= most && reportedTokens < least + LEAST_TOOL_SHARE * fixedTokens;
  }

  /** Learned billed tokens of the request's tools; `undefined` when there are none, or nothing is known. */
  toolTokensOf({ fixedTokens, toolSet = "" }: CountedRequest): number | undefined {
    return fixedTokens === 0 ? undefined : this.#toolTokens.get(toolSet);
  }

  #areToolsKnown({ fixedTokens, toolSet = "" }: CountedRequest): boolean {
    return fixedTokens === 0 || this.#toolTokens.has(toolSet);
  }

  #withTools(request: CountedRequest): CountedRequest {
    const { fixedTokens, toolSet = "" } = request;
    return fixedTokens === 0 ? request : { ...request, fixedTokens: this.#toolTokens.get(toolSet) ?? fixedTokens };
  }
}

/** After so many replies a bill can be odd. */
const FEWEST_REPLIES = 5;
/** An odd bill is off by more than so many expected deviations, and by more than this share. */
const ODD_DEVIATIONS = 4;
const ODD_SHARE = 0.1;
const ODD_CONVERSATIONS = 3;

/** Least billed tokens of tools, relative to their definitions: of 52 tokens, a provider makes 30. */
const LEAST_TOOL_SHARE = 0.4;

/** Tool sets saved per model: a set changes only when the user turns tools on or off, or Forge is updated. */
const MOST_TOOL_SETS = 20;

/** If the text's margin of error exceeds what most tool sets cost, the rest of a bill says nothing about the tools. */
const LARGEST_DOUBT_TOKENS = 500;

/** Costs already follow the formula, so the calibrator starts at 1 and adds no framing of its own. */
function calibratorOf(model: ModelId, state?: CalibrationState): Calibrator {
  return new Calibrator({ ...countingFormula(model), ratio: 1, perMessageTokens: 0, perRequestTokens: 0 }, state);
}
