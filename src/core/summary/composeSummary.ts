/**
 * What stands under the notes of a summary: the user's directives, and the ledger of the facts that the notes do not state,
 * within what the target leaves.
 */

import type { TokenCounts } from "../message.ts";
import type { TokenCounter } from "../tokens/tokenCounter.ts";
import type { Fact, FactKind } from "./fact.ts";
import { CheckedText } from "./factCheck.ts";
import { writeLedger } from "./ledger.ts";
import { rankedRemarks } from "./remarks.ts";
import { Slice, type Steps } from "../steps.ts";

/** The most tokens that directives may take beside the target; what is beyond gets a share of the ledger. */
export const DIRECTIVE_ALLOWANCE_TOKENS = 400;
/** The ledger gets at least this share of the target, even when the notes have used all of it. */
const SMALLEST_LEDGER_SHARE = 0.25;
/** Directives beyond their allowance may take this share of the ledger. */
const SHARE_OF_LATE_DIRECTIVES = 0.4;
/** What stands in rows of data gets no more than this share of the target. */
const LARGEST_MENTIONED_SHARE = 0.15;
/**
 * What else the user said gets what directives leave of their allowance, up to this share of the target, and this part of
 * what facts leave of the target.
 */
const LARGEST_SHARE_OF_ALLOWANCE = 0.5;
const SHARE_OF_WHAT_FACTS_LEAVE = 0.85;
/** A new line, a label and a separator. */
const TOKENS_OF_A_LINE = 4;
const TOKENS_OF_A_SEPARATOR = 2;

/** What a ledger is chosen for. */
export interface LedgerRequest {
  readonly notes: string;
  readonly notesTokens: number;
  /** Most important first. */
  readonly facts: readonly Fact[];
  readonly targetTokens: number;
  /** What directives may take beside the target. */
  readonly allowanceTokens: number;
}

/**
 * What directives may take beside the target of a summary that stands for so many tokens: where a window is small, the same
 * orders under each of its summaries would fill it, so no more than a fifth; at most 400, at least 64.
 */
export function directiveAllowance(sourceTokens: number): number {
  return Math.min(DIRECTIVE_ALLOWANCE_TOKENS, Math.max(SMALLEST_ALLOWANCE_TOKENS, Math.floor(sourceTokens / 5)));
}

