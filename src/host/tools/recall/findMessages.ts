/** Finds earlier messages of a conversation in the full history, whether or not they are still sent. */

import type { FullHistory } from "../../../core/history/fullHistory.ts";
import { storedWithoutExcluded } from "../../../core/history/exclusion.ts";
import type { MessageId } from "../../../core/ids.ts";
import type { OpenStore } from "../../../core/store/conversationStore.ts";
import type { StoredMessage } from "../../../core/message.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { RankedHit } from "../../../core/search/ranking/rankedSearch.ts";
import { searchExcerpt } from "../../../core/search/searchExcerpt.ts";
import { searchText } from "../../../core/search/searchText.ts";

/** Messages in one result. */
const MOST_HITS = 10;
/** More than `MOST_HITS`, as some hits are hidden. */
const SEARCHED_HITS = 40;
/** Longer than in a list of results: the answer is near the matched words, and should not need another call. */
const EXCERPT_CHARS = 600;

export interface RecalledConversation {
  readonly history: FullHistory;
  readonly store: Pick<OpenStore, "searchRanked" | "readMessages">;
}

/** A hit, with the text around the matched words. */
export interface FoundMessage {
  readonly stored: StoredMessage;
  readonly excerpt: string;
  /** It has none of the words: it stands beside one that has. */
  readonly isBeside: boolean;
}

export interface FoundMessages {
  /** Best first. */
  readonly found: readonly FoundMessage[];
  /** False when none of these has all of the words. */
  readonly haveAllWords: boolean;
}

export interface MessageSearch {
  readonly query: string;
  /** Messages that need not be found; absent: none. */
  readonly known?: ReadonlySet<MessageId>;
}

/** The visible messages that have the rarest of the words, or stand next to them in a talk. The error is for the model. */
export async function findMessages(
  { query, known = new Set() }: MessageSearch,
  { store, history }: RecalledConversation,
): Promise<Result<FoundMessages, string>> {
  const searched = await store.searchRanked(query, {
    limit: SEARCHED_HITS + known.size,
    excerptLength: EXCERPT_CHARS,
  });
  if (!searched.ok) return err(`The history could not be searched: ${searched.error.detail}`);
  const shown = searched.value.filter(({ id }) => !known.has(id) && history.isVisible(history.entry(id)));
  const matching = new Set<number>(shown.filter((hit) => !isBeside(hit)).map(({ id }) => id));
  // What stands only beside a known message, such as the question itself, is no answer to it.
  const isWanted = ({ id }: RankedHit): boolean => [id - 1, id, id + 1].some((near) => matching.has(near));
  const hits = shown.filter(isWanted).slice(0, MOST_HITS);
  const stored = await store.readMessages(hits.map(({ id }) => id));
  if (!stored.ok) return err(`The messages could not be read: ${stored.error.detail}`);
  const found = stored.value.flatMap((read, index): readonly FoundMessage[] => {
    const message = storedWithoutExcluded(read, history.entry(read.entry.id));
    const hit = hits[index];
    const excerpt = message.message === read.message ? hit?.excerpt : excerptOfRest(message, hit);
    return excerpt === undefined ? [] : [{ stored: message, excerpt, isBeside: hit !== undefined && isBeside(hit) }];
  });
  return ok({ found, haveAllWords: hits.some(({ hasAll }) => hasAll) });
}

/** A query without words is found as it stands, and then has all. */
function isBeside({ words, hasAll }: RankedHit): boolean {
  return words.length === 0 && !hasAll;
}

/** Around the first word that is left; `undefined` when all of them were excluded. */
function excerptOfRest({ message }: StoredMessage, hit: RankedHit | undefined): string | undefined {
  const text = searchText(message);
  const start = hit?.words.map((word) => text.indexOf(word)).find((at) => at >= 0);
  return start === undefined ? undefined : searchExcerpt(text, { start }, EXCERPT_CHARS);
}
