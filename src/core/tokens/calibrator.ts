/**
 * Learns how a provider counts, by content class, from the usage that it reports, and estimates its own accuracy.
 *
 * Recursive least squares on the ratio "billed tokens / counted tokens" of a request, with a prior, bounded ratios and
 * slow forgetting. Works on shares, so that the size of a request does not matter. One calibrator per model.
 *
 * For a request of T tokens of content, of which a share `s` is of each class, with framing F, ratios `r` and their
 * covariance `P`, and the noise n = 0.015² + (6 / T)² that no ratio explains:
 *
 * - estimate = F + T (r · s), within ± 1.645 T √max(s · P s + n, e), e being the mean square of the errors so far;
 * - a reply that billed R moves the ratios by the gain k = P s / (s · P s + n): r + k ((R - F) / T - r · s), clamped to
 *   0.5 and 2.5, and P to P - k (P s)ᵀ, its diagonal divided by 0.995 so that old replies are slowly forgotten.
 *
 * So for text of one class, with P = 0.0625 at first, the first reply decides by far the most: T = 1,000, R = 1,300
 * gives n = 0.000261, k = 0.9958 and a ratio of 1 + 0.9958 × 0.3 = 1.2988.
 */

import { CONTENT_CLASSES, type ClassCounts } from "./contentClass.ts";
import type { CountingFormula } from "./countingFormula.ts";

/** Content is counted in the formula's encoding, without framing. */
export interface CountedRequest {
  readonly content: ClassCounts;
  readonly messages: number;
  /** Tokens of tool definitions, counted or learned; 0 without tools. */
  readonly fixedTokens: number;
  /** Identifies the set of tools; absent without tools. */
  readonly toolSet?: string;
}

/** Estimated bill. The actual one is expected within `tokens ± plusMinusTokens` in 9 of 10 cases. */
export interface TokenEstimate {
  readonly tokens: number;
  readonly plusMinusTokens: number;
  /** Number of replies learned from; 0: based on the family's formula alone. */
  readonly replies: number;
}

/** Serializable state per model. Arrays are in the order of `CONTENT_CLASSES`. */
export interface CalibrationState {
  readonly ratios: readonly number[];
  readonly covariance: readonly (readonly number[])[];
  readonly replies: number;
  /** Running mean of its own squared relative prediction error. */
  readonly meanSquaredError: number;
}

/** Ratios are clamped to these bounds: no two tokenizers differ more on text of any kind. */
export const LOWEST_RATIO = 0.5;
export const HIGHEST_RATIO = 2.5;
/** Upper bound of a ratio's variance: that of a family about which nothing is known. */
export const LARGEST_VARIANCE = 0.0625;
/**
 * Larger bills, relative to the text, are ignored. No tokenizer in use bills text at more than 2.5 times what the two
 * known encodings count, so such a bill is for something that was not counted: tools, a picture, instructions of the
 * host. One such reply would push a ratio to its bound, for all other text too. The threshold is a judgement: of 286
 * recorded plain text requests, 76 have the 20 tokens of text from which a reply is used. The highest were billed 9.1
 * and 8.3 times their text, by a host that adds some 190 tokens of its own, two 3.9 times, and all others less than 1.8
 * times. A threshold below ten would reject what such hosts really bill; nothing was recorded above it.
 */
const HIGHEST_BELIEVED_RATIO = 4 * HIGHEST_RATIO;
/** A request with less content says nothing about ratios. */
const SMALLEST_CONTENT_TOKENS = 20;
/** Initial standard deviation of the ratio: of a family's estimate, and of a formula known to be exact. */
const PRIOR_DEVIATION = { estimate: 0.25, exact: 0.003 };
const CONTENT_NOISE = 0.015;
const FRAMING_NOISE_TOKENS = 6;
const FORGETTING_FACTOR = 0.995;
const DRIFT = 1e-6;
/** Weight of the newest error in the running mean. */
const ERROR_WEIGHT = 0.2;
/** A ratio may always move so far. */
const LEAST_STEP = 0.01;
/** Standard deviations that contain 9 of 10 cases of a normal distribution. */
const NINE_OF_TEN = 1.645;

