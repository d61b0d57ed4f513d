/**
 * Extracts the hard facts of a span without a model: what a summary must not lose.
 *
 * Facts are verbatim. The user's directives come first; other facts are ranked by kind, speaker and number of mentions.
 * Facts of an earlier summary are taken over from its ledger.
 */

import { readUserText, type UserText } from "./directives.ts";
import { CompiledPatterns } from "./instructionPatterns/languages.ts";
import type { Fact, FactKind } from "./fact.ts";
import { UNVERIFIED_MARK } from "./fabrication.ts";
import { EXTRACT_HEADING, EXTRACT_MARK, readLedger } from "./ledger.ts";
import { ownCopy } from "../../cutText.ts";
import { messageId, type MessageId } from "../../ids.ts";
import { NameCount } from "./namesInUse.ts";
import { OMISSION } from "../write/excerpt.ts";
import { piecesOf } from "../write/pieces.ts";
import { type CooperativeTask, Slice, sortedInSlices } from "../../cooperativeTask.ts";
import { factsOfText, type StatedFact } from "./textFacts.ts";
import { type Origin, type Passage, type ReadSource } from "../write/source.ts";

/** Limit per span; the least important are dropped, which costs recall only. */
export const MOST_FACTS = 4_000;
/** Messages among the facts: more of the user never fit. */
const MOST_MESSAGES = 1_000;
/** One file listing must not crowd out a conversation. */
const MOST_FACTS_A_TOOL_PASSAGE = 60;
/** Weight lost from first to last fact of a kind in an earlier ledger, which lists the most important first. */
const WEIGHT_OF_PLACE = 16;

