/**
 * Full-text search in all conversations: in the open one through its store, in the others by their index. Those open in
 * another window are not searched, only counted.
 */

import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { FullHistory } from "../../../core/history/fullHistory.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { ConversationStore } from "../../../core/store/conversationStore.ts";
import { parseQuery } from "../../../core/search/searchQuery.ts";
import type { SearchIndex } from "../../search/searchIndex.ts";
import type { IndexHit } from "../../search/searchIndexProtocol.ts";

/** Maximum of hits for one conversation: a list shows the best ones and their number. */
export const HITS_PER_CONVERSATION = 20;
/** More than anyone reads; a rarer word finds the others. The open conversation comes on top. */
export const MOST_CONVERSATIONS = 100;
/**
 * Matches queries too short to search: one Latin, Greek or Cyrillic letter is in every message; one Chinese character
 * is a word.
 */
const TOO_SHORT = /^[\x20-\x7e\u00a0-\u024f\u0370-\u052f]?$/;

export interface SearchedConversation {
  readonly id: ConversationId;
  readonly store: Pick<ConversationStore, "searchRanked">;
  readonly manager: { readonly history: Pick<FullHistory, "entry"> };
}

export interface ConversationsSearch {
  readonly listings: readonly ConversationListing[];
  /** The open conversation. */
  readonly open: SearchedConversation | undefined;
  /** Knows the listings. */
  readonly index: Pick<SearchIndex, "search">;
  /** Called once for each conversation with hits, best hit first. */
  readonly found: (id: ConversationId, hits: readonly IndexHit[]) => void;
  readonly cancel: CancelSignal;
}

/** Conversations that a finished search did not tell. */
export interface SearchGaps {
  /** Number of conversations that are open in another window, or possibly so. */
  readonly elsewhere: number;
  readonly unreadable: number;
  /** More than `MOST_CONVERSATIONS` match. */
  readonly isMore: boolean;
}

export function isSearchable(query: string): boolean {
  return !TOO_SHORT.test(query.trim()) && parseQuery(query) !== undefined;
}

/** `undefined` when cancelled. */
export async function searchConversations(
  query: string,
  { listings, open, index, found, cancel }: ConversationsSearch,
): Promise<SearchGaps | undefined> {
  const report = (id: ConversationId, hits: readonly IndexHit[]): void => {
    if (hits.length > 0 && !cancel.aborted) found(id, hits);
  };
  let othersCount = 0;
  const elsewhere = listings.filter(({ id, openIn }) => id !== open?.id && openIn !== "free").length;
  const wanted = { isOpen: true, needsAll: true } as const;
  const inOthers = index.search(
    { ...wanted, question: query, hitsEach: HITS_PER_CONVERSATION, conversationLimit: MOST_CONVERSATIONS + 1 },
    {
      cancel,
      found: (id, hits) => {
        if (++othersCount <= MOST_CONVERSATIONS) report(id, hits);
      },
    },
  );
  const own = await open?.store.searchRanked(query, { ...wanted, limit: HITS_PER_CONVERSATION });
  if (open !== undefined && own?.ok === true) {
    const { history } = open.manager;
    report(
      open.id,
      own.value.map((hit) => ({ ...hit, entry: history.entry(hit.id) })),
    );
  }
  const unreadable = await inOthers;
  if (cancel.aborted || unreadable === undefined) return undefined;
  const broken = listings.filter((listing) => listing.broken !== undefined).length;
  return {
    elsewhere,
    unreadable: unreadable + broken + Number(own?.ok === false),
    isMore: othersCount > MOST_CONVERSATIONS,
  };
}
