/**
 * Searches all segments for the messages that may answer a question, by BM25 and their neighbours in talk. What only the
 * texts tell, the order of words and quotes, is ranked after these are read.
 */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import { messageId, type ConversationId, type MessageId } from "../../ids.ts";
import { rarityOf, saturation, type IndexStatistics } from "../ranking/bm25.ts";
import { commonBeginning, SHORTEST_PREFIX, type QueryTerm, type RankedQuery } from "../ranking/rankedQuery.ts";
import { NEIGHBOUR_SHARE } from "../ranking/ranking.ts";
import type { StemCache } from "../ranking/terms.ts";
import { cutTerm } from "../searchTerms.ts";
import { Postings, type Segment, type SegmentWord } from "./segment.ts";

export interface SegmentQuery {
  readonly query: RankedQuery;
  readonly isWanted: (conversation: ConversationId) => boolean;
  /** Only messages with all terms. */
  readonly needsAll: boolean;
  /** Messages, and those of one conversation. */
  readonly limit: number;
  readonly limitEach: number;
}

export interface FoundMessage {
  readonly conversation: ConversationId;
  readonly id: MessageId;
  readonly score: number;
}

export interface FoundInSegments {
  /** Best first; of equals the one of the earlier segment. */
  readonly messages: readonly FoundMessage[];
  readonly statistics: IndexStatistics;
}

/** Share of all messages above which a word only ranks what rarer ones found. */
const COMMON_SHARE = 0.05;
/** Fewer messages are all read. */
const LEAST_COMMON = 2_000;
/** Words looked at for the forms of one; more begin so than a stem has forms. */
const MOST_FORMS_READ = 2_000;
/** Of a number of a bit set. */
const BITS = 32;
/** In terms: a saturation of longer messages is computed each time. */
const LONGEST_KNOWN = 512;

/** Pauses after each word of each segment. */
export function* searchSegments(
  segments: readonly Segment[],
  segmentQuery: SegmentQuery,
  stems: StemCache,
): CooperativeTask<FoundInSegments> {
  const { query, limit } = segmentQuery;
  const forms: (readonly (readonly SegmentWord[])[])[] = [];
  const terms = query.terms.map((term) => new TermForms(term, stems));
  for (const segment of segments) {
    const ofTerms: (readonly SegmentWord[])[] = [];
    for (const term of terms) {
      ofTerms.push(term.in(segment));
      yield;
    }
    forms.push(ofTerms);
  }
  const statistics = statisticsOf(segments, forms, query.terms.length);
  const best = new Best(limit);
  const scores = new Scores(Math.max(0, ...segments.map(({ messageCount }) => messageCount)), statistics);
  for (const [index, segment] of segments.entries()) {
    yield* scores.replace(segment, forms[index] ?? []);
    collect(segment, scores, segmentQuery, best);
    yield;
  }
  return { messages: best.messages, statistics };
}

interface KnownWord {
  readonly word: string;
  readonly isForm: boolean;
}

/** The words of segments that are a form of a term. */
class TermForms {
  readonly #term: QueryTerm;
  readonly #stems: StemCache;
  /** Words of the segments so far, in order: most are in several, and stemmed once. */
  #known: readonly KnownWord[] = [];

  constructor(term: QueryTerm, stems: StemCache) {
    this.#term = term;
    this.#stems = stems;
  }

