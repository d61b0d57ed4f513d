/**
 * A search for messages with any of the words of a question, best first. An index names candidates: those of the rarest
 * terms, up to a bound; more frequent terms only rank what these found. Messages not indexed yet are all read.
 */

import type { CooperativeTask } from "../../cooperativeTask.ts";
import { messageId, type MessageId } from "../../ids.ts";
import type { Message } from "../../message.ts";
import type { SearchHit } from "../bestHits.ts";
import { EXCERPT_LENGTH } from "../searchExcerpt.ts";
import { LONGEST_TERM } from "../searchTerms.ts";
import { searchText } from "../searchText.ts";
import { searchWords } from "../searchWords.ts";
import type { IndexStatistics } from "./bm25.ts";
import { featuresOfLines, NewsFinder, type KnownTexts, type News } from "./news.ts";
import { rankedExcerpt } from "./rankedExcerpt.ts";
import { commonBeginning, SHORTEST_PREFIX, type QueryTerm, type RankedQuery } from "./rankedQuery.ts";
import { Ranking } from "./ranking.ts";
import { isStopWord, languageOf } from "./stopWords.ts";
import { partsOf, type StemCache } from "./terms.ts";

/** Words of an index; with `isPrefix`, all that begin so. Several: any of them. */
export interface IndexedWords {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

export interface NamedMessages {
  /** Number of messages with the words; at least the limit for a prefix that so many have. */
  readonly count: number;
  /** Newest first, as many as asked for; not told for such a prefix. */
  readonly ids: readonly MessageId[];
}

export interface RankedSource {
  /** Messages from here on are not searched. */
  readonly end: number;
  readonly read: (id: MessageId) => Message | undefined;
  /** Messages with a lower id are in the index; 0 without one. */
  readonly indexedCount: number;
  /** The messages before `end` with some words; `undefined` when the index cannot tell. */
  readonly named: (words: IndexedWords, end: number, limit: number) => NamedMessages | undefined;
}

export interface RankedRequest {
  readonly query: RankedQuery;
  readonly limit: number;
  /** Only messages with all terms. */
  readonly needsAll?: boolean | undefined;
  /** In UTF-16 units. */
  readonly excerptLength?: number | undefined;
  /**
   * Only messages that are not among these; hits tell their news. A request waits for it, so nothing is found while the
   * index lacks too many messages to be read.
   */
  readonly known?: KnownTexts | undefined;
}

export interface RankedHit extends SearchHit {
  /** Words of the text by which it was found; none for one that stands next to what was found. */
  readonly words: readonly string[];
  /** The text has all words of the question but stop words. */
  readonly hasAll: boolean;
  /** Number of quotes and pieces of code that the text has as they stand, before which no score counts. */
  readonly exact: number;
  readonly score: number;
  /** Absent where the request names nothing that is known. */
  readonly news?: News;
}

/** Indexed messages read for one search. */
const MOST_CANDIDATES = 2_000;
/** The same for a search that a request waits for: each takes a fifth of a millisecond. */
const MOST_WAITED_FOR = 600;
/** Length of the passages of known texts, in UTF-16 units. */
const KNOWN_PASSAGE = 600;
/** Messages read for the mean length. */
const SAMPLE = 200;
const SAMPLED_UNITS = 20_000;

/** Pauses every millisecond or so. */
export function* rankedSearch(
  request: RankedRequest,
  source: RankedSource,
  stems: StemCache,
): CooperativeTask<readonly RankedHit[]> {
  const { query } = request;
  const ranking = new Ranking(query, stems);
  const indexed = Math.min(source.end, source.indexedCount);
  const add = function* (ids: Iterable<MessageId>): CooperativeTask<void> {
    for (const id of ids) {
      const message = ranking.has(id) ? undefined : source.read(id);
      if (message !== undefined) yield* ranking.add(id, message);
      yield;
    }
  };
  const isWaitedFor = request.known !== undefined;
  if (isWaitedFor && source.end - indexed > MOST_CANDIDATES) return [];
  yield* add(downFrom(source.end, indexed));
  const named = yield* candidates(query, source, indexed, isWaitedFor ? MOST_WAITED_FOR : MOST_CANDIDATES);
  if (isWaitedFor && named === undefined && indexed > MOST_CANDIDATES) return [];
  yield* add(named?.ids ?? downFrom(indexed, 0));
  const statistics: IndexStatistics = {
    textCount: source.end,
    averageLength: yield* averageLength(source),
    textsWith: ranking.textsWith.map((texts, term) => Math.max(texts, named?.counts[term] ?? 0)),
  };
  return yield* bestOf(ranking, request, { ...source, statistics }, stems);
}

/** The messages of `ranking`, and in talk those next to the best of them. */
export function* bestOf(
  ranking: Ranking,
  { query, limit, needsAll = false, excerptLength = EXCERPT_LENGTH, known }: RankedRequest,
  { statistics, end, read }: Pick<RankedSource, "end" | "read"> & { readonly statistics: IndexStatistics },
  stems: StemCache,
): CooperativeTask<readonly RankedHit[]> {
  for (const id of ranking.neighbours(2 * limit, statistics, end)) {
    const message = read(id);
    if (message !== undefined) yield* ranking.add(id, message);
    yield;
  }
  const hits: RankedHit[] = [];
  const knownIds = new Set(known?.ids);
  const finder = known && (yield* newsFinder(known, ranking, { query, statistics, stems, read }));
  for (const { id, hasAll, exact, score } of ranking.best(limit, statistics, { needsAll, known: knownIds })) {
    const message = read(id);
    if (message === undefined) continue;
    const { passage, ...found } = yield* rankedExcerpt(
      { query, stems, statistics },
      searchText(message),
      excerptLength,
    );
    const news = finder?.newsIn(passage);
    hits.push({ id, hasAll, exact, score, ...found, ...(news && { news }) });
    yield;
  }
  return hits;
}

/** Compares passages with passages: a long text has most words somewhere. */
function* newsFinder(
  { ids, texts }: KnownTexts,
  ranking: Ranking,
  {
    read,
    ...search
  }: Pick<RankedSource, "read"> & {
    readonly query: RankedQuery;
    readonly statistics: IndexStatistics;
    readonly stems: StemCache;
  },
): CooperativeTask<NewsFinder> {
  const { query, statistics, stems } = search;
  const known = [...(yield* featuresOfLines(texts, query, stems))];
  for (const id of ids) {
    const message = ranking.has(id) ? read(id) : undefined;
    if (message === undefined) continue;
    known.push((yield* rankedExcerpt(search, searchText(message), KNOWN_PASSAGE)).passage.features);
    yield;
  }
  return new NewsFinder(query, { ...statistics, textsWithPair: ranking.textsWithPair }, known);
}

function* candidates(
  { terms }: RankedQuery,
  source: RankedSource,
  end: number,
  most: number,
): CooperativeTask<{ readonly ids: ReadonlySet<MessageId>; readonly counts: readonly number[] } | undefined> {
  const found: (NamedMessages & { readonly isWhole: boolean })[] = [];
  if (end === 0) return { ids: new Set(), counts: [] };
  for (const term of terms) {
    const named = yield* namedBy(term, source, end);
    if (named === undefined) return undefined;
    found.push(named);
    yield;
  }
  const ids = new Set<MessageId>();
  for (const { ids: more } of found.toSorted((one, other) => one.count - other.count)) {
    for (const id of more) if (ids.size < most) ids.add(id);
  }
  // A term that names all of its messages is counted in them.
  return { ids, counts: found.map(({ count, isWhole }) => (isWhole && ids.size < most ? 0 : count)) };
}

/** By the beginning that all forms of a word share, or only by the forms of the query where that names too many. */
function* namedBy(
  term: QueryTerm,
  { named }: RankedSource,
  end: number,
): CooperativeTask<(NamedMessages & { readonly isWhole: boolean }) | undefined> {
  const prefix = commonBeginning(term);
  if (prefix.length >= Math.min(SHORTEST_PREFIX, term.folded.length)) {
    const all = named({ words: [prefix], isPrefix: true }, end, MOST_CANDIDATES);
    if (all === undefined || all.count < MOST_CANDIDATES) return all && { ...all, isWhole: true };
    yield;
  }
  const { english, german } = term.stems;
  const words = [...new Set([term.folded.slice(0, LONGEST_TERM), english, german])];
  const forms = named({ words, isPrefix: false }, end, MOST_CANDIDATES);
  return forms && { ...forms, isWhole: false };
}

/** Of evenly spaced messages. */
function* averageLength({ end, read }: RankedSource): CooperativeTask<number> {
  const count = Math.min(end, SAMPLE);
  let terms = 0;
  for (let at = 0; at < count; at++) {
    const message = read(messageId(Math.floor((at * end) / count)));
    const text = message === undefined ? "" : searchText(message);
    const words = [...searchWords(text.slice(0, SAMPLED_UNITS))];
    const scale = Math.max(1, text.length / SAMPLED_UNITS);
    const language = languageOf(words);
    for (const word of words) {
      for (const { folded, isWhole } of partsOf(word)) if (!isWhole && !isStopWord(folded, language)) terms += scale;
    }
    yield;
  }
  return count === 0 ? 0 : terms / count;
}

function* downFrom(end: number, start: number): Generator<MessageId, void> {
  for (let id = end - 1; id >= start; id--) yield messageId(id);
}
