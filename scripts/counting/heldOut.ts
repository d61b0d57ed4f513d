/**
 * Cross-validation of a family's constants: fits them on one half of the recordings, and compares their errors on the
 * other half with those of the shipped constants.
 */

import type { CountingFormula } from "../../src/core/tokens/countingFormula.ts";
import { countingErrors, type CountedRecording, type CountingErrors } from "./recordedRequests.ts";

export interface Halves {
  readonly fitted: readonly CountedRecording[];
  readonly heldOut: readonly CountedRecording[];
}

export interface HeldOutCheck {
  /** Constants fitted on one half. */
  readonly formula: CountingFormula;
  /** Errors of the fitted constants on the other half. */
  readonly fitted: CountingErrors;
  /** Errors of the shipped constants on the same half. */
  readonly shipped: CountingErrors;
}

/**
 * Divides the recordings by a fixed rule: all requests of one recording, and all with the same text, are in the same
 * half, so that no fit is judged by its own data.
 */
export function halvesOf(recordings: readonly CountedRecording[]): Halves {
  const halves = { fitted: [] as CountedRecording[], heldOut: [] as CountedRecording[] };
  const nameOf = connectedNames(recordings.map(({ request }) => [fileOf(request.source), wordsOf(request)]));
  for (const recording of recordings) {
    halves[isOdd(nameOf(fileOf(recording.request.source))) ? "fitted" : "heldOut"].push(recording);
  }
  return halves;
}

function fileOf(source: string): string {
  return source.slice(0, source.lastIndexOf("#"));
}

function wordsOf({ system, messages }: CountedRecording["request"]): string {
  return JSON.stringify([system, messages]);
}

/** Maps each name to the alphabetically first name of its connected component. */
function connectedNames(pairs: readonly (readonly [string, string])[]): (name: string) => string {
  const lower = new Map<string, string>();
  const lowest = (name: string): string => {
    const next = lower.get(name);
    return next === undefined ? name : lowest(next);
  };
  for (const [one, other] of pairs) {
    const [first, second] = [lowest(one), lowest(other)].sort();
    if (first !== undefined && second !== undefined && first !== second) lower.set(second, first);
  }
  return lowest;
}

/** Fits `formula` on one half and judges by the other. `undefined` if a half is empty. */
export function heldOutCheck({ fitted, heldOut }: Halves, formula: CountingFormula): HeldOutCheck | undefined {
  if (fitted.length === 0 || heldOut.length === 0) return undefined;
  const best = fit(fitted, formula);
  return {
    formula: best,
    fitted: countingErrors(heldOut, () => best),
    shipped: countingErrors(heldOut, () => formula),
  };
}

/**
 * The ratio and tokens per request with the smallest median error, then the smallest mean error, then the ratio closest
 * to 1, since short requests say little about it.
 */
export function fit(recordings: readonly CountedRecording[], formula: CountingFormula): CountingFormula {
  let best = { formula, median: Infinity, mean: Infinity };
  for (const ratio of RATIOS) {
    for (let perRequestTokens = 0; perRequestTokens <= MOST_PER_REQUEST; perRequestTokens++) {
      const tried = { ...formula, ratio, perRequestTokens };
      const errors = recordings.map((recording) => shareOff(recording, tried)).sort((one, other) => one - other);
      const median = errors[Math.floor((errors.length - 1) / 2)] ?? Infinity;
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
      if (median < best.median || (median === best.median && mean < best.mean)) best = { formula: tried, median, mean };
    }
  }
  return best.formula;
}

const MOST_PER_REQUEST = 250;
/** From 0.6 to 2 in hundredths, closest to 1 first. */
const RATIOS = Array.from({ length: 141 }, (_, index) => (60 + index) / 100).sort(
  (one, other) => Math.abs(one - 1) - Math.abs(other - 1),
);

function shareOff(
  { tokens, request }: CountedRecording,
  { ratio, perMessageTokens, perRequestTokens }: CountingFormula,
): number {
  let predicted = perRequestTokens;
  for (const count of tokens) predicted += Math.round(count * ratio) + perMessageTokens;
  return Math.abs(predicted - request.input_tokens) / request.input_tokens;
}

/** A stable hash that is true for half of all names. */
function isOdd(name: string): boolean {
  let hash = 7;
  for (let index = 0; index < name.length; index++) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) >>> 0;
  return (hash >>> 7) % 2 === 1;
}
