/**
 * Preserved messages are sent unchanged or, if the request would not fit, as excerpts: tool results first, then answers,
 * calls, and what the user wrote or pasted, each the largest first; the newest message of the user last. Spec §4.1.
 * Tool results are shortened, too, where they leave no room for what was said before.
 */

import type { RequestPart } from "../../errors.ts";
import type { FullHistory } from "../../history/fullHistory.ts";
import { messageNumber, type MessageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import {
  isToolResult,
  PART_FRAME_TOKENS,
  SHORTEST_CALL_TOKENS,
  SHORTEST_EXCERPT_TOKENS,
  SHORTEST_NOTE_TOKENS,
} from "../request/excerpts.ts";
import type { TokenCosts } from "../tokenCosts.ts";
import type { ContextSegment } from "./workingContext.ts";

/** `tokensOf`: cost of each message sent as an excerpt, framing included. */
export interface PlannedExcerpts {
  readonly tokensOf: ReadonlyMap<MessageId, number>;
  readonly savedTokens: number;
}

interface Candidate {
  readonly entry: HistoryEntry;
  readonly whole: number;
  /** Cost of the shortest excerpt. */
  readonly least: number;
  readonly rank: number;
}

/**
 * Shortens `entries` until `excessTokens` are saved or nothing more can be: each to the usual size of an excerpt, then,
 * where that is not enough, as far as necessary.
 */
export function planExcerpts(
  entries: readonly HistoryEntry[],
  costs: TokenCosts,
  need: {
    readonly excessTokens: number;
    /** The same with a story that is more than a line: worth shortening what a tool can read again, and nothing else. */
    readonly excessWithStoryTokens?: number;
    readonly budgetTokens: number;
  },
): PlannedExcerpts {
  const tokensOf = new Map<MessageId, number>();
  const { excessTokens, excessWithStoryTokens = excessTokens } = need;
  if (Math.max(excessTokens, excessWithStoryTokens) <= 0) return { tokensOf, savedTokens: 0 };
  let saved = 0;
  const tokensNow = ({ entry, whole }: Candidate): number => tokensOf.get(entry.id) ?? whole;
  const shorten = (each: Candidate, tokens: number, excess: number): void => {
    const now = tokensNow(each);
    const shortened = Math.max(tokens, each.least);
    if (saved >= excess || shortened >= now) return;
    tokensOf.set(each.entry.id, shortened);
    saved += now - shortened;
  };
  const ordered = candidatesIn(entries, costs);
  const usual = usualTokens(need.budgetTokens);
  const newest = ordered.find(({ rank }) => rank === NEWEST_RANK);
  const others = ordered.filter((each) => each !== newest);
  const usualOf = ({ entry }: Candidate): number => usual + costs.framingOf(entry);
  for (const each of others) shorten(each, usualOf(each), excessTokens);
  for (const each of others) shorten(each, tokensNow(each) - (excessTokens - saved), excessTokens);
  if (newest !== undefined) shorten(newest, newest.whole - (excessTokens - saved), excessTokens);
  for (const each of others.filter(({ entry }) => isToolResult(entry))) {
    shorten(each, Math.max(usualOf(each), tokensNow(each) - (excessWithStoryTokens - saved)), excessWithStoryTokens);
  }
  return { tokensOf, savedTokens: saved };
}

/** A sixteenth of the budget: a few of them leave room for the rest. */
function usualTokens(budgetTokens: number): number {
  return Math.max(128, Math.min(8_192, Math.floor(budgetTokens / 16)));
}

/** In the order in which they are shortened. */
function candidatesIn(entries: readonly HistoryEntry[], costs: TokenCosts): readonly Candidate[] {
  const newest = entries.findLast((entry) => entry.role === "user" && !isToolResult(entry))?.id;
  const calls = new Map(entries.map((entry) => [entry.id, entry]));
  const results = new Map<MessageId, number>();
  for (const { batch, id, partCount = Infinity } of entries) {
    if (batch !== undefined && batch !== id) results.set(batch, (results.get(batch) ?? 0) + partCount);
  }
  const leastOf = (entry: HistoryEntry): number => {
    if (isToolResult(entry)) return leastOfResults(entry, calls.get(entry.batch ?? entry.id), costs);
    const callCount = entry.batch === undefined ? 0 : (results.get(entry.id) ?? Infinity);
    return SHORTEST_EXCERPT_TOKENS + callCount * SHORTEST_CALL_TOKENS;
  };
  return entries
    .map((entry) => ({
      entry,
      whole: costs.ofEntry(entry),
      least: Math.ceil(leastOf(entry) * costs.ratioOf(entry)) + costs.framingOf(entry),
      rank: entry.id === newest ? NEWEST_RANK : rankOf(entry),
    }))
    .sort((one, other) => one.rank - other.rank || other.whole - one.whole || one.entry.id - other.entry.id);
}

const NEWEST_RANK = 4;

function rankOf(entry: HistoryEntry): number {
  if (isToolResult(entry)) return 0;
  if (entry.role !== "assistant") return 3;
  return entry.batch === undefined ? 1 : 2;
}

/**
 * A note for each result. If their number is not known, as much as `calls` take: there are no more results than calls,
 * and each call takes as much as what surrounds its result.
 */
function leastOfResults({ partCount }: HistoryEntry, calls: HistoryEntry | undefined, costs: TokenCosts): number {
  if (partCount !== undefined) return partCount * (PART_FRAME_TOKENS + SHORTEST_NOTE_TOKENS);
  return calls?.tokens[costs.formula.encoding] ?? Infinity;
}

export function segmentOf(entry: HistoryEntry, { tokensOf }: PlannedExcerpts, costs: TokenCosts): ContextSegment {
  const { id } = entry;
  const tokens = tokensOf.get(id);
  if (tokens === undefined) return { kind: "original", id, tokens: costs.ofEntry(entry) };
  return { kind: "excerpt", id, tokens, contentTokens: tokens - costs.framingOf(entry) };
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
