/** Host side of the index over all conversations. Its thread starts when first needed, and ends when long unused. */

import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { fileFailure } from "../../adapters/node/files.ts";
import type { ConversationListing } from "../../adapters/node/conversationFolders.ts";
import { acquireLease, type Lease } from "../../adapters/node/lease.ts";
import { ListingCache } from "../../adapters/node/listingCache.ts";
import type { CancelSignal } from "../../core/cancellation.ts";
import type { Clock } from "../../core/clock.ts";
import type { ConversationDigest } from "../../core/documents/conversationDigest.ts";
import type { StorageFailed } from "../../core/errors.ts";
import type { ConversationId, MessageId } from "../../core/ids.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { WorkQueue } from "../../core/workQueue.ts";
import type { Log } from "../editor/log.ts";
import type {
  FromSearchIndex,
  IndexHit,
  IndexQuery,
  ListedConversation,
  RecalledPage,
  SearchIndexStart,
  ToSearchIndex,
} from "./searchIndexProtocol.ts";

export interface IndexSearch {
  /** Called once for each conversation with hits: best hit first. */
  readonly found: (conversation: ConversationId, hits: readonly IndexHit[]) => void;
  readonly cancel: CancelSignal;
}

export interface SearchIndexOptions {
  /** Global storage. */
  readonly storage: string;
  readonly dist: string;
  readonly clock: Clock;
  readonly log: Pick<Log, "info">;
}

interface Waiting {
  readonly found?: IndexSearch["found"];
  readonly read?: (page: RecalledPage | undefined) => void;
  readonly digested?: (digest: ConversationDigest | undefined) => void;
  /** `undefined` for a request that failed. */
  readonly end: (unreadable: number | undefined) => void;
}

/** The thread's memory is given back after so long without a search. */
const UNUSED_MS = 120_000;
/**
 * Messages that were read are soon garbage, of which the engine leaves the more lying the more memory it may use. The
 * bound on what lives is out of reach: a message of 16 MB takes more than half of it.
 */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 1_024 };

export class SearchIndex {
  readonly #options: SearchIndexOptions;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  readonly #leaseWork = new WorkQueue();
  #lease: Lease | undefined;
  #lastId = 0;
  #cancelEnd: (() => void) | undefined;

  constructor(options: SearchIndexOptions) {
    this.#options = options;
  }

