/** The user's own words, and which of them a summary retains verbatim whatever its notes say. */

import { wordFactsOf } from "./words.ts";
import { isAccount, isQuestion } from "./directives.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import type { Fact, FactKind } from "./fact.ts";
import { type Candidate, isUserFact, LedgerRoom } from "./ledgerRoom.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";

/** Directives may take at most this many tokens in addition to the target; the rest compete for the ledger. */
export const DIRECTIVE_ALLOWANCE_TOKENS = 400;
/** Other statements get what directives leave of their allowance, up to this share of the target. */
const LARGEST_SHARE_OF_ALLOWANCE = 0.5;

/**
 * Directive allowance for a summary of `sourceTokens`: a fifth, at least 64, at most 400. In a small window, the same
 * directives under each summary would otherwise fill it.
 */
export function directiveAllowance(sourceTokens: number): number {
  return Math.min(DIRECTIVE_ALLOWANCE_TOKENS, Math.max(SMALLEST_ALLOWANCE_TOKENS, Math.floor(sourceTokens / 5)));
}

const SMALLEST_ALLOWANCE_TOKENS = 64;

/** First to get room first. */
export interface UserVerbatim {
  readonly directives: readonly Candidate[];
  readonly remarks: readonly Candidate[];
  /** Facts that fit the allowance: directives, newest first, then other statements. */
  readonly allowed: readonly Fact[];
}

/**
 * The user's words, even when the notes state them: the next summary over this one recognizes only the ledger as the
 * user's. So the newest that fit are retained at every level.
 */
export function* selectUserVerbatim(
  { facts, targetTokens, allowanceTokens }: UserVerbatimRequest,
  counter: TokenCounter,
): CooperativeTask<UserVerbatim> {
  const slice = new Slice(FACTS_A_SLICE);
  const own: Candidate[] = [];
  for (const fact of facts) {
    if (slice.isOver(1)) yield;
    if (isUserFact(fact)) own.push({ fact, tokens: counter.countText(fact.text, "cl100k") });
  }
  const newestOf = (wanted: FactKind): readonly Candidate[] =>
    withoutRepetitions(
      own.filter(({ fact }) => fact.kind === wanted).sort((a, b) => b.fact.lastStated - a.fact.lastStated),
    );
  const directives = newestOf("directive");
  const remarks = yield* rankStatements(newestOf("remark"));
  const ledger = new LedgerRoom();
  const early = yield* ledger.take(directives, allowanceTokens);
  const freeTokens = Math.min(early.leftTokens, Math.floor(targetTokens * LARGEST_SHARE_OF_ALLOWANCE));
  const said = yield* ledger.take(remarks, freeTokens);
  return { directives, remarks, allowed: [...early.taken, ...said.taken].map(({ fact }) => fact) };
}

export interface UserVerbatimRequest {
  readonly facts: readonly Fact[];
  readonly targetTokens: number;
  readonly allowanceTokens: number;
}

/** Drops repetitions that differ only in case or punctuation. `candidates` are newest first. */
function withoutRepetitions<T extends Candidate>(candidates: readonly T[]): readonly T[] {
  const said = new Set<string>();
  return candidates.filter(({ fact: { text } }) => {
    const words = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    if (said.has(words)) return false;
    said.add(words);
    return true;
  });
}

const FACTS_A_SLICE = 100;

interface HasText {
  readonly fact: { readonly text: string };
}

/** Stable within a tier. */
export function* rankStatements<T extends HasText>(remarks: readonly T[]): CooperativeTask<readonly T[]> {
  const slice = new Slice(REMARKS_A_SLICE);
  const tiers = TIERS.map((): T[] => []);
  for (const remark of remarks) {
    tiers[TIERS.indexOf(tierOf(remark.fact.text))]?.push(remark);
    if (slice.isOver(1)) yield;
  }
  return tiers.flat();
}

const REMARKS_A_SLICE = 100;

/**
 * First to get room first. Statements that name a path or an address come last: that fact enters the ledger by itself.
 * Dates do not count as names, because they may set a deadline.
 */
const TIERS = ["plain", "naming", "account", "asking", "known"] as const;

function tierOf(text: string): (typeof TIERS)[number] {
  const kinds = wordFactsOf(text).flatMap(({ kind }) => (kind === "date" ? [] : [kind]));
  if (kinds.some((kind) => kind !== "identifier")) return "known";
  if (isQuestion(text)) return "asking";
  if (isAccount(text)) return kinds.length === 0 ? "account" : "known";
  return kinds.length === 0 ? "plain" : "naming";
}
