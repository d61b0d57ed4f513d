/** Preserved messages are sent unchanged or, if the request would not fit, with the largest tool results truncated. */

import type { RequestPart } from "../../errors.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import { messageNumber, type MessageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import { isToolResult, SHORTEST_NOTE_TOKENS, RESULT_FRAME_TOKENS } from "../request/excerpts.ts";
import type { TokenCosts } from "../tokenCosts.ts";
import type { ContextSegment } from "./workingContext.ts";

/** `tokensOf`: cost of each truncated message, framing included. */
export interface PlannedExcerpts {
  readonly tokensOf: ReadonlyMap<MessageId, number>;
  readonly savedTokens: number;
}

/** Truncates tool results of `entries`, largest first, until `excessTokens` are saved or all are truncated. */
export function planExcerpts(
  entries: readonly HistoryEntry[],
  costs: TokenCosts,
  need: { readonly excessTokens: number; readonly budgetTokens: number },
): PlannedExcerpts {
  const candidates = entries
    .filter(isToolResult)
    .map((entry) => ({ entry, whole: costs.ofEntry(entry) }))
    .sort((one, other) => other.whole - one.whole || one.entry.id - other.entry.id);
  const calls = new Map(entries.map((entry) => [entry.id, entry]));
  const tokensOf = new Map<MessageId, number>();
  let savedTokens = 0;
  for (const { entry, whole } of candidates) {
    if (savedTokens >= need.excessTokens) break;
    const { budgetTokens } = need;
    const tokens = costs.withFraming(excerptTokens(entry, calls.get(entry.batch ?? entry.id), { costs, budgetTokens }));
    if (tokens >= whole) continue;
    tokensOf.set(entry.id, tokens);
    savedTokens += whole - tokens;
  }
  return { tokensOf, savedTokens };
}

/**
 * Content of an excerpt: a sixteenth of the budget, so that a few of them leave room for the rest; more if a message
 * has so many results that a note for each would not fit. If their number is not known, as much as `calls` take: there
 * are no more results than calls, and each call takes as much as what surrounds its result.
 */
function excerptTokens(
  { partCount }: HistoryEntry,
  calls: HistoryEntry | undefined,
  { costs, budgetTokens }: { readonly costs: TokenCosts; readonly budgetTokens: number },
): number {
  const { encoding, ratio } = costs.formula;
  const usual = Math.max(128, Math.min(8_192, Math.floor(budgetTokens / 16)));
  const around = partCount === undefined ? undefined : partCount * (RESULT_FRAME_TOKENS + SHORTEST_NOTE_TOKENS);
  return Math.max(usual, Math.ceil((around ?? calls?.tokens[encoding] ?? Infinity) * ratio));
}

export function segmentOf(entry: HistoryEntry, { tokensOf }: PlannedExcerpts, costs: TokenCosts): ContextSegment {
  const { id } = entry;
  const tokens = tokensOf.get(id);
  if (tokens === undefined) return { kind: "original", id, tokens: costs.ofEntry(entry) };
  return { kind: "excerpt", id, tokens, contentTokens: tokens - costs.withFraming(0) };
}

/** For the error of a request that does not fit. */
export function partsOf(
  entries: readonly HistoryEntry[],
  { tokensOf }: PlannedExcerpts,
  { history, costs }: { readonly history: FullHistory; readonly costs: TokenCosts },
): readonly RequestPart[] {
  return entries.map((entry) => {
    const { id } = entry;
    const kind = history.pins.has(id) ? "pinned" : "message";
    return { kind, label: `message ${messageNumber(id)}`, tokens: tokensOf.get(id) ?? costs.ofEntry(entry) };
  });
}
