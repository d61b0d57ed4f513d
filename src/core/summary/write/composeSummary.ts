/** Selects what follows the notes of a summary: the user's own words, and facts that the notes do not state. */

import type { TokenCounts } from "../../message.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import type { Fact } from "../facts/fact.ts";
import { CheckedText } from "../facts/factCheck.ts";
import { writeLedger } from "../facts/ledger.ts";
import {
  type Candidate,
  isUserFact,
  LedgerRoom,
  TOKENS_OF_A_LINE,
  TOKENS_OF_A_SEPARATOR,
  WHOLE_LINE_KINDS,
} from "../facts/ledgerRoom.ts";
import type { UserVerbatim } from "../facts/userVerbatim.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";

/** Minimum share of the target for the ledger, even when the notes have used all of it. */
const SMALLEST_LEDGER_SHARE = 0.25;
/** Share of the ledger for directives beyond their allowance. */
const SHARE_OF_LATE_DIRECTIVES = 0.4;
/**
 * Share of the ledger for names in use, which are many; more where others leave room. A short summary has more need of
 * what was said.
 */
const SHARE_OF_NAMES = { least: 0.2, most: 0.55 };
/** Target from which on the share is the largest. */
const TARGET_OF_LARGEST_SHARE = 3_000;
/** Maximum share of the target for facts from repetitive data. */
const LARGEST_MENTIONED_SHARE = 0.15;

export interface LedgerRequest {
  readonly notes: string;
  readonly notesTokens: number;
  /** Most important first. */
  readonly facts: readonly Fact[];
  readonly targetTokens: number;
  readonly userVerbatim: UserVerbatim;
}

/**
 * Size limit for a summary of a source of these tokens: the source minus the framing of a summary in a request; half
 * for a tiny source. Smaller than the source from 2 tokens on.
 */
export function sizeLimit(source: TokenCounts): TokenCounts {
  const limitOf = (tokens: number): number => Math.max(Math.floor(tokens / 2), tokens - FRAME_TOKENS);
  return { cl100k: limitOf(source.cl100k), o200k: limitOf(source.o200k) };
}

/** Header and framing of a summary in a request, rounded up. */
const FRAME_TOKENS = 40;

/** Approximate size of a ledger of all facts that count, without directives: these have their own allowance. */
export function* tokensOfLedger(facts: readonly Fact[], counter: TokenCounter): CooperativeTask<number> {
  const slice = new Slice(FACTS_A_SLICE);
  let tokens = 0;
  for (const { kind, text, isCommonplace } of facts) {
    if (kind !== "directive" && kind !== "message" && (isCommonplace !== true || kind === "remark")) {
      tokens += counter.countText(text, "cl100k") + TOKENS_OF_A_SEPARATOR;
    }
    if (slice.isOver(1)) yield;
  }
  return tokens;
}

/**
 * Facts for the ledger below `notes`, most important first: the user's words within their allowance, further
 * directives, then facts by worth per token within the target, and the user's other statements in the rest. Write them
 * with {@link contentOf}; drop from the end when the result does not fit.
 */
