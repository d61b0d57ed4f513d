/**
 * Looks for words in everything that was ever said: in the open conversation through its own store, in those that nobody
 * has open by reading their files. What another window has is left to it, and told.
 */

import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { FolderSearch } from "../../../adapters/sqlite/search/folderSearch.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ConversationStore } from "../../../core/store/conversationStore.ts";
import { parseQuery } from "../../../core/search/searchQuery.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";

/** The best so many of each conversation: the list shows one, and how many more there are. */
export const HITS_OF_EACH = 20;
/** A single letter of an alphabet is in every message; a single Chinese character is a word. */
const SAYS_LITTLE = /^[\x20-\x7e\u00a0-\u024f\u0370-\u052f]?$/;

/** Where is searched, and who is told. */
export interface ConversationsSearch {
  readonly listings: readonly ConversationListing[];
  /** What is open here; its store is asked. */
  readonly open: { readonly id: ConversationId; readonly store: Pick<ConversationStore, "search"> } | undefined;
  readonly folders: FolderSearch;
  /** Called with what is in a conversation, for each in which something is; the best hit first. */
  readonly found: (id: ConversationId, hits: readonly SearchHit[]) => void;
  readonly cancel: CancelSignal;
}

/** What was not searched. */
export interface SearchedConversations {
  /** Open in another window, or nobody can tell. */
  readonly elsewhere: number;
  /** Could not be read. */
  readonly unreadable: number;
}

/** Whether it is worth searching for `query` in everything. */
export function isSearchable(query: string): boolean {
  return !SAYS_LITTLE.test(query.trim()) && parseQuery(query) !== undefined;
}

/** Searches all, those used last first; `undefined` when it was cancelled. */
export async function searchConversations(
  query: string,
  { listings, open, folders, found, cancel }: ConversationsSearch,
): Promise<SearchedConversations | undefined> {
  const tell = (id: ConversationId, hits: readonly SearchHit[]): void => {
    if (hits.length > 0 && !cancel.aborted) found(id, hits);
  };
  let unreadable = 0;
  const free = listings.filter(
    ({ id, openIn, broken }) => id !== open?.id && openIn === "free" && broken === undefined,
  );
  const elsewhere = listings.filter(({ id, openIn }) => id !== open?.id && openIn !== "free").length;
  const byFolder = new Map(free.map(({ folder, id }) => [folder, id]));
  const inFolders = folders.search(
    { query, limit: HITS_OF_EACH, folders: free.map(({ folder }) => folder) },
    {
      cancel,
      found: (folder, hits) => {
        const id = byFolder.get(folder);
        if (hits === undefined) unreadable++;
        else if (id !== undefined) tell(id, hits);
      },
    },
  );
  const own = await open?.store.search(query, { limit: HITS_OF_EACH });
  if (open !== undefined && own?.ok === true) tell(open.id, own.value);
  else if (own?.ok === false) unreadable++;
  const isWhole = await inFolders;
  unreadable += listings.filter(({ broken }) => broken !== undefined).length;
  return cancel.aborted || !isWhole ? undefined : { elsewhere, unreadable };
}
