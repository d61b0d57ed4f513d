/**
 * Extractive summary without a model: the most informative sentences, verbatim and in order. Deterministic, never
 * empty, and always within its limit; the last resort that makes every compaction end.
 */

import { beginningOf, ownCopy } from "../../cutText.ts";
import { messageId, messageNumber } from "../../ids.ts";
import type { TokenCounts } from "../../message.ts";
import type { TokenCounter } from "../../tokens/tokenCounter.ts";
import { isDecision } from "../facts/decisions.ts";
import { isDirective, isUserVerbatim } from "../facts/directives.ts";
import { errorOf } from "../facts/errorLines.ts";
import type { CheckedText } from "../facts/factCheck.ts";
import { linesOf, sentencesOf } from "../facts/lines.ts";
import { EXTRACT_HEADING, EXTRACT_MARK, extractMark, readLedger } from "../facts/ledger.ts";
import { OMISSION } from "./excerpt.ts";
import { piecesOf } from "./pieces.ts";
import type { Passage, ReadSource } from "./source.ts";
import { Slice, sortedInSlices, type CooperativeTask } from "../../cooperativeTask.ts";
import { beginningThatFits, sizeOf } from "./textSize.ts";
import { wordFactsOf } from "../facts/words.ts";

/** All that an extract may be made of: far less than the sources. */
export interface ExtractSource {
  readonly heading: string;
  /** Oldest first. */
  readonly sentences: readonly Rated[];
}

/** Collects it from sources, oldest first, which may be dropped afterwards. */
export class ExtractCollector {
  #sentences: Rated[] = [];
  #first: ReadSource["id"] | undefined;
  /** Its sentences count for more if it stays the last one. */
  #last: ReadSource | undefined;

  *add(source: ReadSource): CooperativeTask<void> {
    yield* this.#rateLast(false);
    this.#first ??= source.id;
    this.#last = source;
  }

