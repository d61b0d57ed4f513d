/** Recorded plain text requests, with what their providers billed. */

import { modelId } from "../../src/core/ids.ts";
import { countingFormula, tokensOf, type CountingFormula } from "../../src/core/tokens/countingFormula.ts";
import type { TokenCounter } from "../../src/core/tokens/tokenCounter.ts";

/** A line of the file of recordings. */
export interface RecordedRequest {
  /** The recording that it comes from, and behind a `#` its number there. */
  readonly source: string;
  readonly model: string;
  readonly family: string;
  readonly host: string;
  readonly system: unknown;
  readonly messages: readonly unknown[];
  readonly input_tokens: number;
}

/** A request as it is counted here. */
export interface CountedRecording {
  readonly request: RecordedRequest;
  readonly formula: CountingFormula;
  /** Tokens of each message in the formula's encoding, the instructions being one. */
  readonly tokens: readonly number[];
}

/** Counts a request by the encoding of its family. */
export function countRecording(request: RecordedRequest, counter: TokenCounter): CountedRecording {
  const { model, family, system, messages } = request;
  // A model's name may be that of a deployment; its family is known from who answered, where it is one.
  const formula = countingFormula(modelId(/^(other:|o-series)/.test(family) ? model : family));
  const sent = [...(textsIn(system).length === 0 ? [] : [system]), ...messages].map(textsIn);
  const tokens = sent.map((texts) => texts.reduce((sum, text) => sum + counter.countText(text, formula.encoding), 0));
  return { request, formula, tokens };
}

/** What a formula says that a request will be billed. */
export function predictedTokens({ tokens }: CountedRecording, formula: CountingFormula): number {
  return tokens.reduce(
    (sum, count) => sum + tokensOf({ cl100k: count, o200k: count }, formula),
    formula.perRequestTokens,
  );
}

/** How far predictions are from the bills. */
export interface CountingErrors {
  readonly count: number;
  readonly exact: number;
  /** Shares of what was billed. */
  readonly median: number;
  readonly p90: number;
}

/** The errors of `formulaOf` on `recordings`. */
export function countingErrors(
  recordings: readonly CountedRecording[],
  formulaOf: (recording: CountedRecording) => CountingFormula = ({ formula }) => formula,
): CountingErrors {
  const errors = recordings.map((recording) => {
    const billed = recording.request.input_tokens;
    return Math.abs(predictedTokens(recording, formulaOf(recording)) - billed) / billed;
  });
  const sorted = errors.toSorted((one, other) => one - other);
  const at = (rank: number): number => sorted[Math.floor((sorted.length - 1) * rank)] ?? Number.NaN;
  return { count: errors.length, exact: errors.filter((error) => error === 0).length, median: at(0.5), p90: at(0.9) };
}

/** All text of a message or of instructions, whatever the shape of the API. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  const own = "text" in value && typeof value.text === "string" ? [value.text] : [];
  return [
    ...own,
    ...("content" in value ? textsIn(value.content) : []),
    ...("parts" in value ? textsIn(value.parts) : []),
  ];
}
