/** What things take of one model's budget: content by the model's own formula, framing included, always whole tokens. */

import type { RecentMessagesTooLarge, RequestPart } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import type { HistoryEntry, TokenCounts } from "../message.ts";
import { countingFormula, tokensOf, type CountingFormula } from "../tokens/countingFormula.ts";
import type { RequestOverhead } from "./request/requestOverhead.ts";

/** The first line of every summary that is sent. */
export const SUMMARY_HEADER = "[Earlier conversation summary]";

/**
 * Tokens around a summary's content: its header (5 in both encodings, one more where it merges with what follows), and the
 * words by which an adapter without system messages frames it as a record (16).
 */
const SUMMARY_FRAME: TokenCounts = { cl100k: 24, o200k: 24 };

/** The least content that a summary is given room for: fewer tokens can stand for no story. Spec §5. */
export const SMALLEST_SUMMARY_TOKENS = 64;

/** The costs of one model. */
export class TokenCosts {
  readonly formula: CountingFormula;
  /** Cost of a summary without its content. */
  readonly summaryFrame: number;

  constructor(model: ModelId) {
    this.formula = countingFormula(model);
    this.summaryFrame = tokensOf(SUMMARY_FRAME, this.formula);
  }

  /** Cost of the smallest summary in the request. */
  get smallestSummary(): number {
    return this.summaryFrame + SMALLEST_SUMMARY_TOKENS;
  }

  /** Cost of a message in the request. */
  ofMessage(counts: TokenCounts): number {
    return tokensOf(counts, this.formula);
  }

  /** Cost of a message of the history in the form in which it is sent. */
  ofEntry({ tokens, sentTokens = tokens }: Pick<HistoryEntry, "tokens" | "sentTokens">): number {
    return this.ofMessage(sentTokens);
  }

  /** Cost of a summary's content, its header and frame in the request. */
  ofSummary({ cl100k, o200k }: TokenCounts): number {
    return tokensOf({ cl100k: cl100k + SUMMARY_FRAME.cl100k, o200k: o200k + SUMMARY_FRAME.o200k }, this.formula);
  }

  /** The most that a summary's text may count, in both encodings, for its content to cost at most `modelTokens`. */
  summaryTextWithin(modelTokens: number): TokenCounts {
    let most = Math.max(0, Math.ceil(modelTokens / this.formula.ratio));
    const costOf = (tokens: number): number => this.ofSummary({ cl100k: tokens, o200k: tokens }) - this.summaryFrame;
    while (most > 0 && costOf(most) > modelTokens) most--;
    return { cl100k: Infinity, o200k: Infinity, [this.formula.encoding]: most };
  }

  /** Cost of a message of so many model tokens of content. */
  framed(contentTokens: number): number {
    return contentTokens + this.formula.perMessageTokens;
  }

  /** What every request costs before its first message, by part; parts of no cost are left out. */
  ofOverhead({ systemPrompt, systemTokens, tools, toolsTokens }: RequestOverhead): readonly RequestPart[] {
    const parts: RequestPart[] = [];
    if (systemPrompt !== "") {
      parts.push({ kind: "system", label: "instructions", tokens: this.ofMessage(systemTokens) });
    }
    if (tools.length > 0) {
      const label = tools.length === 1 ? "1 tool" : `${String(tools.length)} tools`;
      parts.push({ kind: "tools", label, tokens: this.ofMessage(toolsTokens) });
    }
    if (this.formula.perRequestTokens > 0) {
      parts.push({ kind: "priming", label: "start of the answer", tokens: this.formula.perRequestTokens });
    }
    return parts;
  }
}

/** What parts take together. */
export function sumOfParts(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The answer when what is always sent does not fit by itself; names what takes how much, largest first. */
export function recentTooLarge(
  budgetTokens: number,
  parts: readonly RequestPart[],
  messageCount: number,
): RecentMessagesTooLarge {
  return {
    code: "RECENT_TOO_LARGE",
    requiredTokens: sumOfParts(parts),
    budgetTokens,
    messageCount,
    parts: parts.toSorted((one, other) => other.tokens - one.tokens),
  };
}