  /** Listings of conversations that did not change since they were saved. */
  readListings(): Promise<ListingCache> {
    return ListingCache.read(this.#folder);
  }

  /** Not while a window changes the index: the list works without. */
  async saveListings(cache: ListingCache): Promise<void> {
    await this.#leaseWork.run(async () => {
      if (this.#lease !== undefined) return;
      try {
        await mkdir(this.#folder, { recursive: true, mode: 0o700 });
        const taken = await acquireLease(this.#folder);
        if (!taken.ok) return;
        try {
          await cache.save(this.#conversations);
          // Everything was erased meanwhile, and the folder made anew.
          if (!existsSync(taken.value.file)) await cache.remove();
        } finally {
          await taken.value.release();
        }
      } catch (error) {
        this.#log(fileFailure(error).detail);
      }
    });
  }

  /** The conversations that searches find; fills the index in the background. */
  setConversations(listings: readonly ConversationListing[]): void {
    this.#send({ kind: "conversations", listed: listings.map(listedConversation) });
  }

  /** The conversation is about to be opened: its file is not read any more until the next list. */
  leave(conversation: ConversationId): void {
    this.#thread?.postMessage({ kind: "opened", conversation } satisfies ToSearchIndex);
  }

  /** Resolves to the number of conversations that could not be read; `undefined` when cancelled or failed. */
  search(query: IndexQuery, { found, cancel }: IndexSearch): Promise<number | undefined> {
    return this.#cancellable((id) => ({ kind: "search", id, query }), { found }, cancel);
  }

  /** Messages for a model; `undefined` when the conversation cannot be read now or is left out, or when cancelled. */
  async read(
    conversation: ConversationId,
    messages: readonly MessageId[],
    cancel: CancelSignal,
  ): Promise<RecalledPage | undefined> {
    let page: RecalledPage | undefined;
    const read = (received: RecalledPage | undefined): void => {
      page = received;
    };
    await this.#cancellable((id) => ({ kind: "read", id, conversation, messages }), { read }, cancel);
    return page;
  }

  /** `undefined` when the conversation cannot be read now, or when cancelled. */
  async digest(
    conversation: ConversationId,
    budgetTokens: number,
    matches: readonly MessageId[] | undefined,
    cancel: CancelSignal,
  ): Promise<ConversationDigest | undefined> {
    let digest: ConversationDigest | undefined;
    const digested = (received: ConversationDigest | undefined): void => {
      digest = received;
    };
    const only = matches === undefined ? {} : { matches };
    await this.#cancellable(
      (id) => ({ kind: "digest", id, conversation, budgetTokens, ...only }),
      { digested },
      cancel,
    );
    return digest;
  }

  #cancellable(
    start: (id: number) => ToSearchIndex,
    waiting: Omit<Waiting, "end">,
    cancel: CancelSignal,
  ): Promise<number | undefined> {
    if (cancel.aborted) return Promise.resolve(undefined);
    return this.#request((id, end) => {
      const stop = (): void => {
        this.#send({ kind: "cancel", id });
        ended(undefined);
      };
      const ended = (unreadable: number | undefined): void => {
        cancel.removeEventListener("abort", stop);
        end(unreadable);
      };
      cancel.addEventListener("abort", stop);
      this.#waiting.set(id, { ...waiting, end: ended });
      return start(id);
    });
  }

  /** Removes all of their words from every file; the conversations that are still there are indexed anew. */
  async forget(conversations: readonly ConversationId[]): Promise<void> {
    if (this.#thread === undefined && !existsSync(this.#folder)) return;
    await this.#request((id, end) => {
      this.#waiting.set(id, { end });
      return { kind: "forget", id, conversations };
    });
  }

  /** Deletes it; it is made anew from the conversations that there are. */
  async erase(): Promise<Result<void, StorageFailed>> {
    await this.dispose();
    return this.#leaseWork.run(async () => {
      try {
        await rm(this.#folder, { recursive: true, force: true });
        return ok(undefined);
      } catch (error) {
        return err(fileFailure(error));
      }
    });
  }

  async dispose(): Promise<void> {
    this.#cancelEnd?.();
    const thread = this.#thread;
    this.#thread = undefined;
    this.#failAll();
    await thread?.terminate();
    await this.#releaseLease();
  }

  get #folder(): string {
    return path.join(this.#options.storage, "search");
  }

  get #conversations(): string {
    return path.join(this.#options.storage, "conversations");
  }

  #request(start: (id: number, end: Waiting["end"]) => ToSearchIndex): Promise<number | undefined> {
    return new Promise((resolve) => {
      const id = ++this.#lastId;
      const message = start(id, (unreadable) => {
        this.#waiting.delete(id);
        resolve(unreadable);
      });
      this.#send(message);
    });
  }

  #send(message: ToSearchIndex): void {
    this.#cancelEnd?.();
    this.#cancelEnd = undefined;
    this.#thread ??= this.#start();
    this.#thread.postMessage(message);
  }

  #start(): Worker {
    const { dist } = this.#options;
    const start: SearchIndexStart = {
      servesSearchIndex: true,
      folder: this.#folder,
      conversations: this.#conversations,
      sqlJsFile: path.join(dist, "sql-wasm-debug.js"),
    };
    const thread = new Worker(path.join(dist, "storageWorker.cjs"), {
      workerData: start,
      resourceLimits: THREAD_MEMORY,
    });
    const isOver = (error?: unknown): void => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      if (error instanceof Error) this.#log(error.message);
      this.#failAll();
      void this.#releaseLease();
    };
    thread.on("message", (message: FromSearchIndex) => {
      this.#receive(message);
    });
    thread.once("error", isOver);
    thread.once("exit", () => {
      isOver();
    });
    return thread;
  }

  #receive(message: FromSearchIndex): void {
    switch (message.kind) {
      case "found":
        this.#waiting.get(message.id)?.found?.(message.conversation, message.hits);
        return;
      case "read":
        this.#waiting.get(message.id)?.read?.(message.page);
        return;
      case "digest":
        this.#waiting.get(message.id)?.digested?.(message.digest);
        return;
      case "searched":
        this.#waiting.get(message.id)?.end(message.unreadable);
        return;
      case "forgotten":
        this.#waiting.get(message.id)?.end(0);
        return;
      case "failed":
        this.#log(message.detail);
        if (message.id !== undefined) this.#waiting.get(message.id)?.end(undefined);
        return;
      case "wantsLease":
        void this.#takeLease();
        return;
      case "releasesLease":
        void this.#releaseLease();
        return;
      case "idle":
        this.#cancelEnd ??= this.#options.clock.after(UNUSED_MS, () => {
          if (this.#waiting.size === 0) void this.dispose();
        });
    }
  }

  async #takeLease(): Promise<void> {
    await this.#leaseWork.run(async () => {
      const thread = this.#thread;
      const taken = await acquireLease(this.#folder);
      if (taken.ok) this.#lease = taken.value;
      else if (taken.error.code !== "CONVERSATION_IN_USE") this.#log(taken.error.detail);
      thread?.postMessage({ kind: "lease", isHeld: taken.ok } satisfies ToSearchIndex);
    });
  }

  async #releaseLease(): Promise<void> {
    await this.#leaseWork.run(async () => {
      const released = await this.#lease?.release();
      if (released?.ok === false) this.#log(released.error.detail);
      this.#lease = undefined;
    });
  }

  #log(detail: string): void {
    this.#options.log.info(`The index of conversations: ${detail}`);
  }

  #failAll(): void {
    for (const { end } of [...this.#waiting.values()]) end(undefined);
  }
}

function listedConversation({ id, meta, openIn, broken }: ConversationListing): ListedConversation {
  return {
    id,
    ...(meta === undefined ? {} : { messageCount: meta.messageCount }),
    ...(meta?.recordCount === undefined ? {} : { recordCount: meta.recordCount }),
    isReadable: openIn === "free" && broken === undefined,
  };
}
