/**
 * Extracts the hard facts of a span without a model: what a summary must not lose.
 *
 * Facts are verbatim. The user's directives come first; other facts are ranked by kind, speaker and number of mentions.
 * Facts of an earlier summary are taken over from its ledger.
 */

import { readUserText, type UserText } from "./directives.ts";
import type { Fact, FactKind } from "./fact.ts";
import { UNVERIFIED_MARK } from "./fabrication.ts";
import { readLedger } from "./ledger.ts";
import { piecesOf } from "../write/pieces.ts";
import { type CooperativeTask } from "../../cooperativeTask.ts";
import { factsOfText, type StatedFact } from "./textFacts.ts";
import { type Origin, type Passage, type ReadSource } from "../write/source.ts";

/** Limit per span; the least important are dropped, which costs recall only. */
export const MOST_FACTS = 4_000;
/** One file listing must not crowd out a conversation. */
const MOST_FACTS_A_TOOL_PASSAGE = 60;
/** Weight lost from first to last fact of a kind in an earlier ledger, which lists the most important first. */
const WEIGHT_OF_PLACE = 16;

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
  remark: 10,
};

const WEIGHT_OF_ORIGIN: Readonly<Record<Origin, number>> = {
  user: 24,
  summary: 20,
  assistant: 12,
  toolCall: 8,
  tool: 0,
};

const NOT_OF_A_USER: UserText = { directives: [], statements: [] };

export class FactCollector {
  readonly #found = new Map<string, { readonly fact: Fact; mentions: number }>();
  #statements = 0;

  *add({ passages }: ReadSource): CooperativeTask<void> {
    for (const piece of passages.flatMap(piecesOf)) {
      this.#addPassage(piece);
      yield;
    }
  }

  /** Most important first. */
  facts(): readonly Fact[] {
    return [...this.#found.values()]
      .map(({ fact, mentions }) => ({ ...fact, weight: fact.weight + 6 * Math.log2(mentions) }))
      .sort((a, b) => rankOf(a) - rankOf(b) || b.weight - a.weight || a.id - b.id)
      .slice(0, MOST_FACTS);
  }

  #addPassage(passage: Passage): void {
    const { origin, text } = passage;
    if (origin === "summary") {
      this.#addSummary(passage);
      return;
    }
    const { directives, statements } = origin === "user" ? readUserText(text) : NOT_OF_A_USER;
    for (const text of directives) this.#note({ kind: "directive", text }, passage);
    const facts = factsOfText(text, origin);
    for (const fact of origin === "tool" ? bounded(facts) : facts) this.#note(fact, passage);
    for (const text of statements) this.#note({ kind: "remark", text, isCommonplace: true }, passage);
  }

  /** Facts of the ledger keep their rank; the notes count except for lines marked as unverified. */
  #addSummary(passage: Passage): void {
    const { facts, rest } = readLedger(passage.text);
    const counts = new Map<FactKind, number>();
    for (const { kind } of facts) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const places = new Map<FactKind, number>();
    for (const fact of facts) {
      const place = places.get(fact.kind) ?? 0;
      places.set(fact.kind, place + 1);
      this.#note(fact, passage, (-WEIGHT_OF_PLACE * place) / (counts.get(fact.kind) ?? 1));
      // A later ledger may have room for the names in a sentence but not for the sentence.
      const named = fact.kind === "directive" || fact.kind === "remark" ? factsOfText(fact.text, "user") : [];
      for (const each of named) this.#note(each, passage);
    }
    const unmarkedNotes = rest.split("\n").filter((line) => !line.includes(UNVERIFIED_MARK));
    for (const fact of factsOfText(unmarkedNotes.join("\n"), "summary")) this.#note(fact, passage);
  }

  #note(stated: StatedFact, { id, origin }: Pick<Passage, "id" | "origin">, extraWeight = 0): void {
    const { kind, text, isCommonplace } = stated;
    const known = this.#found.get(text);
    const lastStated = this.#statements++;
    const weight = WEIGHT_OF_KIND[kind] + WEIGHT_OF_ORIGIN[origin] + extraWeight;
    const rank = isCommonplace === true ? { isCommonplace } : {};
    if (known === undefined) {
      this.#found.set(text, { fact: { kind, text, id, lastStated, weight, ...rank }, mentions: 1 });
      return;
    }
    const isHeavier = isCommonplace === known.fact.isCommonplace ? weight > known.fact.weight : isCommonplace !== true;
    const fact = isHeavier ? { kind, text, id: known.fact.id, weight, ...rank } : known.fact;
    this.#found.set(text, { fact: { ...fact, lastStated }, mentions: known.mentions + 1 });
  }
}

function rankOf({ isCommonplace }: Fact): number {
  return isCommonplace === true ? 1 : 0;
}

/** Errors first, commonplace facts last. */
function bounded(facts: readonly StatedFact[]): readonly StatedFact[] {
  const rank = ({ kind, isCommonplace }: StatedFact): number => (kind === "error" ? 0 : isCommonplace === true ? 2 : 1);
  return facts.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_FACTS_A_TOOL_PASSAGE);
}
