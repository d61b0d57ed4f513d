/**
 * Full-text search in all conversations: in the open one through its store, in the others by their index. Those open in
 * another window are not searched, only counted.
 */

import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ConversationStore } from "../../../core/store/conversationStore.ts";
import { parseQuery } from "../../../core/search/searchQuery.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";
import type { SearchIndex } from "../../search/searchIndex.ts";

/** Maximum of hits for one conversation: the list shows the best one and their number. */
export const HITS_PER_CONVERSATION = 20;
/** More than anyone reads; a rarer word finds the others. */
const MOST_CONVERSATIONS = 100;
/**
 * Matches queries too short to search: one Latin, Greek or Cyrillic letter is in every message; one Chinese character
 * is a word.
 */
const TOO_SHORT = /^[\x20-\x7e\u00a0-\u024f\u0370-\u052f]?$/;

export interface ConversationsSearch {
  readonly listings: readonly ConversationListing[];
  /** The open conversation. */
  readonly open: { readonly id: ConversationId; readonly store: Pick<ConversationStore, "searchRanked"> } | undefined;
  /** Knows the listings. */
  readonly index: Pick<SearchIndex, "search">;
  /** Called once for each conversation with hits, best hit first. */
  readonly found: (id: ConversationId, hits: readonly SearchHit[]) => void;
  readonly cancel: CancelSignal;
}

/** Numbers of conversations that were not searched. */
export interface SkippedConversations {
  /** Open in another window, or possibly so. */
  readonly elsewhere: number;
  readonly unreadable: number;
}

export function isSearchable(query: string): boolean {
  return !TOO_SHORT.test(query.trim()) && parseQuery(query) !== undefined;
}

/** `undefined` when cancelled. */
export async function searchConversations(
  query: string,
  { listings, open, index, found, cancel }: ConversationsSearch,
): Promise<SkippedConversations | undefined> {
  const report = (id: ConversationId, hits: readonly SearchHit[]): void => {
    if (hits.length > 0 && !cancel.aborted) found(id, hits);
  };
  const elsewhere = listings.filter(({ id, openIn }) => id !== open?.id && openIn !== "free").length;
  const wanted = { isOpen: true, needsAll: true } as const;
  const inOthers = index.search(
    { ...wanted, question: query, hitsEach: HITS_PER_CONVERSATION, conversationLimit: MOST_CONVERSATIONS },
    { cancel, found: report },
  );
  const own = await open?.store.searchRanked(query, { ...wanted, limit: HITS_PER_CONVERSATION });
  if (open !== undefined && own?.ok === true) report(open.id, own.value);
  const unreadable = await inOthers;
  if (cancel.aborted || unreadable === undefined) return undefined;
  const broken = listings.filter((listing) => listing.broken !== undefined).length;
  return { elsewhere, unreadable: unreadable + broken + Number(own?.ok === false) };
}
