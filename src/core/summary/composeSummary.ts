/**
 * Puts a summary together: the notes, the user's directives, and the ledger of the facts that the notes do not state. The
 * whole is always smaller than its source; the ledger stays within what the target leaves.
 */

import type { TokenCounts } from "../message.ts";
import type { TokenCounter } from "../tokens/tokenCounter.ts";
import type { Fact, FactKind } from "./fact.ts";
import { CheckedText } from "./factCheck.ts";
import { writeLedger } from "./ledger.ts";
import { beginningThatFits, fits, sizeOf } from "./textSize.ts";

/** Tokens that directives may take beside the target; what is beyond gets what other facts leave of it. */
export const DIRECTIVE_ALLOWANCE_TOKENS = 400;
/** The ledger gets at least this share of the target, even when the notes have used all of it. */
const SMALLEST_LEDGER_SHARE = 0.25;
/** A new line, a label and a separator. */
const TOKENS_OF_A_LINE = 4;
const TOKENS_OF_A_SEPARATOR = 2;

/** What a summary is composed of. */
export interface SummaryParts {
  /** Must fit `limit`; see {@link sizeLimit}. */
  readonly notes: string;
  /** Most important first. */
  readonly facts: readonly Fact[];
  readonly targetTokens: number;
  readonly limit: TokenCounts;
}

/** A summary's text, and how many of the facts stand in it. */
export interface ComposedSummary {
  readonly content: string;
  readonly factsKept: number;
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

/** Composes a summary that fits its limit. */
export function composeSummary(parts: SummaryParts, counter: TokenCounter): ComposedSummary {
  const { limit, facts } = parts;
  const notes = fits(parts.notes, limit, counter) ? parts.notes : beginningThatFits(parts.notes, limit, counter);
  let chosen = chooseFacts({ ...parts, notes }, counter);
  let content = join(notes, chosen);
  while (chosen.length > 0 && !fits(content, limit, counter)) {
    chosen = chosen.slice(0, Math.floor(chosen.length * 0.9));
    content = join(notes, chosen);
  }
  const text = new CheckedText(content);
  return { content, factsKept: facts.filter((fact) => text.states(fact)).length };
}

function join(notes: string, chosen: readonly Fact[]): string {
  const ledger = writeLedger(chosen);
  return ledger === "" ? notes : `${notes}\n\n${ledger}`;
}

/** The facts for the ledger, most worth for their tokens first: directives within their allowance, others within the target. */
function chooseFacts({ notes, facts, targetTokens }: SummaryParts, counter: TokenCounter): readonly Fact[] {
  const inNotes = new CheckedText(notes);
  const missing = facts.filter((fact) => !inNotes.states(fact));
  const left = targetTokens - sizeOf(notes, counter);
  const cost = (fact: Fact): number => counter.countText(fact.text, "cl100k");
  const directives = missing.filter(({ kind }) => kind === "directive");
  const newestFirst = [...directives].sort((a, b) => b.id - a.id);
  const others = missing
    .filter(({ kind }) => kind !== "directive")
    .map((fact) => ({ fact, worth: fact.weight / Math.sqrt(cost(fact) + TOKENS_OF_A_LINE) }))
    .sort((a, b) => b.worth - a.worth)
    .map(({ fact }) => fact);
  const lines = new Ledger(cost);
  const taken = new Set(lines.take(newestFirst, DIRECTIVE_ALLOWANCE_TOKENS).facts);
  const ledgerTokens = Math.max(left, Math.floor(targetTokens * SMALLEST_LEDGER_SHARE));
  const ledger = lines.take(others, ledgerTokens);
  const late = newestFirst.filter((fact) => !taken.has(fact));
  for (const fact of lines.take(late, ledger.leftTokens).facts) taken.add(fact);
  return [...directives.filter((fact) => taken.has(fact)), ...ledger.facts];
}

/** Takes facts as long as there is room, and none that stands in a sentence that was taken. */
class Ledger {
  private readonly cost: (fact: Fact) => number;
  private readonly taken: CheckedText[] = [];
  private readonly kinds = new Set<FactKind>();

  constructor(cost: (fact: Fact) => number) {
    this.cost = cost;
  }

  take(facts: readonly Fact[], roomTokens: number): { readonly facts: readonly Fact[]; readonly leftTokens: number } {
    let room = roomTokens - TOKENS_OF_HEADING;
    const taken = facts.filter((fact) => {
      if (this.taken.some((text) => text.states(fact))) return false;
      const isNewLine = !this.kinds.has(fact.kind) || WHOLE_LINES.has(fact.kind);
      const tokens = this.cost(fact) + (isNewLine ? TOKENS_OF_A_LINE : TOKENS_OF_A_SEPARATOR);
      if (tokens > room) return false;
      room -= tokens;
      this.kinds.add(fact.kind);
      if (WHOLE_LINES.has(fact.kind)) this.taken.push(new CheckedText(fact.text));
      return true;
    });
    return { facts: taken, leftTokens: Math.max(0, room) };
  }
}

const TOKENS_OF_HEADING = 8;
const WHOLE_LINES: ReadonlySet<FactKind> = new Set(["directive", "decision", "error", "command", "quote"]);
