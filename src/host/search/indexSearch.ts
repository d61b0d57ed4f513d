/**
 * One search of all conversations. Their index names the messages that may answer; these are read, which proves that
 * they are still there, and ranked by their texts. Conversations that the index does not have yet are searched one by one.
 */

import type { CooperativeTask } from "../../core/cooperativeTask.ts";
import { messageId, type ConversationId, type MessageId } from "../../core/ids.ts";
import { BestHits } from "../../core/search/bestHits.ts";
import type { IndexStatistics } from "../../core/search/ranking/bm25.ts";
import { parseRankedQuery } from "../../core/search/ranking/rankedQuery.ts";
import {
  bestOf,
  rankedSearch,
  type RankedHit,
  type RankedRequest,
  type RankedSource,
} from "../../core/search/ranking/rankedSearch.ts";
import { Ranking } from "../../core/search/ranking/ranking.ts";
import type { StemCache } from "../../core/search/ranking/terms.ts";
import { parseQuery } from "../../core/search/searchQuery.ts";
import type { Segment } from "../../core/search/segments/segment.ts";
import { searchSegments, type FoundMessage } from "../../core/search/segments/segmentSearch.ts";
import type { RecalledMessages } from "../../adapters/sqlite/search/recalledMessages.ts";
import type { IndexHit, IndexQuery } from "./searchIndexProtocol.ts";

export interface SearchedConversations {
  readonly segments: readonly Segment[];
  /** Those that the index has as they are now. */
  readonly indexed: ReadonlySet<ConversationId>;
  /** Those that are searched without it, in this order. */
  readonly others: readonly ConversationId[];
  /** `undefined` when the conversation cannot be read. The caller closes it. */
  readonly open: (id: ConversationId) => OpenedConversation | undefined;
}

type Texts = Pick<RankedSource, "end" | "read">;

export interface OpenedConversation {
  readonly texts: Texts;
  /** Of the conversation alone: what searches it where the index over all does not. */
  readonly ownIndex: () => Pick<RankedSource, "indexedCount" | "named">;
  /** As a model may be told them; `undefined`: not at all. */
  readonly recalled: () => CooperativeTask<Pick<RecalledMessages, "read"> | undefined>;
  /** `undefined` when it cannot be read. */
  readonly entry: (id: MessageId) => IndexHit["entry"] | undefined;
  readonly close: () => void;
}

export interface ConversationHits {
  readonly conversation: ConversationId;
  readonly hits: readonly IndexHit[];
}

/** Pauses every few milliseconds; `found` is called for each conversation with hits. Returns how many were unreadable. */
export function* indexSearch(
  { question, isOpen, needsAll, hitsEach, conversationLimit, excerptLength, isForModel = false }: IndexQuery,
  { segments, indexed, others, open }: SearchedConversations,
  stems: StemCache,
  found: (hits: ConversationHits) => void,
): CooperativeTask<number> {
  let unreadable = 0;
  const search = function* (
    id: ConversationId,
    work: (texts: Texts, ownIndex: OpenedConversation["ownIndex"]) => CooperativeTask<readonly RankedHit[]>,
  ): CooperativeTask<void> {
    const opened = open(id);
    if (opened === undefined) {
      unreadable++;
      return;
    }
    try {
      const recalled = isForModel ? yield* opened.recalled() : undefined;
      if (isForModel && recalled === undefined) return;
      const { texts, ownIndex } = opened;
      const told = recalled ? { ...texts, read: (message: MessageId) => recalled.read(message)?.message } : texts;
      const hits = yield* work(told, ownIndex);
      const listed = hits.flatMap((hit) => {
        const entry = opened.entry(hit.id);
        return entry === undefined ? [] : [{ ...hit, entry }];
      });
      if (listed.length > 0) found({ conversation: id, hits: listed });
    } finally {
      opened.close();
    }
  };
  const query = parseRankedQuery(question, stems, isOpen);
  if (query === undefined) {
    for (const id of [...indexed, ...others]) yield* search(id, (texts) => searchVerbatim(question, texts, hitsEach));
    return unreadable;
  }
  const request = { query, limit: hitsEach, needsAll, excerptLength };
  const { messages, statistics } = yield* searchSegments(
    segments,
    {
      query,
      isWanted: (id) => indexed.has(id),
      needsAll,
      limit: hitsEach * conversationLimit,
      limitEach: hitsEach,
    },
    stems,
  );
  for (const [id, named] of byConversation(messages, conversationLimit)) {
    yield* search(id, (texts) => rankNamed(named, texts, { request, statistics }, stems));
  }
  for (const id of others)
    yield* search(id, (texts, ownIndex) => rankedSearch(request, { ...texts, ...ownIndex() }, stems));
  return unreadable;
}

/** Text without words, such as `=>`, is in no index. */
function* searchVerbatim(question: string, { end, read }: Texts, limit: number): CooperativeTask<readonly RankedHit[]> {
  const query = parseQuery(question);
  if (query === undefined) return [];
  const best = new BestHits(query, limit);
  for (let id = end - 1; id >= 0; id--) {
    const message = read(messageId(id));
    if (message !== undefined) best.add(messageId(id), message);
    yield;
  }
  return best.list.map((hit) => ({ ...hit, words: [], hasAll: true, exact: 0, score: 0 }));
}

function* rankNamed(
  ids: readonly MessageId[],
  texts: Texts,
  {
    request,
    statistics,
  }: {
    readonly request: RankedRequest;
    readonly statistics: IndexStatistics;
  },
  stems: StemCache,
): CooperativeTask<readonly RankedHit[]> {
  const ranking = new Ranking(request.query, stems);
  for (const id of ids) {
    const message = id < texts.end ? texts.read(id) : undefined;
    if (message !== undefined) yield* ranking.add(id, message);
    yield;
  }
  return yield* bestOf(ranking, request, { ...texts, statistics }, stems);
}

/** The conversation of the best message first. */
function byConversation(
  messages: readonly FoundMessage[],
  limit: number,
): ReadonlyMap<ConversationId, readonly MessageId[]> {
  const ids = new Map<ConversationId, MessageId[]>();
  for (const { conversation, id } of messages) {
    const some = ids.get(conversation);
    if (some !== undefined) some.push(id);
    else if (ids.size < limit) ids.set(conversation, [id]);
  }
  return ids;
}
