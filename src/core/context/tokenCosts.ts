/** Token costs in one model's counting, framing included, always whole tokens. */

import type { RecentMessagesTooLarge, RequestPart } from "../errors.ts";
import type { ModelId } from "../ids.ts";
import type { HistoryEntry, RecalledPassage, TokenCounts } from "../message.ts";
import { countingFormula, tokensOf, type CountingFormula } from "../tokens/countingFormula.ts";
import { isToolResult } from "./request/excerpts.ts";
import type { RequestOverhead } from "./request/requestOverhead.ts";

/** First line of every summary that is sent. */
export const SUMMARY_HEADER = "[Earlier conversation summary]";

/**
 * Tokens around a summary's content: its header (5 in both encodings, one more where it merges with what follows), and
 * the words by which an adapter without system messages frames it as a record (16).
 */
const SUMMARY_FRAME: TokenCounts = { cl100k: 24, o200k: 24 };

/** Tokens of an attachment of recalled passages besides them: its marks and its label. */
const RECALLED_FRAME: TokenCounts = { cl100k: 40, o200k: 40 };

/** Smallest content that a summary gets room for: fewer tokens tell nothing. Spec §5. */
export const SMALLEST_SUMMARY_TOKENS = 64;

type CountedEntry = Pick<HistoryEntry, "id" | "batch" | "partCount">;

export class TokenCosts {
  readonly formula: CountingFormula;
  /** Cost of a summary without its content. */
  readonly summaryFrame: number;

  constructor(model: ModelId) {
    this.formula = countingFormula(model);
    this.summaryFrame = tokensOf(SUMMARY_FRAME, this.formula);
  }

  get smallestSummary(): number {
    return this.summaryFrame + SMALLEST_SUMMARY_TOKENS;
  }

  ofMessage(counts: TokenCounts): number {
    return tokensOf(counts, this.formula);
  }

  /** Cost in the form that is sent. */
  ofEntry(entry: CountedEntry & Pick<HistoryEntry, "tokens" | "sentTokens">): number {
    const { tokens, sentTokens = tokens } = entry;
    const content = Math.round(sentTokens[this.formula.encoding] * this.ratioOf(entry));
    return Math.max(1, content + this.framingOf(entry));
  }

  /** Billed tokens of a counted one. */
  ratioOf(entry: CountedEntry): number {
    return (isToolResult(entry) ? this.formula.results?.ratio : undefined) ?? this.formula.ratio;
  }

  /** Cost of a message besides its content. */
  framingOf(entry: CountedEntry): number {
    const { results, perMessageTokens } = this.formula;
    if (results === undefined || !isToolResult(entry)) return perMessageTokens;
    return perMessageTokens + results.perResultTokens * (entry.partCount ?? 1);
  }

  /** Includes header and frame. */
  ofSummary({ cl100k, o200k }: TokenCounts): number {
    return tokensOf({ cl100k: cl100k + SUMMARY_FRAME.cl100k, o200k: o200k + SUMMARY_FRAME.o200k }, this.formula);
  }

  /** Cost of recalled passages beside a question, their frame included. */
  ofRecalled(passages: readonly Pick<RecalledPassage, "tokens">[]): number {
    const { encoding, ratio } = this.formula;
    const tokens = passages.reduce((sum, passage) => sum + passage.tokens[encoding], RECALLED_FRAME[encoding]);
    return Math.ceil(tokens * ratio);
  }

  /** Largest counts of a summary's text with which its content costs at most `modelTokens`. */
  summaryTextWithin(modelTokens: number): TokenCounts {
    let most = Math.max(0, Math.ceil(modelTokens / this.formula.ratio));
    const costOf = (tokens: number): number => this.ofSummary({ cl100k: tokens, o200k: tokens }) - this.summaryFrame;
    while (most > 0 && costOf(most) > modelTokens) most--;
    return { cl100k: Infinity, o200k: Infinity, [this.formula.encoding]: most };
  }

  /** Cost of a message with `contentTokens` of content. */
  withFraming(contentTokens: number): number {
    return contentTokens + this.formula.perMessageTokens;
  }

  /** Cost of every request before its first message, by part; parts without cost are omitted. */
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

export function sumOfParts(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The error if what is always sent does not fit by itself; its parts are sorted, largest first. */
export function recentTooLargeError(
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
