/** Search of all conversations while the user types into a picker: after a pause, with the results as they arrive. */

import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { ConversationId } from "../../../core/ids.ts";
import { Emitter } from "../../background/emitter.ts";
import type { BugReporter } from "../../editor/bugReporter.ts";
import type { IndexHit } from "../../search/searchIndexProtocol.ts";
import type { Conversations } from "../conversations.ts";
import { isSearchable, searchConversations, type SearchGaps } from "./searchConversations.ts";

/** Debounce of the search. */
const TYPING_PAUSE_MS = 150;
/** Throttle of the changes while hits arrive. */
const CHANGE_MS = 120;

export class LiveSearch {
  readonly #conversations: Pick<Conversations, "session" | "index">;
  readonly #bugs: Pick<BugReporter, "report">;
  readonly #changes = new Emitter<void>();
  #query = "";
  #hits = new Map<ConversationId, readonly IndexHit[]>();
  #gaps: SearchGaps | undefined;
  #search = new AbortController();
  #pause: NodeJS.Timeout | undefined;
  #change: NodeJS.Timeout | undefined;
  #isRunning = false;

  /** There are hits that were not shown yet, or the search is over. */
  readonly onDidChange = this.#changes.event;

  constructor(conversations: Pick<Conversations, "session" | "index">, bugs: Pick<BugReporter, "report">) {
    this.#conversations = conversations;
    this.#bugs = bugs;
  }

  /** Query of the hits, which follows what is typed after a pause. */
  get query(): string {
    return this.#query;
  }

  /** Hits so far by conversation, best first. */
  get hits(): ReadonlyMap<ConversationId, readonly IndexHit[]> {
    return this.#hits;
  }

  /** `undefined` until a search of what is typed has finished. */
  get gaps(): SearchGaps | undefined {
    return this.#gaps;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Searches `listings` for what is typed now, instead of what was typed before. */
  type(query: string, listings: readonly ConversationListing[]): void {
    this.stop();
    this.#gaps = undefined;
    if (!isSearchable(query)) {
      this.#begin(query);
      this.#changes.fire();
      return;
    }
    this.#isRunning = true;
    this.#pause = setTimeout(() => {
      this.#run(query, listings).catch(this.#bugs.report);
    }, TYPING_PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#pause);
    clearTimeout(this.#change);
    this.#change = undefined;
    this.#search.abort();
    this.#isRunning = false;
  }

  #begin(query: string): void {
    this.#query = query;
    this.#hits = new Map();
  }

  async #run(query: string, listings: readonly ConversationListing[]): Promise<void> {
    const search = new AbortController();
    this.#search = search;
    this.#begin(query);
    const { session, index } = this.#conversations;
    const gaps = await searchConversations(query, {
      listings,
      open: session?.opened,
      index,
      cancel: search.signal,
      found: (id, hits) => {
        this.#hits.set(id, hits);
        this.#change ??= setTimeout(() => {
          this.#change = undefined;
          this.#changes.fire();
        }, CHANGE_MS);
      },
    });
    if (search.signal.aborted) return;
    this.stop();
    this.#gaps = gaps;
    this.#changes.fire();
  }
}
