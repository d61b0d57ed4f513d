/**
 * Full-text search in all conversations: in the open one through its store, in the others by reading their files. Those
 * open in another window are not searched, only counted.
 */

import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { FolderSearch } from "../../../adapters/sqlite/search/folderSearch.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ConversationStore } from "../../../core/store/conversationStore.ts";
import { parseQuery } from "../../../core/search/searchQuery.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";

/** Maximum of hits for one conversation: the list shows the best one and their number. */
export const HITS_PER_CONVERSATION = 20;
/**
 * Matches queries too short to search: one Latin, Greek or Cyrillic letter is in every message; one Chinese character
 * is a word.
 */
const TOO_SHORT = /^[\x20-\x7e\u00a0-\u024f\u0370-\u052f]?$/;

export interface ConversationsSearch {
  readonly listings: readonly ConversationListing[];
  /** The open conversation. */
  readonly open: { readonly id: ConversationId; readonly store: Pick<ConversationStore, "search"> } | undefined;
  readonly folders: FolderSearch;
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

/** Last used first; `undefined` when cancelled. */
export async function searchConversations(
  query: string,
  { listings, open, folders, found, cancel }: ConversationsSearch,
): Promise<SkippedConversations | undefined> {
  const report = (id: ConversationId, hits: readonly SearchHit[]): void => {
    if (hits.length > 0 && !cancel.aborted) found(id, hits);
  };
  let unreadable = 0;
  const free = listings.filter(
    ({ id, openIn, broken }) => id !== open?.id && openIn === "free" && broken === undefined,
  );
  const elsewhere = listings.filter(({ id, openIn }) => id !== open?.id && openIn !== "free").length;
  const byFolder = new Map(free.map(({ folder, id }) => [folder, id]));
  const inFolders = folders.search(
    { query, limit: HITS_PER_CONVERSATION, folders: free.map(({ folder }) => folder) },
    {
      cancel,
      found: (folder, hits) => {
        const id = byFolder.get(folder);
        if (hits === undefined) unreadable++;
        else if (id !== undefined) report(id, hits);
      },
    },
  );
  const own = await open?.store.search(query, { limit: HITS_PER_CONVERSATION });
  if (open !== undefined && own?.ok === true) report(open.id, own.value);
  else if (own?.ok === false) unreadable++;
  const isWhole = await inFolders;
  unreadable += listings.filter(({ broken }) => broken !== undefined).length;
  return cancel.aborted || !isWhole ? undefined : { elsewhere, unreadable };
}