  in(segment: Segment): readonly SegmentWord[] {
    const { folded, stems } = this.#term;
    const beginning = commonBeginning(this.#term);
    if (beginning.length >= Math.min(SHORTEST_PREFIX, folded.length)) {
      const forms = this.#from(segment, beginning);
      if (forms !== undefined) return forms;
    }
    return [...new Set([cutTerm(folded), stems.english, stems.german])].flatMap((word) => segment.find(word) ?? []);
  }

  /** `undefined` if too many words begin so. */
  #from(segment: Segment, beginning: string): readonly SegmentWord[] | undefined {
    if (segment.leastCountFrom(beginning) > MOST_FORMS_READ) return undefined;
    const forms: SegmentWord[] = [];
    const [known, added] = [this.#known, [] as KnownWord[]];
    const words = segment.wordsFrom(beginning);
    let [left, at] = [MOST_FORMS_READ, 0];
    while (words.next() && words.startsWith(beginning)) {
      if (--left < 0) return undefined;
      let [one, order] = [known[at], -1];
      while (one !== undefined && (order = words.compare(one.word)) > 0) one = known[++at];
      if (one === undefined || order < 0) {
        one = { word: words.word, isForm: this.#isForm(words.word) };
        added.push(one);
      }
      if (one.isForm) forms.push(words.current);
    }
    if (added.length > 0) this.#known = merged(known, added);
    return forms;
  }

  #isForm(word: string): boolean {
    const { folded, isOpen, stems } = this.#term;
    return (isOpen === true && word.startsWith(folded)) || this.#stems.isForm(word, stems);
  }
}

/** Both are in order. */
function merged(some: readonly KnownWord[], others: readonly KnownWord[]): readonly KnownWord[] {
  const all: KnownWord[] = [];
  let at = 0;
  for (const one of some) {
    for (let other = others[at]; other !== undefined && other.word < one.word; other = others[++at]) all.push(other);
    all.push(one);
  }
  return [...all, ...others.slice(at)];
}

function statisticsOf(
  segments: readonly Segment[],
  forms: readonly (readonly (readonly SegmentWord[])[])[],
  termCount: number,
): IndexStatistics {
  let [textCount, lengths] = [0, 0];
  for (const { messageCount, termCount } of segments) {
    textCount += messageCount;
    lengths += termCount;
  }
  const textsWith = Array.from({ length: termCount }, (_, term) =>
    Math.min(
      textCount,
      forms.reduce((sum, ofTerms) => sum + (ofTerms[term] ?? []).reduce((all, { count }) => all + count, 0), 0),
    ),
  );
  return { textCount, averageLength: lengths / Math.max(1, textCount), textsWith };
}

/** Scores of the messages of one segment after the other. */
class Scores {
  readonly #scores: Float32Array;
  /** Number of terms of the query in each message. */
  readonly #termCounts: Uint8Array;
  readonly #postings: Postings;
  /** Of several forms of a term together, by the place, and the places with some. */
  readonly #sums: Uint32Array;
  readonly #summed: Uint32Array;
  /** A bit for each message with a score, in the end also for those next to one: all others are passed over. */
  readonly #found: Int32Array;
  readonly #statistics: IndexStatistics;
  readonly #rarity: readonly number[];
  /** Of a term that occurs once, by the length of the message. */
  readonly #saturations: Float64Array;
  #highest = 0;

  constructor(mostMessages: number, statistics: IndexStatistics) {
    this.#statistics = statistics;
    this.#rarity = rarityOf(statistics);
    this.#saturations = Float64Array.from({ length: LONGEST_KNOWN }, (_, length) =>
      saturation(1, length / Math.max(1, statistics.averageLength)),
    );
    this.#scores = new Float32Array(mostMessages);
    this.#termCounts = new Uint8Array(mostMessages);
    this.#postings = new Postings(mostMessages);
    this.#sums = new Uint32Array(mostMessages);
    this.#summed = new Uint32Array(mostMessages);
    this.#found = new Int32Array((mostMessages + 1 + BITS) >> 5);
  }

  of(place: number): number {
    return this.#scores[place] ?? 0;
  }

  get highest(): number {
    return this.#highest;
  }

  termCount(place: number): number {
    return this.#termCounts[place] ?? 0;
  }