export function* chooseFacts(
  { notes, facts, targetTokens, notesTokens, userVerbatim }: LedgerRequest,
  counter: TokenCounter,
): CooperativeTask<readonly Fact[]> {
  const inNotes = new CheckedText([notes, ...userVerbatim.allowed.map(({ text }) => text)].join("\n"));
  const others = yield* byWorth(facts, inNotes, counter);
  const ledgerTokens = Math.max(targetTokens - notesTokens, Math.floor(targetTokens * SMALLEST_LEDGER_SHARE));
  const { allowed, directives, remarks } = userVerbatim;
  const ledger = new LedgerRoom(allowed);
  const isAllowed = new Set(allowed);

  const lateTokens = Math.floor(ledgerTokens * SHARE_OF_LATE_DIRECTIVES);
  const late = yield* ledger.take(
    directives.filter(({ fact }) => !isAllowed.has(fact) && !inNotes.states(fact)),
    lateTokens,
  );
  const factTokens = ledgerTokens - lateTokens + late.leftTokens;
  const share = SHARE_OF_NAMES.most * Math.min(1, targetTokens / TARGET_OF_LARGEST_SHARE);
  const nameTokens = Math.floor(factTokens * Math.max(SHARE_OF_NAMES.least, share));
  const names = others.filter(({ fact }) => fact.isInUse === true);
  const used = yield* ledger.take(names, nameTokens);
  const moreRemarks = remarks.filter(({ fact }) => !isAllowed.has(fact));
  const told = yield* ledger.take(
    others.filter(({ fact }) => fact.isCommonplace !== true && fact.isInUse !== true),
    factTokens - nameTokens + used.leftTokens,
  );
  const said = yield* ledger.take(moreRemarks, told.leftTokens);
  const named = yield* withoutThoseIn(said.taken, told.taken);
  const isSaid = new Set(said.taken);
  const last = yield* ledger.take(
    moreRemarks.filter((remark) => !isSaid.has(remark)),
    said.leftTokens + tokensOf(told.taken) - tokensOf(named),
  );
  const isUsed = new Set(used.taken);
  const moreNames = yield* ledger.take(
    names.filter((name) => !isUsed.has(name)),
    last.leftTokens,
  );
  const mentioned = yield* ledger.take(
    others.filter(({ fact }) => fact.isCommonplace === true),
    Math.min(moreNames.leftTokens, Math.floor(targetTokens * LARGEST_MENTIONED_SHARE)),
  );
  const chosen = [
    ...late.taken,
    ...used.taken,
    ...named,
    ...said.taken,
    ...last.taken,
    ...moreNames.taken,
    ...mentioned.taken,
  ];
  return [...allowed, ...chosen.map(({ fact }) => fact)];
}

/** Facts that neither the notes state nor the user said, best worth per token first. */
function* byWorth(
  facts: readonly Fact[],
  inNotes: CheckedText,
  counter: TokenCounter,
): CooperativeTask<readonly Candidate[]> {
  const slice = new Slice(FACTS_A_SLICE);
  const rated: { readonly candidate: Candidate; readonly worth: number }[] = [];
  for (const fact of facts) {
    if (slice.isOver(1)) yield;
    if (isUserFact(fact) || inNotes.states(fact)) continue;
    const tokens = counter.countText(fact.text, "cl100k");
    rated.push({ candidate: { fact, tokens }, worth: fact.weight / Math.sqrt(tokens + TOKENS_OF_A_LINE) });
  }
  return rated.sort((a, b) => b.worth - a.worth).map(({ candidate }) => candidate);
}

/** Drops words that the sentences contain anyway. */
function* withoutThoseIn(
  sentences: readonly Candidate[],
  facts: readonly Candidate[],
): CooperativeTask<readonly Candidate[]> {
  if (sentences.length === 0) return facts;
  const text = sentences.map(({ fact }) => fact.text).join("\n");
  const said = new CheckedText(text);
  const slice = new Slice(UNITS_A_SLICE);
  const left: Candidate[] = [];
  for (const candidate of facts) {
    if (slice.isOver(text.length)) yield;
    if (WHOLE_LINE_KINDS.has(candidate.fact.kind) || !said.states(candidate.fact)) left.push(candidate);
  }
  return left;
}

/** Tokens of facts written as lists. */
function tokensOf(facts: readonly Candidate[]): number {
  return facts.reduce((sum, { tokens }) => sum + tokens + TOKENS_OF_A_SEPARATOR, 0);
}

/** Notes followed by the ledger, in which the user's words are in chronological order. */
export function contentOf(notes: string, chosen: readonly Fact[]): string {
  const said = chosen.filter(isUserFact).sort((a, b) => a.lastStated - b.lastStated);
  const ledger = writeLedger([...said, ...chosen.filter((fact) => !isUserFact(fact))]);
  return ledger === "" ? notes : `${notes}\n\n${ledger}`;
}

/** How many of the facts that count `content` states, of how many. */
export function* factsIn(
  content: string,
  facts: readonly Fact[],
): CooperativeTask<{ readonly kept: number; readonly total: number }> {
  const slice = new Slice(FACTS_A_SLICE);
  const text = new CheckedText(content);
  const counted = facts.filter(({ isCommonplace }) => isCommonplace !== true);
  let kept = 0;
  for (const fact of counted) {
    if (text.states(fact)) kept++;
    if (slice.isOver(1)) yield;
  }
  return { kept, total: counted.length };
}

const FACTS_A_SLICE = 100;
const UNITS_A_SLICE = 1_000_000;
