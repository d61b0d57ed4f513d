/**
 * Thread side of the index over all conversations: answers searches in slices, the newest first, and fills the index
 * when there are none.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { forgetListings } from "../../adapters/node/listingCache.ts";
import { SegmentFolder } from "../../adapters/node/segments/segmentFolder.ts";
import type { SqlJsShim } from "../../adapters/sqlite/engine/sqlJsShim.ts";
import { ClosedConversation } from "../../adapters/sqlite/search/closedConversation.ts";
import type { CooperativeTask, WaitingTask } from "../../core/cooperativeTask.ts";
import type { ConversationId } from "../../core/ids.ts";
import { StemCache } from "../../core/search/ranking/terms.ts";
import type { Stemmer } from "../../core/search/ranking/stemmer.ts";
import { fillIndex, type TextSource } from "../../core/search/segments/fillIndex.ts";
import { SegmentIndex, type IndexProgress } from "../../core/search/segments/segmentIndex.ts";
import { indexSearch, type OpenedConversation, type SearchedConversations } from "./indexSearch.ts";
import type {
  FromSearchIndex,
  ListedConversation,
  RecalledPage,
  SearchIndexStart,
  ToSearchIndex,
} from "./searchIndexProtocol.ts";

/** Of a search, between two looks at new messages. */
const SLICE_MS = 8;
/** Of filling, and of the pause after it: whoever waits for a processor or the disk has its turn, as commits do. */
const FILL_SLICE_MS = 4;
const FILL_PAUSE_MS = 4;
/** Messages of a conversation that a search retains: more than it shows, with their neighbours. */
const LAST_READ_COUNT = 32;
/** After the last search or change of the list, and between two segments. */
const IDLE_MS = 500;
/** Between two attempts when another window is changing the index. */
const LEASE_PAUSE_MS = 100;
const FILL_LEASE_PAUSE_MS = 30_000;

