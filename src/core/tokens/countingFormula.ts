/**
 * How a model's provider bills plain text: which encoding comes closest, by what factor, and what framing is added.
 *
 * The figures come from a study of 572 recorded plain-text requests with the usage that their providers reported; how far
 * such constants hold for recordings that they were not fitted to is printed by `npm run counting-errors`. Tool definitions
 * cannot be predicted by any formula; what they are billed is learned from the first reply (`modelCalibration.ts`).
 */

import type { ModelId } from "../ids.ts";
import type { TokenCounts } from "../message.ts";

/** What turns the tokens of a text into the tokens that a model's provider bills for it. */
export interface CountingFormula {
  /** The encoding whose count is taken. */
  readonly encoding: "cl100k" | "o200k";
  /** Tokens that the provider adds for each message, its role included; the system prompt is a message. */
  readonly perMessageTokens: number;
  /** Tokens that the provider adds once for each request. */
  readonly perRequestTokens: number;
  /** Billed tokens for each token of the encoding. */
  readonly ratio: number;
  /** `exact`: right to the token for at least 90 % of plain text requests; everything else is an `estimate`. */
  readonly quality: "exact" | "estimate";
}

/**
 * The formula of a model's family, told from its name; a vendor part such as `anthropic/` does not matter. A name that no
 * family claims gets the general estimate: cl100k and 4 tokens a message.
 */
export function countingFormula(model: ModelId): CountingFormula {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const claude = CLAUDE.exec(name);
  if (claude !== null) return claudeFormula(claude[1], claude[2]);
  return FAMILIES.find(({ pattern }) => pattern.test(name))?.formula ?? GENERAL;
}

/** Tokens that one message takes in a request: its content times the ratio, rounded, and the framing of one message. */
export function tokensOf(counts: TokenCounts, formula: CountingFormula): number {
  return Math.round(counts[formula.encoding] * formula.ratio) + formula.perMessageTokens;
}

const GENERAL = estimate("cl100k", 1);

const FAMILIES: readonly { readonly pattern: RegExp; readonly formula: CountingFormula }[] = [
  { pattern: family("gpt-4o|gpt-4[.]1|gpt-4[.]5|chatgpt-4o"), formula: openAi("o200k", 3, "exact") },
  { pattern: family("gpt-3[.]5|gpt-35|gpt-4"), formula: openAi("cl100k", 3, "exact") },
  { pattern: family("gpt-5|o[1-9]"), formula: openAi("o200k", 2, "exact") },
  // Its chat template opens with instructions of some 63 tokens: the same in 8 of 9 requests, at five hosts.
  { pattern: family("gpt-oss"), formula: openAi("o200k", 63, "estimate") },
  // Later than the recorded requests: the newest known constants are the likeliest, and no one has checked them.
  { pattern: family("gpt-[6-9]|gpt-\\d\\d"), formula: openAi("o200k", 2, "estimate") },
  // Prose 1.02, Markdown 1.15, TypeScript 1.17, JSON 1.2 to 1.5: the middle of what a coding conversation holds.
  // Nothing is added for a message: 0 to 2 tokens in 20 of the 22 shortest requests.
  { pattern: family("gemini"), formula: { ...estimate("cl100k", 1.15), perMessageTokens: 0 } },
  { pattern: family("deepseek"), formula: estimate("cl100k", 1.01) },
  { pattern: family("nova"), formula: estimate("cl100k", 0.99) },
  { pattern: family("llama\\d*"), formula: estimate("cl100k", 1.01) },
  { pattern: family("(?:mi[sx]tral|ministral|codestral|devstral|magistral)"), formula: estimate("cl100k", 1.09) },
  { pattern: family("grok"), formula: estimate("cl100k", 0.93) },
];

/** `claude-opus-4-7`, `claude-3-5-sonnet-…`, `claude-2.1`; a date behind the version is no minor version. */
const CLAUDE = /(?:^|[^a-z])claude(?:-[a-z]+(?![a-z0-9]))*(?:-v?(\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?)?/;

const FIRST_OF_NEW_CLAUDE = 4.07;

function claudeFormula(major: string | undefined, minor: string | undefined): CountingFormula {
  // Ordered by major, then minor, as 4.07 < 4.10. A name without a version is taken for the newest.
  const version = major === undefined ? Infinity : Number(major) + Number(minor ?? 0) / 100;
  const figures =
    version < FIRST_OF_NEW_CLAUDE ? { ratio: 1.09, perRequestTokens: 6 } : { ratio: 1.4, perRequestTokens: 7 };
  return { encoding: "cl100k", perMessageTokens: 1, quality: "estimate", ...figures };
}

function openAi(
  encoding: "cl100k" | "o200k",
  perRequestTokens: number,
  quality: "exact" | "estimate",
): CountingFormula {
  return { encoding, perMessageTokens: 4, perRequestTokens, ratio: 1, quality };
}

function estimate(encoding: "cl100k" | "o200k", ratio: number): CountingFormula {
  return { encoding, perMessageTokens: 4, perRequestTokens: 0, ratio, quality: "estimate" };
}

/** The names given, at the start of a model's name or behind a separator, and not as a part of a longer word. */
function family(names: string): RegExp {
  return new RegExp(`(?:^|[^a-z0-9])(?:${names})(?![a-z0-9])`);
}
