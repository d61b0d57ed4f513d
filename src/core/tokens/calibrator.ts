/**
 * Learns from the usage that a provider reports how it counts, by content class, and says how sure it is.
 *
 * Recursive least squares on the ratio "billed tokens / counted tokens" of a request, with a prior, bounded ratios and slow
 * forgetting. Works on shares, so that the size of a request does not matter. One calibrator belongs to one model.
 */

import { CONTENT_CLASSES, type ClassCounts } from "./contentClass.ts";
import type { CountingFormula } from "./countingFormula.ts";

/** A request as it was counted: content in the formula's encoding, without framing. */
export interface CountedRequest {
  readonly content: ClassCounts;
  readonly messages: number;
  /** Tokens of tool definitions and the like, as learned elsewhere; 0 without. */
  readonly fixedTokens: number;
}

/** An estimate of what will be billed. The truth is expected within `tokens ± plusMinusTokens` in 9 of 10 cases. */
export interface TokenEstimate {
  readonly tokens: number;
  readonly plusMinusTokens: number;
  /** Replies that were learned from; 0: the figure comes from the formula of the family alone. */
  readonly replies: number;
}

/** What a calibrator has learned, as plain data to be stored by model. Classes stand in the order of `CONTENT_CLASSES`. */
export interface CalibrationState {
  readonly ratios: readonly number[];
  readonly covariance: readonly (readonly number[])[];
  readonly replies: number;
  /** Running mean of the squared error of its own predictions, as shares of the reported tokens. */
  readonly meanSquaredError: number;
}

const LOWEST_RATIO = 0.5;
const HIGHEST_RATIO = 2.5;
const LARGEST_VARIANCE = 0.0625;
/** Tokenizers do not differ so much: a request billed like this held something else, such as tools that nobody counted. */
const HIGHEST_BELIEVED_RATIO = 4 * HIGHEST_RATIO;
/** A request with less content says nothing about ratios. */
const SMALLEST_CONTENT_TOKENS = 20;
/** Standard deviation of the ratio before the first reply: of a family's estimate, and of a formula known to be exact. */
const PRIOR_DEVIATION = { estimate: 0.25, exact: 0.003 };
const CONTENT_NOISE = 0.015;
const FRAMING_NOISE_TOKENS = 6;
const KEPT_PER_REPLY = 0.995;
const DRIFT = 1e-6;
/** Weight of the newest error in the running mean. */
const ERROR_WEIGHT = 0.2;
/** 9 of 10 cases of a normal distribution lie within so many standard deviations. */
const NINE_OF_TEN = 1.645;

/** Predicts and learns. */
export class Calibrator {
  private readonly formula: CountingFormula;
  private learned: CalibrationState;

  constructor(formula: CountingFormula, state?: CalibrationState) {
    this.formula = formula;
    this.learned = state !== undefined && isWhole(state) ? state : priorState(formula);
  }

  /** What has been learned so far; a calibrator made with it goes on from there. */
  get state(): CalibrationState {
    return this.learned;
  }

  /** Estimates the input tokens that a request will be billed. */
  predict(request: CountedRequest): TokenEstimate {
    const content = valuesOf(request.content);
    const total = sum(content);
    const tokens = Math.round(this.framing(request) + dot(this.learned.ratios, content));
    const modelled =
      total === 0 ? 0 : dot(multiply(this.learned.covariance, content), content) / total ** 2 + noiseOf(total);
    const variance = this.learned.replies === 0 ? modelled : Math.max(modelled, this.learned.meanSquaredError);
    const isExact = this.formula.quality === "exact" && this.learned.replies === 0 && request.fixedTokens === 0;
    const plusMinusTokens = isExact ? 0 : Math.ceil(NINE_OF_TEN * Math.sqrt(variance) * total);
    return { tokens, plusMinusTokens, replies: this.learned.replies };
  }

  /** Learns what the provider billed for a request. Very short ones teach nothing, nor do those billed beyond belief. */
  learn(request: CountedRequest, reportedTokens: number): void {
    const content = valuesOf(request.content);
    const total = sum(content);
    if (total < SMALLEST_CONTENT_TOKENS || !(reportedTokens > 0)) return;
    if (reportedTokens - this.framing(request) > HIGHEST_BELIEVED_RATIO * total) return;
    const { ratios, covariance, replies, meanSquaredError } = this.learned;
    const error = (this.predict(request).tokens - reportedTokens) / reportedTokens;
    const shares = content.map((tokens) => tokens / total);
    const residual = (reportedTokens - this.framing(request)) / total - dot(ratios, shares);
    const projected = multiply(covariance, shares);
    const spread = dot(projected, shares) + noiseOf(total);
    const gain = projected.map((value) => value / spread);
    this.learned = {
      ratios: ratios.map((ratio, i) => clamp(ratio + at(gain, i) * residual)),
      covariance: covariance.map((row, i) =>
        row.map((value, j) => {
          const reduced = value - at(gain, i) * at(projected, j);
          return i === j ? Math.min(reduced / KEPT_PER_REPLY + DRIFT, LARGEST_VARIANCE) : reduced;
        }),
      ),
      replies: replies + 1,
      meanSquaredError: replies === 0 ? error ** 2 : meanSquaredError + ERROR_WEIGHT * (error ** 2 - meanSquaredError),
    };
  }

  private framing({ messages, fixedTokens }: CountedRequest): number {
    return this.formula.perRequestTokens + this.formula.perMessageTokens * messages + fixedTokens;
  }
}

function priorState({ ratio, quality }: CountingFormula): CalibrationState {
  const variance = PRIOR_DEVIATION[quality] ** 2;
  return {
    ratios: CONTENT_CLASSES.map(() => ratio),
    covariance: CONTENT_CLASSES.map((_, i) => CONTENT_CLASSES.map((__, j) => (i === j ? variance : 0))),
    replies: 0,
    meanSquaredError: 0,
  };
}

/** Whether a stored state has a finite number wherever one belongs; one that has not is forgotten. */
function isWhole({ ratios, covariance, replies, meanSquaredError }: CalibrationState): boolean {
  const size = CONTENT_CLASSES.length;
  const hasShape =
    ratios.length === size && covariance.length === size && covariance.every((row) => row.length === size);
  return hasShape && [...ratios, ...covariance.flat(), replies, meanSquaredError].every(Number.isFinite);
}

function valuesOf(counts: ClassCounts): readonly number[] {
  return CONTENT_CLASSES.map((name) => counts[name]);
}

/** Relative variance that no ratio explains: content, and framing in short requests. */
function noiseOf(total: number): number {
  return CONTENT_NOISE ** 2 + (FRAMING_NOISE_TOKENS / total) ** 2;
}

function clamp(ratio: number): number {
  return Math.min(HIGHEST_RATIO, Math.max(LOWEST_RATIO, ratio));
}

function at(vector: readonly number[], index: number): number {
  return vector[index] ?? 0;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, value, i) => total + value * at(b, i), 0);
}

function multiply(matrix: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  return matrix.map((row) => dot(row, vector));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