const WEIGHT_OF_KIND: Readonly<Record<FactKind, number>> = {
  message: 1000,
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

const FACTS_A_SLICE = 200;
const RANKED_A_SLICE = 4_000;

const NOT_OF_A_USER: UserText = { directives: [], statements: [] };

/** One object for each fact, since a long conversation has very many. */
interface FoundFact {
  kind: FactKind;
  readonly text: string;
  readonly id: MessageId;
  lastStated: number;
  weight: number;
  isCommonplace: boolean;
  mentions: number;
}

export class FactCollector {
  readonly #found = new Map<string, FoundFact>();
  /** The user's messages by text: of equal ones the newest. */
  readonly #messages = new Map<string, Fact>();
  readonly #names = new NameCount();
  readonly #patterns = new CompiledPatterns();
  readonly #errorShapes = new Map<string, number>();
  /** Errors as first reported, by what they say. */
  readonly #errors = new Map<string, string>();
  #statements = 0;
  #lastId = messageId(0);

  *add({ passages }: ReadSource): CooperativeTask<void> {
    for (const { origin, text, id } of passages) if (origin === "user") this.#noteMessage(text, id);
    for (const passage of passages) {
      if (passage.origin === "summary") yield* this.#addSummary(passage);
      else yield* this.#addPassage(passage);
    }
  }

  /** Most important first. Names in use that are `listed` elsewhere count as mentioned only. */
  *facts(listed?: ReadonlySet<string>): CooperativeTask<readonly Fact[]> {
    const used = new Map(this.#names.inUse().map((name) => [name.text, name]));
    yield;
    const ranked = ({ kind, text, id, lastStated, weight, isCommonplace, mentions }: FoundFact): Fact => {
      const name = isName(kind) ? used.get(text) : undefined;
      const fact = { kind, text, id, lastStated };
      if (name === undefined) {
        const rank = isCommonplace ? { isCommonplace } : {};
        return { ...fact, weight: weight + WEIGHT_OF_DOUBLE_MENTIONS * Math.log2(mentions), ...rank };
      }
      used.delete(text);
      if (listed?.has(text) === true) return { ...fact, weight, isCommonplace: true };
      return { ...fact, isInUse: true, weight: weight + weightOfUse(name.mentions) };
    };
    const others: Fact[] = [];
    const slice = new Slice(RANKED_A_SLICE);
    for (const found of this.#found.values()) {
      others.push(ranked(found));
      if (slice.isOver(1)) yield;
    }
    for (const { text, kind, mentions } of used.values()) {
      if (listed?.has(text) === true) continue;
      const weight = WEIGHT_OF_KIND[kind] + weightOfUse(mentions);
      others.push({ kind, text, id: this.#lastId, lastStated: this.#statements, weight, isInUse: true });
    }
    const sorted = yield* sortedInSlices(others, (a, b) => rankOf(a) - rankOf(b) || b.weight - a.weight || a.id - b.id);
    return [...this.#keptMessages(), ...sorted].slice(0, MOST_FACTS);
  }

  /** The first, which sets the task, and the newest. */
  #keptMessages(): readonly Fact[] {
    const all = [...this.#messages.values()];
    return all.length <= MOST_MESSAGES ? all : [...all.slice(0, 1), ...all.slice(1 - MOST_MESSAGES)];
  }

  *#addPassage(passage: Passage): CooperativeTask<void> {
    if (passage.origin === "user") yield* this.#patterns.compileFor(passage.text);
    for (const piece of piecesOf(passage)) {
      this.#addPiece(piece);
      yield;
    }
  }

  #addPiece(passage: Passage): void {
    const { origin } = passage;
    const text = passage.text.replaceAll(OMISSIONS, "…");
    this.#names.add(text);
    this.#lastId = passage.id;
    const { directives, statements } = origin === "user" ? readUserText(text) : NOT_OF_A_USER;
    for (const text of directives) this.#note({ kind: "directive", text }, passage);
    const facts = factsOfText(text, origin);
    for (const fact of origin === "tool" ? bounded(facts) : facts) this.#note(fact, passage);
    for (const text of statements) this.#note({ kind: "remark", text, isCommonplace: true }, passage);
  }

  /** Facts of the ledger keep their rank; the notes count except for lines marked as unverified. */
  *#addSummary(passage: Passage): CooperativeTask<void> {
    const { facts, rest } = readLedger(passage.text);
    const counts = new Map<FactKind, number>();
    for (const { kind } of facts) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const places = new Map<FactKind, number>();
    const slice = new Slice(FACTS_A_SLICE);
    for (const fact of facts) {
      if (slice.isOver(1)) yield;
      if (fact.kind === "message") {
        const id = fact.id ?? passage.id;
        this.#noteMessage(fact.text, id);
        // A later ledger may have room for what a message says but not for the whole of it.
        yield* this.#addPassage({ id, origin: "user", text: fact.text });
        continue;
      }
      const place = places.get(fact.kind) ?? 0;
      places.set(fact.kind, place + 1);
      this.#note(fact, passage, (-WEIGHT_OF_PLACE * place) / (counts.get(fact.kind) ?? 1));
      if (isName(fact.kind) && fact.isCommonplace !== true) this.#names.listed(fact.kind, fact.text);
      // A later ledger may have room for the names in a sentence but not for the sentence.
      const named = fact.kind === "directive" || fact.kind === "remark" ? factsOfText(fact.text, "user") : [];
      for (const each of named) this.#note(each, passage);
    }
    const notes = rest.split("\n").filter((line) => !line.includes(UNVERIFIED_MARK) && !EXTRACT_HEADING.test(line));
    yield* this.#addPassage({ ...passage, text: notes.map((line) => line.replace(EXTRACT_MARK, "- ")).join("\n") });
  }

  #noteMessage(text: string, id: MessageId): void {
    if (this.#messages.size >= 2 * MOST_MESSAGES) {
      const kept = this.#keptMessages();
      this.#messages.clear();
      for (const message of kept) this.#messages.set(message.text, message);
    }
    const weight = WEIGHT_OF_KIND.message;
    this.#messages.delete(text);
    this.#messages.set(text, {
      kind: "message",
      text,
      id,
      lastStated: this.#statements++,
      weight,
      isCommonplace: true,
    });
  }

  /** A compiler may report the same of a hundred names: a few of them tell. */
  #isFurtherOfShape(error: string): boolean {
    if (this.#found.has(error)) return false;
    const shape = error.replaceAll(/(['"`])[^'"`]*\1|\d+|\S*[/\\]\S*/g, "…");
    const known = this.#errorShapes.get(shape) ?? 0;
    this.#errorShapes.set(shape, known + 1);
    return known >= MOST_ERRORS_OF_A_SHAPE;
  }

  /** The first form of an error that was reported with another time, mark or level before it. */
  #sameError(error: string): string {
    const core = error.replace(BEFORE_AN_ERROR, "").toLowerCase();
    const first = this.#errors.get(core) ?? error;
    this.#errors.set(core, first);
    return first;
  }

  #note(stated: StatedFact, { id, origin }: Pick<Passage, "id" | "origin">, extraWeight = 0): void {
    const { kind, text } = stated;
    if (kind === "error" && this.#isFurtherOfShape(text)) return;
    const known = this.#found.get(kind === "error" ? this.#sameError(text) : text);
    const lastStated = this.#statements++;
    const weight = WEIGHT_OF_KIND[kind] + WEIGHT_OF_ORIGIN[origin] + extraWeight;
    const isCommonplace = stated.isCommonplace === true;
    if (known === undefined) {
      const own = ownCopy(text);
      this.#found.set(own, { kind, text: own, id, lastStated, weight, isCommonplace, mentions: 1 });
      return;
    }
    const isHeavier = isCommonplace === known.isCommonplace ? weight > known.weight : !isCommonplace;
    if (isHeavier) Object.assign(known, { kind, weight, isCommonplace });
    known.lastStated = lastStated;
    known.mentions++;
  }
}

/** Marks, times and levels that a log puts before an error, and "Uncaught". */
const BEFORE_AN_ERROR =
  /^(?:[\s>*✗✖×•|-]+|\[?\d{4}-\d\d-\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?\]?|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?|\[?(?:ERROR|error|FATAL|fatal|ERR!|npm ERR!)(?:\]|:|(?=\s))|Uncaught(?=\s))+\s*/;
const OMISSIONS = new RegExp(OMISSION, "g");
const WEIGHT_OF_DOUBLE_MENTIONS = 6;
const MOST_ERRORS_OF_A_SHAPE = 3;

/** Weight that puts a name in use before one that was mentioned once. */
function weightOfUse(mentions: number): number {
  return 2 * WEIGHT_OF_DOUBLE_MENTIONS * Math.log2(mentions);
}

function isName(kind: FactKind): kind is "path" | "identifier" {
  return kind === "path" || kind === "identifier";
}

function rankOf({ isCommonplace }: Fact): number {
  return isCommonplace === true ? 1 : 0;
}

/** Errors first, commonplace facts last. */
function bounded(facts: readonly StatedFact[]): readonly StatedFact[] {
  const rank = ({ kind, isCommonplace }: StatedFact): number => (kind === "error" ? 0 : isCommonplace === true ? 2 : 1);
  return facts.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_FACTS_A_TOOL_PASSAGE);
}