  *end(): CooperativeTask<ExtractSource> {
    const heading = headingOf(this.#first ?? messageId(0), this.#last);
    yield* this.#rateLast(true);
    return { heading, sentences: this.#sentences };
  }

  *#rateLast(isLast: boolean): CooperativeTask<void> {
    const { passages = [] } = this.#last ?? {};
    this.#last = undefined;
    for (const piece of passages.map(withoutLedger).flatMap(piecesOf)) {
      for (const rated of ratedSentencesOf(piece, isLast))
        this.#sentences.push({ ...rated, text: ownCopy(rated.text) });
      yield;
      if (this.#sentences.length > 2 * MOST_SENTENCES) this.#sentences = yield* bestOf(this.#sentences);
    }
  }
}

/** More than an extract has room for. */
const MOST_SENTENCES = 4_000;

/** The best-rated, each once, in conversation order. */
function* bestOf(sentences: readonly Rated[]): CooperativeTask<Rated[]> {
  const best = new Map<string, number>();
  for (const index of yield* byRating(sentences)) {
    const { text } = sentences[index] ?? {};
    if (text !== undefined && !best.has(text)) best.set(text, index);
    if (best.size === MOST_SENTENCES) break;
  }
  const chosen = new Set(best.values());
  return sentences.filter((_, index) => chosen.has(index));
}

/** Sentences and facts of `sources`, of which an extract may be made. */
export function* extractSource(sources: readonly ReadSource[]): CooperativeTask<ExtractSource> {
  const collector = new ExtractCollector();
  for (const source of sources) yield* collector.add(source);
  return yield* collector.end();
}

/** Takes at most `targetTokens`, and never more than `limit`. Sentences that `retained` states are left out. */
export function* extractNotes(
  { heading, sentences: all }: ExtractSource,
  targetTokens: number,
  limit: TokenCounts,
  counter: TokenCounter,
  retained?: CheckedText,
): CooperativeTask<string> {
  const room = Math.min(targetTokens, limit.cl100k, limit.o200k);
  const sentences: Rated[] = [];
  for (const rated of all) {
    if (retained?.states({ kind: "quote", text: rated.text }) !== true) sentences.push(rated);
    if (retained !== undefined) yield;
  }
  const lines = yield* chosenLines(sentences, room - sizeOf(heading, counter) - 1, counter);
  const notes = lines.length > 0 ? `${heading}\n${lines.join("\n")}` : heading;
  // Lines counted one by one take no more tokens together; only the heading may add some.
  if (lines.length > 0 || sizeOf(notes, counter) <= room) return notes;
  const best = sentences.reduce<Rated | undefined>(
    (top, next) => (top === undefined || next.rating > top.rating ? next : top),
    undefined,
  );
  return beginningThatFits(best?.text ?? heading, { cl100k: room, o200k: room }, counter);
}

/** Identifies the text as an extract, so that it is not taken for a model's work. */
function headingOf(firstId: ReadSource["id"], end: ReadSource | undefined): string {
  const first = messageNumber(firstId);
  const last = messageNumber(end?.lastId ?? end?.id ?? 0);
  const which = first === last ? `message ${first}` : `messages ${first} to ${last}`;
  return `Extract of ${which}, made without a model.`;
}

interface Sentence {
  /** Of the message that says it, as shown. */
  readonly number: number;
  readonly speaker: string;
  readonly text: string;
}

interface Rated extends Sentence {
  readonly rating: number;
}

const LONGEST_SENTENCE_UNITS = 240;
const SHORTEST_SENTENCE_UNITS = 10;
const LONGEST_CHATTER_UNITS = 30;

/** Sentences of people and models only: tool output is covered by the facts. */
function ratedSentencesOf(passage: Passage, isLast: boolean): readonly Rated[] {
  const sentences = sentencesIn(passage).filter(
    ({ text }) => text.length >= SHORTEST_SENTENCE_UNITS && !OMISSION.test(text),
  );
  return sentences.map(({ text, number, speaker }, index): Rated => {
    const isResult = passage.origin === "assistant" && index === sentences.length - 1;
    const rating = ratingOf(text, passage) + (isResult ? 2 : 0) + (isLast ? 2 : 0);
    return { number, speaker, text: shortened(text), rating };
  });
}

function withoutLedger(passage: Passage): Passage {
  return passage.origin === "summary" ? { ...passage, text: readLedger(passage.text).rest } : passage;
}

function sentencesIn({ id, origin, text }: Passage): readonly Sentence[] {
  const number = messageNumber(id);
  if (origin === "user" || origin === "assistant") {
    return sentencesOf(text).map((sentence) => ({ number, speaker: origin, text: sentence }));
  }
  if (origin !== "summary") return [];
  return linesOf(text)
    .filter((line) => !line.text.startsWith("#") && !EXTRACT_HEADING.test(line.text))
    .map((line) => {
      const found: readonly (string | undefined)[] = EXTRACT_MARK.exec(line.text) ?? [];
      const [mark = "", said, at, earlierAt = at, earlier = said?.toLowerCase()] = found;
      const of =
        earlierAt === undefined || earlier === undefined
          ? { number, speaker: origin }
          : { number: Number(earlierAt), speaker: earlier };
      return { ...of, text: line.text.slice(mark.length) };
    });
}

function ratingOf(sentence: string, { origin }: Passage): number {
  const hardWords = Math.min(3, wordFactsOf(sentence).length);
  const tells = (isDecision(sentence) ? 5 : 0) + (errorOf(sentence) === undefined ? 0 : 2);
  const isTold = origin === "user" ? ledgerPenalty(sentence, hardWords) : 0;
  const isChatter = hardWords === 0 && sentence.length < LONGEST_CHATTER_UNITS ? -3 : 0;
  const voice = origin === "user" ? 4 : origin === "summary" ? 3 : 1;
  return voice + hardWords + tells + isTold + isChatter - sentence.length / 200;
}

/** Penalty for sentences likely to be in the ledger: directives, and statements without hard words. */
function ledgerPenalty(sentence: string, hardWords: number): number {
  if (isDirective(sentence)) return -6;
  return hardWords === 0 && isUserVerbatim(sentence) ? -4 : 0;
}

function shortened(sentence: string): string {
  if (sentence.length <= LONGEST_SENTENCE_UNITS) return sentence;
  return `${beginningOf(sentence, LONGEST_SENTENCE_UNITS).trimEnd()}…`;
}

/** The best-rated lines that fit, in conversation order. */
function* chosenLines(
  sentences: readonly Rated[],
  roomTokens: number,
  counter: TokenCounter,
): CooperativeTask<readonly string[]> {
  const order = yield* byRating(sentences);
  const lines = new Map<number, string>();
  const said = new Set<string>();
  let room = roomTokens;
  const slice = new Slice(LINES_A_SLICE);
  for (const index of order) {
    if (slice.isOver(1)) yield;
    const sentence = sentences[index];
    if (room < SMALLEST_LINE_TOKENS) break;
    if (sentence === undefined || said.has(sentence.text)) continue;
    const line = `${extractMark(sentence.speaker, sentence.number)}${sentence.text}`;
    const tokens = sizeOf(line, counter) + 1;
    if (tokens > room) continue;
    room -= tokens;
    said.add(sentence.text);
    lines.set(index, line);
  }
  return [...lines].sort(([a], [b]) => a - b).map(([, line]) => line);
}

const SMALLEST_LINE_TOKENS = 8;
const LINES_A_SLICE = 100;

/** Indices, best first; the earlier of equals. */
function byRating(sentences: readonly Rated[]): CooperativeTask<readonly number[]> {
  return sortedInSlices(
    sentences.map((_, index) => index),
    (a, b) => ratingAt(sentences, b) - ratingAt(sentences, a) || a - b,
  );
}

function ratingAt(sentences: readonly Rated[], index: number): number {
  return sentences[index]?.rating ?? 0;
}