const SMALLEST_ALLOWANCE_TOKENS = 64;

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
export function* tokensOfLedger(facts: readonly Fact[], counter: TokenCounter): Steps<number> {
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
 * The facts for the ledger under `notes`: directives within their allowance, the newest first, then in what they leave of it
 * what else the user said, then what is worth most for its tokens within the target, and in most of what that leaves the rest
 * of the user's words. To be written by {@link contentOf}; of what does not fit, the last ones are to be left out.
 *
 * The user's words are chosen whether the notes state them or not: only what stands in the ledger is known for the user's
 * when the next summary is made over this one. So at every level the newest that the allowance has room for are kept.
 */
export function* chooseFacts(
  { notes, facts, targetTokens, notesTokens, allowanceTokens }: LedgerRequest,
  counter: TokenCounter,
): Steps<readonly Fact[]> {
  const slice = new Slice(FACTS_A_SLICE);
  const inNotes = new CheckedText(notes);
  const candidates: (Candidate & { readonly isInNotes: boolean; readonly worth: number })[] = [];
  for (const fact of facts) {
    if (slice.isOver(1)) yield;
    const isInNotes = inNotes.states(fact);
    if (isInNotes && !isOfUser(fact)) continue;
    const tokens = counter.countText(fact.text, "cl100k");
    candidates.push({ fact, tokens, isInNotes, worth: fact.weight / Math.sqrt(tokens + TOKENS_OF_A_LINE) });
  }
  const directives = withoutRepetitions(
    candidates.filter(({ fact }) => fact.kind === "directive").sort((a, b) => b.fact.lastStated - a.fact.lastStated),
  );
  const others = candidates
    .filter(({ fact }) => fact.kind !== "directive" && fact.kind !== "remark")
    .sort((a, b) => b.worth - a.worth);
  const ledgerTokens = Math.max(targetTokens - notesTokens, Math.floor(targetTokens * SMALLEST_LEDGER_SHARE));

  const ledger = new Ledger();
  const early = yield* ledger.take(directives, allowanceTokens);
  const lateTokens = Math.floor(ledgerTokens * SHARE_OF_LATE_DIRECTIVES);
  const late = yield* ledger.take(
    directives.filter(({ fact, isInNotes }) => !isInNotes && !early.facts.includes(fact)),
    lateTokens,
  );
  const remarks = rankedRemarks(
    withoutRepetitions(
      candidates.filter(({ fact }) => fact.kind === "remark").sort((a, b) => b.fact.lastStated - a.fact.lastStated),
    ),
  );
  const freeTokens = Math.min(early.leftTokens, Math.floor(targetTokens * LARGEST_SHARE_OF_ALLOWANCE));
  const said = yield* ledger.take(remarks, freeTokens);
  const told = yield* ledger.take(
    others.filter(({ fact }) => fact.isCommonplace !== true),
    ledgerTokens - lateTokens + late.leftTokens,
  );
  const alsoSaid = yield* ledger.take(
    remarks.filter(({ fact }) => !said.facts.includes(fact)),
    Math.floor(told.leftTokens * SHARE_OF_WHAT_FACTS_LEAVE),
  );
  const mentioned = yield* ledger.take(
    others.filter(({ fact }) => fact.isCommonplace === true),
    Math.min(alsoSaid.leftTokens, Math.floor(targetTokens * LARGEST_MENTIONED_SHARE)),
  );
  return [early, late, said, told, alsoSaid, mentioned].flatMap(({ facts: taken }) => taken);
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

/** The text of a summary: its notes and the ledger under them, in which the user's words stand in the order of their saying. */
export function contentOf(notes: string, chosen: readonly Fact[]): string {
  const said = chosen.filter(isOfUser).sort((a, b) => a.lastStated - b.lastStated);
  const ledger = writeLedger([...said, ...chosen.filter((fact) => !isOfUser(fact))]);
  return ledger === "" ? notes : `${notes}\n\n${ledger}`;
}

function isOfUser({ kind }: Fact): boolean {
  return kind === "directive" || kind === "remark";
}

/** How many of the facts that count stand in `content`, and how many there are. */
export function* factsIn(
  content: string,
  facts: readonly Fact[],
): Steps<{ readonly kept: number; readonly total: number }> {
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

interface Candidate {
  readonly fact: Fact;
  readonly tokens: number;
}

/** Takes facts as long as there is room, and none that stands in a sentence that was taken. */
class Ledger {
  private readonly taken: CheckedText[] = [];
  private readonly kinds = new Set<FactKind>();
  private readonly slice = new Slice(CHECKS_A_SLICE);

  *take(
    candidates: readonly Candidate[],
    roomTokens: number,
  ): Steps<{ readonly facts: readonly Fact[]; readonly leftTokens: number }> {
    const facts: Fact[] = [];
    let room = roomTokens - TOKENS_OF_HEADING;
    for (const { fact, tokens } of candidates) {
      if (room < SMALLEST_FACT_TOKENS) break;
      if (this.slice.isOver(1 + this.taken.length)) yield;
      if (this.taken.some((text) => text.states(fact))) continue;
      const isNewLine = !this.kinds.has(fact.kind) || WHOLE_LINES.has(fact.kind);
      const cost = tokens + (isNewLine ? TOKENS_OF_A_LINE : TOKENS_OF_A_SEPARATOR);
      if (cost > room) continue;
      room -= cost;
      facts.push(fact);
      this.kinds.add(fact.kind);
      if (WHOLE_LINES.has(fact.kind)) this.taken.push(new CheckedText(fact.text));
    }
    return { facts, leftTokens: Math.max(0, room) };
  }
}

const FACTS_A_SLICE = 100;
const CHECKS_A_SLICE = 4_000;
const TOKENS_OF_HEADING = 8;
const SMALLEST_FACT_TOKENS = 3;
const WHOLE_LINES: ReadonlySet<FactKind> = new Set(["directive", "decision", "error", "command", "quote", "remark"]);
