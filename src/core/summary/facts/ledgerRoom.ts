/** Selects the facts that fit into a ledger. */

import type { Fact, FactKind } from "./fact.ts";
import { CheckedText } from "./factCheck.ts";
import { Slice, type CooperativeTask } from "../../cooperativeTask.ts";

/** `tokens` is the size of the fact's text alone. */
export interface Candidate {
  readonly fact: Fact;
  readonly tokens: number;
}

/** Takes facts while there is room; skips those contained in a sentence already taken. */
export class LedgerRoom {
  readonly #lines: CheckedText[] = [];
  readonly #kinds = new Set<FactKind>();
  readonly #slice = new Slice(CHECKS_A_SLICE);

  /** `standing`: facts already in the ledger. */
  constructor(existing: readonly Fact[] = []) {
    for (const fact of existing) this.#add(fact);
  }

  /** The `candidates` that fit `roomTokens`, in their order. */
  *take(
    candidates: readonly Candidate[],
    roomTokens: number,
  ): CooperativeTask<{ readonly taken: readonly Candidate[]; readonly leftTokens: number }> {
    const taken: Candidate[] = [];
    let room = roomTokens - TOKENS_OF_HEADING;
    for (const candidate of candidates) {
      const { fact, tokens } = candidate;
      if (room < SMALLEST_FACT_TOKENS) break;
      if (this.#slice.isOver(1 + this.#lines.length)) yield;
      if (this.#lines.some((text) => text.states(fact))) continue;
      const cost = tokens + this.#tokensAround(fact);
      if (cost > room) continue;
      room -= cost;
      taken.push(candidate);
      this.#add(fact);
    }
    return { taken, leftTokens: Math.max(0, room) };
  }

  #add(fact: Fact): void {
    this.#kinds.add(fact.kind);
    if (WHOLE_LINE_KINDS.has(fact.kind)) this.#lines.push(new CheckedText(fact.text));
  }

  #tokensAround(fact: Fact): number {
    if (isUserFact(fact)) return TOKENS_OF_A_MARK;
    return this.#kinds.has(fact.kind) && !WHOLE_LINE_KINDS.has(fact.kind) ? TOKENS_OF_A_SEPARATOR : TOKENS_OF_A_LINE;
  }
}

export function isUserFact({ kind }: Fact): boolean {
  return kind === "message" || kind === "directive" || kind === "remark";
}

/** Kinds whose text is a whole line and may contain other facts. */
export const WHOLE_LINE_KINDS: ReadonlySet<FactKind> = new Set([
  "message",
  "directive",
  "decision",
  "error",
  "command",
  "quote",
  "remark",
]);
/** Line break, label and separator. */
export const TOKENS_OF_A_LINE = 4;
/** Separator of the facts in a list. */
export const TOKENS_OF_A_SEPARATOR = 2;
/** Line break and list mark. */
const TOKENS_OF_A_MARK = 2;
const TOKENS_OF_HEADING = 8;
const SMALLEST_FACT_TOKENS = 3;
const CHECKS_A_SLICE = 4_000;
