/**
 * What stands under the notes of a summary: the user's own words, and the ledger of the facts that the notes do not state,
 * within what the target leaves.
 */

import type { TokenCounts } from "../../message.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import type { Fact } from "../facts/fact.ts";
import { CheckedText } from "../facts/factCheck.ts";
import { writeLedger } from "../facts/ledger.ts";
import {
  type Candidate,
  isOfUser,
  LedgerRoom,
  TOKENS_OF_A_LINE,
  TOKENS_OF_A_SEPARATOR,
  WHOLE_LINES,
} from "../facts/ledgerRoom.ts";
import type { OwnWords } from "../facts/userVerbatim.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";

/** The ledger gets at least this share of the target, even when the notes have used all of it. */
const SMALLEST_LEDGER_SHARE = 0.25;
/** Directives beyond their allowance may take this share of the ledger. */
const SHARE_OF_LATE_DIRECTIVES = 0.4;
/** What stands in rows of data gets no more than this share of the target. */
const LARGEST_MENTIONED_SHARE = 0.15;

/** What a ledger is chosen for. */
export interface LedgerRequest {
  readonly notes: string;
  readonly notesTokens: number;
  /** Most important first. */
  readonly facts: readonly Fact[];
  readonly targetTokens: number;
  readonly ownWords: OwnWords;
}

/**
 * The largest that the summary of a source of these tokens may be: smaller than the source by what frames a summary in a
 * request, for a tiny source half of it. Less than the source from 2 tokens on.
 */
export function sizeLimit(source: TokenCounts): TokenCounts {
  const limitOf = (tokens: number): number => Math.max(Math.floor(tokens / 2), tokens - FRAME_TOKENS);
  return { cl100k: limitOf(source.cl100k), o200k: limitOf(source.o200k) };
}

/** Header and framing of a summary in a request, generously. */
const FRAME_TOKENS = 40;

/** About what a ledger of all facts that count would take, without the directives that have their own allowance. */
export function* tokensOfLedger(facts: readonly Fact[], counter: TokenCounter): CooperativeTask<number> {
  const slice = new Slice(FACTS_A_SLICE);
  let tokens = 0;
  for (const { kind, text, isCommonplace } of facts) {
    if (kind !== "directive" && (isCommonplace !== true || kind === "remark")) {
      tokens += counter.countText(text, "cl100k") + TOKENS_OF_A_SEPARATOR;
    }
    if (slice.isOver(1)) yield;
  }
  return tokens;
}

/**
 * The facts for the ledger under `notes`: the user's words within their allowance, then further directives, then what is worth
 * most for its tokens within the target, and in what that leaves the rest of the user's words. To be written by
 * {@link contentOf}; of what does not fit, the last ones are to be left out.
 */
export function* chooseFacts(
  { notes, facts, targetTokens, notesTokens, ownWords }: LedgerRequest,
  counter: TokenCounter,
): CooperativeTask<readonly Fact[]> {
  const inNotes = new CheckedText(notes);
  const others = yield* byWorth(facts, inNotes, counter);
  const ledgerTokens = Math.max(targetTokens - notesTokens, Math.floor(targetTokens * SMALLEST_LEDGER_SHARE));
  const { allowed, directives, remarks } = ownWords;
  const ledger = new LedgerRoom(allowed);
  const isAllowed = new Set(allowed);

  const lateTokens = Math.floor(ledgerTokens * SHARE_OF_LATE_DIRECTIVES);
  const late = yield* ledger.take(
    directives.filter(({ fact }) => !isAllowed.has(fact) && !inNotes.states(fact)),
    lateTokens,
  );
  const told = yield* ledger.take(
    others.filter(({ fact }) => fact.isCommonplace !== true),
    ledgerTokens - lateTokens + late.leftTokens,
  );
  const moreRemarks = remarks.filter(({ fact }) => !isAllowed.has(fact));
  const said = yield* ledger.take(moreRemarks, told.leftTokens);
  const named = yield* withoutThoseIn(said.taken, told.taken);
  const isSaid = new Set(said.taken);
  const last = yield* ledger.take(
    moreRemarks.filter((remark) => !isSaid.has(remark)),
    said.leftTokens + tokensOf(told.taken) - tokensOf(named),
  );
  const mentioned = yield* ledger.take(
    others.filter(({ fact }) => fact.isCommonplace === true),
    Math.min(last.leftTokens, Math.floor(targetTokens * LARGEST_MENTIONED_SHARE)),
  );
  const chosen = [...late.taken, ...named, ...said.taken, ...last.taken, ...mentioned.taken];
  return [...allowed, ...chosen.map(({ fact }) => fact)];
}

/** What the notes do not state and the user did not say, what is worth most for its tokens in front. */
function* byWorth(
  facts: readonly Fact[],
  inNotes: CheckedText,
  counter: TokenCounter,
): CooperativeTask<readonly Candidate[]> {
  const slice = new Slice(FACTS_A_SLICE);
  const rated: { readonly candidate: Candidate; readonly worth: number }[] = [];
  for (const fact of facts) {
    if (slice.isOver(1)) yield;
    if (isOfUser(fact) || inNotes.states(fact)) continue;
    const tokens = counter.countText(fact.text, "cl100k");
    rated.push({ candidate: { fact, tokens }, worth: fact.weight / Math.sqrt(tokens + TOKENS_OF_A_LINE) });
  }
  return rated.sort((a, b) => b.worth - a.worth).map(({ candidate }) => candidate);
}

/** The facts without the words that the sentences state anyway. */
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
    if (WHOLE_LINES.has(candidate.fact.kind) || !said.states(candidate.fact)) left.push(candidate);
  }
  return left;
}

/** What facts take that stand in lists. */
function tokensOf(facts: readonly Candidate[]): number {
  return facts.reduce((sum, { tokens }) => sum + tokens + TOKENS_OF_A_SEPARATOR, 0);
}

/** The text of a summary: its notes and the ledger under them, in which the user's words stand in the order of their saying. */
export function contentOf(notes: string, chosen: readonly Fact[]): string {
  const said = chosen.filter(isOfUser).sort((a, b) => a.lastStated - b.lastStated);
  const ledger = writeLedger([...said, ...chosen.filter((fact) => !isOfUser(fact))]);
  return ledger === "" ? notes : `${notes}\n\n${ledger}`;
}

/** How many of the facts that count stand in `content`, and how many there are. */
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
