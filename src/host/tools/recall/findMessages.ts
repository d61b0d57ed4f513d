/** Finds earlier messages of a conversation in the full history, whether or not they are still sent. */

import type { FullHistory } from "../../../core/history/fullHistory.ts";
import { storedWithoutExcluded } from "../../../core/history/exclusion.ts";
import type { MessageId } from "../../../core/ids.ts";
import type { OpenStore } from "../../../core/store/conversationStore.ts";
import type { StoredMessage } from "../../../core/message.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";
import { searchExcerpt } from "../../../core/search/searchExcerpt.ts";
import { matchQuery, parseQuery } from "../../../core/search/searchQuery.ts";
import { searchText } from "../../../core/search/searchText.ts";

/** Messages in one result. */
const MOST_HITS = 10;
/** More than `MOST_HITS`, as some hits are hidden. */
const SEARCHED_HITS = 40;
const EXCERPT_CHARS = 600;
/** Words searched one by one when no message has all of them. */
const MOST_WORDS = 8;

export interface RecalledConversation {
  readonly history: FullHistory;
  readonly store: Pick<OpenStore, "search" | "readMessages">;
}

/** A hit, with the text around the matched words. */
export interface FoundMessage {
  readonly stored: StoredMessage;
  readonly excerpt: string;
}

export interface FoundMessages {
  /** Best first. */
  readonly found: readonly FoundMessage[];
  /** False when no message has all of the words, and these have some. */
  readonly haveAllWords: boolean;
}

export interface MessageSearch {
  readonly query: string;
  /** Messages that need not be found; absent: none. */
  readonly known?: ReadonlySet<MessageId>;
}

/** The visible messages with all of the words, or else those with the most of them. The error is for the model. */
export async function findMessages(
  { query, known = new Set() }: MessageSearch,
  { store, history }: RecalledConversation,
): Promise<Result<FoundMessages, string>> {
  const searchVisible = async (words: string): Promise<Result<readonly SearchHit[], string>> => {
    const found = await store.search(words, { limit: SEARCHED_HITS + known.size });
    if (!found.ok) return err(`The history could not be searched: ${found.error.detail}`);
    return ok(found.value.filter(({ id }) => !known.has(id) && history.isVisible(history.entry(id))));
  };
  const all = await searchVisible(query);
  if (!all.ok) return all;
  const words = query.split(/\s+/u).slice(0, MOST_WORDS);
  const someOf = all.value.length > 0 || words.length < 2 ? ok([]) : await withMostWords(words, searchVisible);
  if (!someOf.ok) return someOf;
  const hits = [...all.value, ...someOf.value].slice(0, MOST_HITS);
  const stored = await store.readMessages(hits.map(({ id }) => id));
  if (!stored.ok) return err(`The messages could not be read: ${stored.error.detail}`);
  const found = stored.value.flatMap((read, index): readonly FoundMessage[] => {
    const message = storedWithoutExcluded(read, history.entry(read.entry.id));
    const excerpt = wordsAround(query, message, message === read ? hits[index] : undefined);
    return excerpt === "" && message.message !== read.message ? [] : [{ stored: message, excerpt }];
  });
  return ok({ found, haveAllWords: all.value.length > 0 });
}

/** Longer than in a list of results: the answer is near the matched words, and should not need another call. */
function wordsAround(query: string, { message }: StoredMessage, hit: SearchHit | undefined): string {
  const text = searchText(message);
  const parsed = parseQuery(query);
  const match = parsed === undefined ? undefined : matchQuery(parsed, text);
  return match === undefined ? (hit?.excerpt ?? "") : searchExcerpt(text, match, EXCERPT_CHARS);
}

async function withMostWords(
  words: readonly string[],
  searchVisible: (words: string) => Promise<Result<readonly SearchHit[], string>>,
): Promise<Result<readonly SearchHit[], string>> {
  const found = new Map<MessageId, { readonly hit: SearchHit; times: number }>();
  for (const word of words) {
    const hits = await searchVisible(word);
    if (!hits.ok) return hits;
    for (const hit of hits.value) {
      const known = found.get(hit.id);
      if (known === undefined) found.set(hit.id, { hit, times: 1 });
      else known.times++;
    }
  }
  const best = [...found.values()].sort((one, other) => other.times - one.times || other.hit.id - one.hit.id);
  return ok(best.map(({ hit }) => hit));
}