  /** The first place from `start` on of a message with a score, or next to one. */
  nextFrom(start: number): number {
    let index = start >> 5;
    let bits = (this.#found[index] ?? 0) & (-1 << (start & 31));
    while (bits === 0) {
      if (++index >= this.#found.length) return Infinity;
      bits = this.#found[index] ?? 0;
    }
    return BITS * index + BITS - 1 - Math.clz32(bits & -bits);
  }

  /** Instead of those of the segment before. */
  *replace(segment: Segment, forms: readonly (readonly SegmentWord[])[]): CooperativeTask<void> {
    for (const numbers of [this.#scores, this.#termCounts, this.#found]) numbers.fill(0);
    this.#highest = 0;
    const { textCount, textsWith } = this.#statistics;
    const rarest = Math.min(...textsWith.filter((count) => count > 0));
    const mostFound = Math.max(LEAST_COMMON, COMMON_SHARE * textCount, rarest);
    const countOf = (term: number): number => textsWith[term] ?? 0;
    const rarestFirst = [...forms.entries()].sort(([one], [other]) => countOf(one) - countOf(other));
    for (const [term, words] of rarestFirst) {
      this.#addTerm(segment, words, { rarity: this.#rarity[term] ?? 0, onlyRanks: countOf(term) > mostFound });
      yield;
    }
    this.#markNeighbours();
  }

  #addTerm(
    segment: Segment,
    words: readonly SegmentWord[],
    { rarity, onlyRanks }: { readonly rarity: number; readonly onlyRanks: boolean },
  ): void {
    const { lengths } = segment.messages;
    const among = onlyRanks ? this.#scores : undefined;
    const { places, occurrences } = this.#postings;
    const [word] = words;
    if (word !== undefined && words.length === 1) {
      segment.readPostings(word, this.#postings, among);
      for (let at = 0; at < this.#postings.count; at++) {
        const place = places[at] ?? 0;
        this.#add(place, rarity * this.#saturation(occurrences[at] ?? 0, lengths[place] ?? 0));
      }
      return;
    }
    const [sums, summed] = [this.#sums, this.#summed];
    let count = 0;
    for (const form of words) {
      segment.readPostings(form, this.#postings, among);
      for (let at = 0; at < this.#postings.count; at++) {
        const place = places[at] ?? 0;
        if (sums[place] === 0) summed[count++] = place;
        sums[place] = (sums[place] ?? 0) + (occurrences[at] ?? 0);
      }
    }
    for (let at = 0; at < count; at++) {
      const place = summed[at] ?? 0;
      this.#add(place, rarity * this.#saturation(sums[place] ?? 0, lengths[place] ?? 0));
      sums[place] = 0;
    }
  }

  #add(place: number, score: number): void {
    this.#scores[place] = this.of(place) + score;
    this.#highest = Math.max(this.#highest, this.of(place));
    this.#termCounts[place] = this.termCount(place) + 1;
    this.#found[place >> 5] = (this.#found[place >> 5] ?? 0) | (1 << (place & 31));
  }

  #saturation(occurrences: number, length: number): number {
    if (occurrences === 1 && length < LONGEST_KNOWN) return this.#saturations[length] ?? 0;
    return saturation(occurrences, length / Math.max(1, this.#statistics.averageLength));
  }

  #markNeighbours(): void {
    const found = this.#found;
    let [before, bits] = [0, found[0] ?? 0];
    for (let index = 0; index < found.length; index++) {
      const after = found[index + 1] ?? 0;
      found[index] = bits | (bits << 1) | (before >>> 31) | (bits >>> 1) | (after << 31);
      [before, bits] = [bits, after];
    }
  }
}

function collect(
  segment: Segment,
  scores: Scores,
  { query, isWanted, needsAll, limitEach }: SegmentQuery,
  best: Best,
): void {
  const { runs, isTalk } = segment.messages;
  const leastTerms = needsAll ? query.terms.length : 0;
  let [start, end] = [0, 0];
  const talkScore = (place: number): number =>
    place >= start && place < end && isTalk[place] === 1 ? scores.of(place) : 0;
  const mostLift = NEIGHBOUR_SHARE * scores.highest;
  let place = scores.nextFrom(0);
  for (const run of runs) {
    [start, end] = [end, end + run.count];
    const ofRun = new Best(limitEach);
    let isRunWanted: boolean | undefined;
    for (; place < end; place = scores.nextFrom(place + 1)) {
      if (scores.of(place) + mostLift <= best.least) continue;
      const lift = isTalk[place] === 1 ? NEIGHBOUR_SHARE * Math.max(talkScore(place - 1), talkScore(place + 1)) : 0;
      const score = scores.of(place) + lift;
      if (score <= Math.max(ofRun.least, best.least) || scores.termCount(place) < leastTerms) continue;
      if (!(isRunWanted ??= isWanted(run.conversation))) break;
      ofRun.add({ conversation: run.conversation, id: messageId(run.first + place - start), score });
    }
    if (place < end) place = scores.nextFrom(end);
    for (const message of ofRun.messages) best.add(message);
  }
}

/** The best messages so far. */
class Best {
  readonly #limit: number;
  readonly #messages: FoundMessage[] = [];
  #least = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Best first, the first added of equals. */
  get messages(): readonly FoundMessage[] {
    return this.#messages;
  }

  /** Only better ones are wanted. */
  get least(): number {
    return this.#least;
  }

  add(message: FoundMessage): void {
    let at = this.#messages.length;
    while (at > 0 && (this.#messages[at - 1]?.score ?? 0) < message.score) at--;
    this.#messages.splice(at, 0, message);
    if (this.#messages.length > this.#limit) this.#messages.pop();
    if (this.#messages.length === this.#limit) this.#least = this.#messages.at(-1)?.score ?? 0;
  }
}