export class SearchIndexServer {
  readonly #start: SearchIndexStart;
  readonly #shim: SqlJsShim;
  readonly #stems: StemCache;
  readonly #post: (answer: FromSearchIndex) => void;
  readonly #files: SegmentFolder;
  readonly #index: SegmentIndex;
  #listed: ReadonlyMap<ConversationId, ListedConversation> = new Map();
  /** Those that can be read, of a list and a state of the index. */
  #allReadable:
    | (ReadableIds & {
        readonly listed: ReadonlyMap<ConversationId, ListedConversation>;
        readonly progress: ReadonlyMap<ConversationId, IndexProgress>;
      })
    | undefined;
  readonly #searches = new Map<number, CooperativeTask<number>>();
  #isSearching = false;
  #isFilling = false;
  /** The conversation that is being indexed. */
  #reading: ReadByFilling | undefined;
  /** Set while the index is changed, or is about to be. */
  #answerLease: ((isHeld: boolean) => void) | undefined;
  /** Counts what makes a filling outdated. */
  #changes = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(start: SearchIndexStart, shim: SqlJsShim, stemmer: Stemmer, post: (answer: FromSearchIndex) => void) {
    this.#start = start;
    this.#shim = shim;
    this.#stems = new StemCache(stemmer);
    this.#post = post;
    this.#files = new SegmentFolder(start.folder);
    this.#index = new SegmentIndex(this.#files);
  }

  receive(message: ToSearchIndex): void {
    switch (message.kind) {
      case "conversations":
        this.#listed = new Map(message.listed.map((one) => [one.id, one]));
        this.#changes++;
        this.#fillAfter(IDLE_MS);
        return;
      case "opened":
        this.#leave(message.conversation);
        return;
      case "search":
        this.#searches.set(message.id, this.#search(message));
        if (!this.#isSearching) void this.#runSearches();
        return;
      case "read":
        this.#searches.set(message.id, this.#read(message));
        if (!this.#isSearching) void this.#runSearches();
        return;
      case "digest":
        this.#searches.set(message.id, this.#digest(message));
        if (!this.#isSearching) void this.#runSearches();
        return;
      case "cancel":
        this.#searches.get(message.id)?.return(0);
        this.#searches.delete(message.id);
        return;
      case "lease":
        this.#answerLease?.(message.isHeld);
        return;
      case "forget":
        void this.#forget(message);
        return;
    }
  }

  /** Its file is about to be written. */
  #leave(id: ConversationId): void {
    const listed = new Map(this.#listed);
    listed.delete(id);
    this.#listed = listed;
    this.#changes++;
    this.#fillAfter(IDLE_MS);
  }

  *#search({ id, query }: Extract<ToSearchIndex, { kind: "search" }>): CooperativeTask<number> {
    this.#index.refresh();
    const conversations = {
      segments: this.#index.segments,
      ...this.#readable(query.among),
      open: (conversation: ConversationId) => this.#open(conversation),
    };
    return yield* indexSearch(query, conversations, this.#stems, ({ conversation, hits }) => {
      this.#post({ kind: "found", id, conversation, hits });
    });
  }

  /** Answered in turn with the searches; its end counts no conversations. */
  *#read({ id, conversation, messages }: Extract<ToSearchIndex, { kind: "read" }>): CooperativeTask<number> {
    const opened = this.#listed.get(conversation)?.isReadable === true ? this.#open(conversation) : undefined;
    let page: RecalledPage | undefined;
    try {
      const recalled = opened && (yield* opened.recalled());
      if (opened !== undefined && recalled !== undefined)
        page = {
          messages: messages.flatMap((message) => (message < opened.texts.end ? (recalled.read(message) ?? []) : [])),
          messageCount: opened.texts.end,
        };
    } finally {
      opened?.close();
    }
    this.#post({ kind: "read", id, page });
    return 0;
  }

  /** Likewise. */
  *#digest({
    id,
    conversation,
    budgetTokens,
    matches,
  }: Extract<ToSearchIndex, { kind: "digest" }>): CooperativeTask<number> {
    const opened = this.#listed.get(conversation)?.isReadable === true ? this.#open(conversation) : undefined;
    try {
      this.#post({ kind: "digest", id, digest: opened && (yield* opened.digest(budgetTokens, matches)) });
    } finally {
      opened?.close();
    }
    return 0;
  }

  async #runSearches(): Promise<void> {
    this.#isSearching = true;
    clearTimeout(this.#idle);
    for (;;) {
      const [newest] = [...this.#searches].reverse();
      if (newest === undefined) break;
      const [id, steps] = newest;
      try {
        const step = runSlice(steps, SLICE_MS);
        if (step.done === true) {
          this.#searches.delete(id);
          this.#post({ kind: "searched", id, unreadable: step.value });
        }
      } catch (error) {
        this.#searches.delete(id);
        this.#post({ kind: "failed", id, detail: String(error) });
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#files.release();
    this.#isSearching = false;
    this.#fillAfter(IDLE_MS);
  }

  #fillAfter(delayMs: number): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#fill(), delayMs);
  }

  async #fill(): Promise<void> {
    if (this.#isFilling) return;
    this.#isFilling = true;
    const changes = this.#changes;
    const done = await this.#changing(fillIndex(this.#index, this.#source()), () => changes === this.#changes);
    this.#isFilling = false;
    if (done === "inUse") this.#fillAfter(FILL_LEASE_PAUSE_MS);
    else if (done === true || changes !== this.#changes) this.#fillAfter(IDLE_MS);
    else this.#post({ kind: "idle" });
  }

  async #forget({ id, conversations }: Extract<ToSearchIndex, { kind: "forget" }>): Promise<void> {
    this.#changes++;
    const index = this.#index;
    const { folder } = this.#start;
    const removing = function* (): WaitingTask<true> {
      forgetListings(folder, new Set(conversations));
      yield;
      yield* index.refreshInSlices();
      yield* index.change(new Set(conversations), undefined);
      return true;
    };
    while ((await this.#changing(removing(), () => true)) === "inUse") {
      await new Promise((resolve) => setTimeout(resolve, LEASE_PAUSE_MS));
    }
    this.#post({ kind: "forgotten", id });
    this.#fillAfter(IDLE_MS);
  }

  /** With the lease of the index. `undefined` if it failed, or is not wanted any more; what was written until then counts. */
  async #changing<T>(steps: WaitingTask<T>, isWanted: () => boolean): Promise<T | "inUse" | undefined> {
    if (this.#answerLease !== undefined) return "inUse";
    const cleaned = after(this.#files.removeLeftovers(), steps);
    const isHeld = await new Promise<boolean>((resolve) => {
      this.#answerLease = resolve;
      this.#post({ kind: "wantsLease" });
    });
    try {
      if (!isHeld) return "inUse";
      for (;;) {
        if (!isWanted()) {
          cleaned.return(undefined as T);
          return undefined;
        }
        if (!this.#isSearching) {
          const step = runSlice(cleaned, FILL_SLICE_MS);
          if (step.done === true) return step.value;
          await step.value;
        }
        await new Promise((resolve) => setTimeout(resolve, FILL_PAUSE_MS));
      }
    } catch (error) {
      this.#post({ kind: "failed", detail: String(error) });
      return undefined;
    } finally {
      if (!this.#isSearching) this.#files.release(); // a search lets go of them at its end
      this.#answerLease = undefined;
      if (isHeld) this.#post({ kind: "releasesLease" });
    }
  }

  #source(): TextSource {
    const listed = this.#listed;
    // The list may lack what another window has made.
    const unlisted = [...this.#index.conversations.keys()].filter(
      (id) => !listed.has(id) && existsSync(join(this.#start.conversations, id)),
    );
    return {
      conversations: new Set([...listed.keys(), ...unlisted]),
      open: (id, progress) => {
        const one = this.#listed.get(id);
        const isKnown = one?.recordCount !== undefined && isUpToDate(one, progress);
        if (one?.isReadable !== true || isKnown) return undefined;
        const texts = ClosedConversation.open(join(this.#start.conversations, id), this.#shim);
        this.#reading = texts && { id, texts, changes: this.#changes, readers: 0, isFilled: false };
        return texts;
      },
      close: () => {
        if (this.#reading !== undefined) this.#reading.isFilled = true;
        this.#closeUnread(this.#reading);
      },
    };
  }

  #readable(among: readonly ConversationId[] | undefined): ReadableIds {
    const [listed, progress] = [this.#listed, this.#index.conversations];
    if (this.#allReadable?.listed !== listed || this.#allReadable.progress !== progress) {
      const readable = [...listed.values()].filter(({ isReadable }) => isReadable);
      const isIndexed = (one: ListedConversation): boolean => isUpToDate(one, progress.get(one.id));
      const indexed = new Set(readable.filter(isIndexed).map(({ id }) => id));
      const others = readable.map(({ id }) => id).filter((id) => !indexed.has(id));
      this.#allReadable = { listed, progress, indexed, others };
    }
    const { indexed, others } = this.#allReadable;
    if (among === undefined) return { indexed, others };
    const wanted = new Set(among);
    return {
      indexed: new Set([...indexed].filter((id) => wanted.has(id))),
      others: others.filter((id) => wanted.has(id)),
    };
  }

  #open(id: ConversationId): ReadableConversation | undefined {
    const reading = this.#reading?.id === id ? this.#reading : undefined;
    // What was read before the list changed may be outdated; that filling ends at its next step.
    if (reading !== undefined && reading.changes !== this.#changes) reading.isFilled = true;
    this.#closeUnread(reading);
    if (reading !== undefined && reading === this.#reading) {
      reading.readers++; // a file is opened once only
      return readable(reading.texts, () => {
        reading.readers--;
        this.#closeUnread(reading);
      });
    }
    const opened = ClosedConversation.open(join(this.#start.conversations, id), this.#shim, LAST_READ_COUNT);
    return opened && readable(opened, () => opened.close());
  }

  #closeUnread(reading: ReadByFilling | undefined): void {
    if (reading?.isFilled !== true || reading.readers > 0) return;
    reading.texts.close();
    if (this.#reading === reading) this.#reading = undefined;
  }
}

interface ReadByFilling {
  readonly id: ConversationId;
  readonly texts: ClosedConversation;
  /** As counted when it was opened. */
  readonly changes: number;
  /** Searches that read it too. */
  readers: number;
  /** The filling reads no more of it. */
  isFilled: boolean;
}

type ReadableIds = Pick<SearchedConversations, "indexed" | "others">;

interface ReadableConversation extends OpenedConversation {
  readonly digest: ClosedConversation["digest"];
}

function readable(texts: ClosedConversation, close: () => void): ReadableConversation {
  return {
    texts: { end: texts.messageCount, read: (message) => texts.read(message) },
    ownIndex: () => texts.ownIndex(),
    recalled: () => texts.recalled(),
    entry: (message) => texts.entry(message),
    digest: (...wanted) => texts.digest(...wanted),
    close,
  };
}

/** The list may be behind the file, after a crash; what it does not tell is taken to be as it was. */
function isUpToDate({ messageCount, recordCount }: ListedConversation, progress: IndexProgress | undefined): boolean {
  if (progress === undefined || progress.isBroken) return false;
  return progress.recordCount >= (recordCount ?? 0) && progress.next >= (messageCount ?? 0);
}

function* after<T>(first: WaitingTask<void>, second: WaitingTask<T>): WaitingTask<T> {
  yield* first;
  return yield* second;
}

/** The last step: the end, or a pause, with what is to be waited for. */
function runSlice<T>(steps: WaitingTask<T>, sliceMs: number): IteratorResult<Promise<void> | undefined, T> {
  const endMs = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true || step.value !== undefined || performance.now() >= endMs) return step;
  }
}
