/** Recorded plain text requests, with the tokens that their providers billed. */

import { modelId } from "../../src/core/ids.ts";
import { countingFormula, tokensOf, type CountingFormula } from "../../src/core/tokens/countingFormula.ts";
import type { TokenCounter } from "../../src/core/tokens/tokenCounter.ts";

/** One line of the recordings file. */
export interface RecordedRequest {
  /** Name of the recording, `#`, and the request's number in it. */
  readonly source: string;
  readonly model: string;
  readonly family: string;
  readonly host: string;
  readonly system: unknown;
  readonly messages: readonly unknown[];
  readonly input_tokens: number;
}

export interface CountedRecording {
  readonly request: RecordedRequest;
  readonly formula: CountingFormula;
  /** Tokens of each message in the formula's encoding; the instructions count as a message. */
  readonly tokens: readonly number[];
}

/** Counts a request in the encoding of its family. */
export function countRecording(request: RecordedRequest, counter: TokenCounter): CountedRecording {
  const { model, family, system, messages } = request;
  // The model may be the name of a deployment; the family comes from the response, if it is a known one.
  const formula = countingFormula(modelId(/^(other:|o-series)/.test(family) ? model : family));
  const sent = [...(textsIn(system).length === 0 ? [] : [system]), ...messages].map(textsIn);
  const tokens = sent.map((texts) => texts.reduce((sum, text) => sum + counter.countText(text, formula.encoding), 0));
  return { request, formula, tokens };
}

/** Billed tokens as predicted by a formula. */
export function predictedTokens({ tokens }: CountedRecording, formula: CountingFormula): number {
  return tokens.reduce(
    (sum, count) => sum + tokensOf({ cl100k: count, o200k: count }, formula),
    formula.perRequestTokens,
  );
}

/** Relative errors of predictions. */
export interface CountingErrors {
  readonly count: number;
  readonly exact: number;
  /** As shares of the billed tokens. */
  readonly median: number;
  readonly p90: number;
}

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

/** All texts of a message or of instructions, in the shape of any API. */
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
