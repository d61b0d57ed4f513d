/** The user's own words, and which of them a summary keeps whatever else it says. */

import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import type { Fact, FactKind } from "./fact.ts";
import { type Candidate, isOfUser, LedgerRoom } from "./ledgerRoom.ts";
import { rankedRemarks } from "./userStatements.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";

/** The most tokens that directives may take beside the target; what is beyond gets a share of the ledger. */
export const DIRECTIVE_ALLOWANCE_TOKENS = 400;
/** What else the user said gets what directives leave of their allowance, up to this share of the target. */
const LARGEST_SHARE_OF_ALLOWANCE = 0.5;

/**
 * What directives may take beside the target of a summary that stands for so many tokens: where a window is small, the same
 * orders under each of its summaries would fill it, so no more than a fifth; at most 400, at least 64.
 */
export function directiveAllowance(sourceTokens: number): number {
  return Math.min(DIRECTIVE_ALLOWANCE_TOKENS, Math.max(SMALLEST_ALLOWANCE_TOKENS, Math.floor(sourceTokens / 5)));
}

const SMALLEST_ALLOWANCE_TOKENS = 64;

/** The user's words, the ones that get room first in front. */
export interface OwnWords {
  readonly directives: readonly Candidate[];
  readonly remarks: readonly Candidate[];
  /** Those that their allowance has room for: directives, the newest first, and then what else was said. */
  readonly allowed: readonly Fact[];
}

/**
 * The user's words among `facts`, and which of them their allowance has room for, whether notes state them or not: only what
 * stands in the ledger is known for the user's when the next summary is made over this one. So at every level the newest
 * that the allowance has room for are kept.
 */
export function* chooseOwnWords(
  { facts, targetTokens, allowanceTokens }: OwnWordsRequest,
  counter: TokenCounter,
): CooperativeTask<OwnWords> {
  const slice = new Slice(FACTS_A_SLICE);
  const own: Candidate[] = [];
  for (const fact of facts) {
    if (slice.isOver(1)) yield;
    if (isOfUser(fact)) own.push({ fact, tokens: counter.countText(fact.text, "cl100k") });
  }
  const newestOf = (wanted: FactKind): readonly Candidate[] =>
    withoutRepetitions(
      own.filter(({ fact }) => fact.kind === wanted).sort((a, b) => b.fact.lastStated - a.fact.lastStated),
    );
  const directives = newestOf("directive");
  const remarks = yield* rankedRemarks(newestOf("remark"));
  const ledger = new LedgerRoom();
  const early = yield* ledger.take(directives, allowanceTokens);
  const freeTokens = Math.min(early.leftTokens, Math.floor(targetTokens * LARGEST_SHARE_OF_ALLOWANCE));
  const said = yield* ledger.take(remarks, freeTokens);
  return { directives, remarks, allowed: [...early.taken, ...said.taken].map(({ fact }) => fact) };
}

/** What the user's words are chosen for. */
export interface OwnWordsRequest {
  readonly facts: readonly Fact[];
  readonly targetTokens: number;
  /** What directives may take beside the target. */
  readonly allowanceTokens: number;
}

/** Without what says in other letters or marks what a newer one says; `candidates` are the newest first. */
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