export class Calibrator {
  private readonly formula: CountingFormula;
  private learned: CalibrationState;

  constructor(formula: CountingFormula, state?: CalibrationState) {
    this.formula = formula;
    this.learned = state !== undefined && isWhole(state) ? state : priorState(formula);
  }

  /** Pass it to a new calibrator to continue from here. */
  get state(): CalibrationState {
    return this.learned;
  }

  predict(request: CountedRequest): TokenEstimate {
    const content = valuesOf(request.content);
    const total = sum(content);
    const tokens = Math.round(this.framing(request) + dot(this.learned.ratios, content));
    const modelled = total === 0 ? 0 : this.modelledVariance(content, total);
    const variance = this.learned.replies === 0 ? modelled : Math.max(modelled, this.learned.meanSquaredError);
    const isExact = this.formula.quality === "exact" && this.learned.replies === 0 && request.fixedTokens === 0;
    const plusMinusTokens = isExact ? 0 : Math.ceil(NINE_OF_TEN * Math.sqrt(variance) * total);
    return { tokens, plusMinusTokens, replies: this.learned.replies };
  }

  /** How many of its expected deviations a bill is away from what the ratios say, without the errors so far. */
  deviationsOf(request: CountedRequest, reportedTokens: number): number {
    const content = valuesOf(request.content);
    const total = sum(content);
    if (total === 0) return 0;
    const residual = reportedTokens - this.framing(request) - dot(this.learned.ratios, content);
    return Math.abs(residual) / total / Math.sqrt(this.modelledVariance(content, total));
  }

  /**
   * Updates the ratios. Very short requests and implausible bills are ignored. `isCautious`: no ratio moves further than
   * its own uncertainty, or a hundredth.
   */
  learn(request: CountedRequest, reportedTokens: number, isCautious = false): void {
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
    const mostOf = (i: number): number =>
      isCautious ? Math.max(LEAST_STEP, Math.sqrt(at(covariance[i] ?? [], i))) : Infinity;
    const stepOf = (i: number): number => bounded(at(gain, i) * residual, mostOf(i));
    this.learned = {
      ratios: ratios.map((ratio, i) => clamp(ratio + stepOf(i))),
      covariance: covariance.map((row, i) =>
        row.map((value, j) => {
          const reduced = value - at(gain, i) * at(projected, j);
          return i === j ? Math.min(reduced / FORGETTING_FACTOR + DRIFT, LARGEST_VARIANCE) : reduced;
        }),
      ),
      replies: replies + 1,
      meanSquaredError: replies === 0 ? error ** 2 : meanSquaredError + ERROR_WEIGHT * (error ** 2 - meanSquaredError),
    };
  }

  private modelledVariance(content: readonly number[], total: number): number {
    return dot(multiply(this.learned.covariance, content), content) / total ** 2 + noiseOf(total);
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

/** Whether a stored state has the right shape and finite numbers; any other is discarded. */
function isWhole({ ratios, covariance, replies, meanSquaredError }: CalibrationState): boolean {
  const size = CONTENT_CLASSES.length;
  const hasShape =
    ratios.length === size && covariance.length === size && covariance.every((row) => row.length === size);
  return hasShape && [...ratios, ...covariance.flat(), replies, meanSquaredError].every(Number.isFinite);
}

function valuesOf(counts: ClassCounts): readonly number[] {
  return CONTENT_CLASSES.map((name) => counts[name]);
}

/** Relative variance that no ratio explains: of content, and of framing in short requests. */
function noiseOf(total: number): number {
  return CONTENT_NOISE ** 2 + (FRAMING_NOISE_TOKENS / total) ** 2;
}

function clamp(ratio: number): number {
  return Math.min(HIGHEST_RATIO, Math.max(LOWEST_RATIO, ratio));
}

function bounded(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
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
