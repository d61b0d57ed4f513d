/**
 * How a provider bills plain text of a model: the closest encoding, a factor, and framing.
 *
 * The figures come from a study of 572 recorded plain-text requests with the usage that their providers reported; `npm
 * run counting-errors` prints how well such constants hold for recordings that they were not fitted to. Those of calls and
 * results come from 845 requests of Claude 4.5 and 2,345 of Gemini in sessions with tools; `npm run bench -- counting
 * --data DIR` prints the growth from request to request as counted, by the growth that was reported. No formula
 * predicts the cost of tool definitions; it is learned from the first reply (`modelCalibration.ts`).
 */

import type { ModelId } from "../ids.ts";
import type { TokenCounts } from "../message.ts";

export interface CountingFormula {
  readonly encoding: "cl100k" | "o200k";
  /** Tokens added per message, including its role; the system prompt is a message. */
  readonly perMessageTokens: number;
  /** Tokens added once per request. */
  readonly perRequestTokens: number;
  readonly ratio: number;
  /** Tool results, where they are billed otherwise: what surrounds a call and its result is added to the result. */
  readonly results?: { readonly ratio: number; readonly perResultTokens: number };
  /** `exact`: right to the token for at least 90 % of plain text requests; anything else is an `estimate`. */
  readonly quality: "exact" | "estimate";
}

/**
 * Formula of a model's family by its name, ignoring a vendor prefix such as `anthropic/`. An unknown family gets the
 * general estimate: cl100k and 4 tokens per message.
 */
export function countingFormula(model: ModelId): CountingFormula {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const claude = CLAUDE.exec(name);
  if (claude !== null) return claudeFormula(claude[1], claude[2]);
  return FAMILIES.find(({ pattern }) => pattern.test(name))?.formula ?? GENERAL;
}

/** Tokens of one message in a request: its content times the ratio, rounded, plus per-message framing. */
export function tokensOf(counts: TokenCounts, formula: CountingFormula): number {
  return Math.round(counts[formula.encoding] * formula.ratio) + formula.perMessageTokens;
}

const GENERAL = estimate("cl100k", 1);

const FAMILIES: readonly { readonly pattern: RegExp; readonly formula: CountingFormula }[] = [
  { pattern: family("gpt-4o|gpt-4[.]1|gpt-4[.]5|chatgpt-4o"), formula: openAi("o200k", 3, "exact") },
  { pattern: family("gpt-3[.]5|gpt-35|gpt-4"), formula: openAi("cl100k", 3, "exact") },
  { pattern: family("gpt-5|o[1-9]"), formula: openAi("o200k", 2, "exact") },
  // The chat template opens with instructions of some 63 tokens: the same in 8 of 9 requests, at five hosts.
  { pattern: family("gpt-oss"), formula: openAi("o200k", 63, "estimate") },
  // Newer than the recorded requests: the newest known constants are the most likely, but unverified.
  { pattern: family("gpt-[6-9]|gpt-\\d\\d"), formula: openAi("o200k", 2, "estimate") },
  // No framing per message: 0 to 2 tokens in 20 of the 22 shortest requests. A call with its result has 2 to 3 tokens of
  // framing, of 21 to 23 counted.
  { pattern: family("gemini-2"), formula: gemini(1, { ratio: 1.1, perResultTokens: -18 }) },
  { pattern: family("gemini"), formula: gemini(1.06, { ratio: 1.22, perResultTokens: -19 }) },
  { pattern: family("deepseek"), formula: estimate("cl100k", 1.01) },
  { pattern: family("nova"), formula: estimate("cl100k", 0.99) },
  { pattern: family("llama\\d*"), formula: estimate("cl100k", 1.01) },
  { pattern: family("(?:mi[sx]tral|ministral|codestral|devstral|magistral)"), formula: estimate("cl100k", 1.09) },
  // By a server's bills of text without framing: English 0.95, JSON 1.15, code 1.27, German 1.37, Chinese 1.45. Its
  // template puts two marks, a role and two line ends around a message, and begins the answer.
  {
    pattern: family("smollm\\d*"),
    formula: { ...estimate("cl100k", 1.13), perMessageTokens: 5, perRequestTokens: 3 },
  },
  { pattern: family("grok"), formula: estimate("cl100k", 0.93) },
];

/** `claude-opus-4-7`, `claude-3-5-sonnet-…`, `claude-2.1`; a date after the version is not a minor version. */
const CLAUDE = /(?:^|[^a-z])claude(?:-[a-z]+(?![a-z0-9]))*(?:-v?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?)?/;

const FIRST_OF_NEW_CLAUDE = 4.07;

function claudeFormula(major: string | undefined, minor: string | undefined): CountingFormula {
  // Ordered by major, then minor, as 4.07 < 4.10. A name without a version counts as the newest.
  const version = major === undefined ? Infinity : Number(major) + Number(minor ?? 0) / 100;
  // A call with its result has some 66 tokens of framing, of 26 counted. Of newer ones no results were recorded.
  const figures =
    version < FIRST_OF_NEW_CLAUDE
      ? { ratio: 1.13, perRequestTokens: 6, results: { ratio: 1.24, perResultTokens: 40 } }
      : { ratio: 1.4, perRequestTokens: 7, results: { ratio: 1.4, perResultTokens: 40 } };
  return { encoding: "cl100k", perMessageTokens: 1, quality: "estimate", ...figures };
}

function openAi(
  encoding: "cl100k" | "o200k",
  perRequestTokens: number,
  quality: "exact" | "estimate",
): CountingFormula {
  return { encoding, perMessageTokens: 4, perRequestTokens, ratio: 1, quality };
}

function gemini(ratio: number, results: NonNullable<CountingFormula["results"]>): CountingFormula {
  return { ...estimate("cl100k", ratio), perMessageTokens: 0, results };
}

function estimate(encoding: "cl100k" | "o200k", ratio: number): CountingFormula {
  return { encoding, perMessageTokens: 4, perRequestTokens: 0, ratio, quality: "estimate" };
}

/** Matches the names at the start of a model's name or after a separator, not as part of a longer word. */
function family(names: string): RegExp {
  return new RegExp(`(?:^|[^a-z0-9])(?:${names})(?![a-z0-9])`);
}
