/**
 * Hard facts of a span, found without a model: what a summary must not lose. Spec §7.3.
 *
 * Every fact is text exactly as it stands in the source. The user's directives count before all else; other facts are
 * ordered by what they are, who said them and how often. What an earlier summary kept is taken over from its ledger.
 */

import { directivesOf } from "./directives.ts";
import type { Fact, FactKind } from "./fact.ts";
import { readLedger } from "./ledger.ts";
import { factsOfText } from "./textFacts.ts";
import { type Origin, type Passage, readSource, type ReadSource, type SummarySource } from "./source.ts";

/** A span of any length yields at most this many; what is beyond is the least important, and a matter of recall. */
export const MOST_FACTS = 1_000;
/** One file listing must not crowd out a conversation. */
const MOST_FACTS_A_TOOL_PASSAGE = 60;

const WEIGHT_OF_KIND: Readonly<Record<FactKind, number>> = {
  directive: 1000,
  decision: 70,
  error: 60,
  path: 50,
  command: 48,
  identifier: 44,
  quantity: 44,
  url: 44,
  version: 44,
  commit: 44,
  date: 40,
  quote: 36,
};

const WEIGHT_OF_ORIGIN: Readonly<Record<Origin, number>> = {
  user: 24,
  summary: 20,
  assistant: 12,
  toolCall: 8,
  tool: 0,
};

/** The facts of the sources, most important first, without doubles. */
export function extractFacts(sources: readonly SummarySource[]): readonly Fact[] {
  const collector = new FactCollector();
  for (const source of sources) collector.add(readSource(source));
  return collector.facts();
}

/** Collects facts source by source, for a caller that gives way in between. */
export class FactCollector {
  private readonly found = new Map<string, { readonly fact: Fact; mentions: number }>();

  /** Adds the facts of one source. */
  add({ passages }: ReadSource): void {
    for (const passage of passages) this.addPassage(passage);
  }

  /** All facts so far, most important first. */
  facts(): readonly Fact[] {
    return [...this.found.values()]
      .map(({ fact, mentions }) => ({ ...fact, weight: fact.weight + 6 * Math.log2(mentions) }))
      .sort((a, b) => b.weight - a.weight || a.id - b.id)
      .slice(0, MOST_FACTS);
  }

  private addPassage(passage: Passage): void {
    const { id, origin, text } = passage;
    if (origin === "summary") {
      const ledger = readLedger(text);
      for (const { kind, text: kept } of ledger.facts) this.note(kind, kept, passage);
      for (const { kind, text: told } of factsOfText(ledger.rest, "summary")) this.note(kind, told, passage);
      return;
    }
    if (origin === "user") for (const directive of directivesOf(text)) this.note("directive", directive, passage);
    const facts = factsOfText(text, origin);
    for (const { kind, text: stated } of origin === "tool" ? bounded(facts) : facts) {
      this.note(kind, stated, { id, origin });
    }
  }

  private note(kind: FactKind, text: string, { id, origin }: Pick<Passage, "id" | "origin">): void {
    const known = this.found.get(text);
    const weight = WEIGHT_OF_KIND[kind] + WEIGHT_OF_ORIGIN[origin];
    if (known === undefined) {
      this.found.set(text, { fact: { kind, text, id, weight }, mentions: 1 });
    } else {
      const isHeavier = weight > known.fact.weight;
      const fact = isHeavier ? { kind, text, id: known.fact.id, weight } : known.fact;
      this.found.set(text, { fact, mentions: known.mentions + 1 });
    }
  }
}

/** Errors first, then as they come. */
function bounded<T extends { readonly kind: FactKind }>(facts: readonly T[]): readonly T[] {
  const [errors, others] = [facts.filter(({ kind }) => kind === "error"), facts.filter(({ kind }) => kind !== "error")];
  return [...errors, ...others].slice(0, MOST_FACTS_A_TOOL_PASSAGE);
}
