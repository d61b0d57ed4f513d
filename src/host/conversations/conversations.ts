/**
 * Opens, lists and closes the user's conversations; at most one is open in a window. Operations run one at a time, in
 * the order of the calls.
 */

import path from "node:path";
import { findConversation, type ConversationListing } from "../../adapters/node/conversationFolders.ts";
import { requestHandOver } from "../../adapters/node/handOver.ts";
import { readLastConversations } from "../../adapters/node/lastConversations.ts";
import type { TrashPlaces } from "../../adapters/node/trash.ts";
import { isUnwritable, type ForgeError } from "../../core/errors.ts";
import { parseConversationId, type ConversationId, type NewUuid } from "../../core/ids.ts";
import type { Result } from "../../core/result.ts";
import type { Connections } from "../connections/connections.ts";
import type { ProviderName } from "../connections/providerCatalog.ts";
import { explain, movedAwayBanner } from "../words/explain.ts";
import type { Clock } from "../../core/clock.ts";
import type { ActiveSession } from "../session/activeSession.ts";
import type { Presenter } from "../view/presenter.ts";
import type { SessionOpener } from "../session/sessionOpener.ts";
import { HeldConversation, type Opening, type WindowFolders } from "./heldConversation.ts";
import { tidyStorage } from "./rescue/tidyStorage.ts";
import { lastModelIn } from "../connections/lastModel.ts";
import { listedConversations } from "./list/listedConversations.ts";
import type { Log } from "../editor/log.ts";
import { SearchIndex } from "../search/searchIndex.ts";
import type { Session } from "../session/session.ts";
import { WorkQueue } from "../../core/workQueue.ts";

/** Timeout for another window to release a conversation on request. */
const HAND_OVER_LIMIT_MS = 10_000;
/** Timeout for a closing window to release its conversation, as when this window was reloaded. */
const CLOSING_LIMIT_MS = 1_500;
/** After a conversation was opened, when the window has other things to do; the one before it may be indexed now. */
const INDEXING_DELAY_MS = 30_000;

export class Conversations {
  /** The list shows those of the open projects alone. */
  isListOfProject = false;
  /** Of all conversations but the open one. */
  readonly index: SearchIndex;
  readonly #place: WindowFolders;
  readonly #active: ActiveSession;
  readonly #held: HeldConversation;
  readonly #connections: Pick<Connections, "connect" | "resolve">;
  readonly #presenter: Presenter;
  readonly #clock: Clock;
  readonly #newUuid: NewUuid;
  readonly #log: Pick<Log, "error" | "info">;
  /** The conversation that could not be opened or was moved away; `moveHere` and `reopen` refer to it. */
  #retryTarget: ConversationId | undefined;
  readonly #work = new WorkQueue();
  #reconnects = 0;
  #started = false;
  #cancelIndexing: (() => void) | undefined;

  constructor(
    place: WindowFolders,
    active: ActiveSession,
    opener: SessionOpener,
    connections: Pick<Connections, "connect" | "resolve">,
    presenter: Presenter,
    clock: Clock,
    newUuid: NewUuid,
    log: Pick<Log, "error" | "info">,
  ) {
    this.#place = place;
    this.#active = active;
    this.#connections = connections;
    this.#presenter = presenter;
    this.#clock = clock;
    this.#newUuid = newUuid;
    this.#log = log;
    this.#held = new HeldConversation(place, active, opener, presenter, clock);
    this.index = new SearchIndex({ ...place, clock, log });
    this.#held.onDidRequestHandOver((id) => void this.#handOver(id));
    active.onDidChange(() => {
      this.#held.scheduleListingUpdate();
    });
  }

  get session(): Session | undefined {
    return this.#active.session;
  }

  get places(): TrashPlaces {
    return { conversations: this.#held.root, trash: path.join(this.#place.storage, "trash") };
  }

  /** All conversations, or those in the trash. Empty on failure, with a banner in the chat. */
  async list(place: keyof TrashPlaces = "conversations"): Promise<readonly ConversationListing[]> {
    await this.#work.run(() => this.#held.updateListing());
    const cache = place === "conversations" ? await this.index.readListings() : undefined;
    const listed = await listedConversations(this.places[place], this.#held.damaged, cache);
    if (cache?.isOutdated === true) this.index.saveListings(cache).catch(this.#logError);
    if (!listed.ok) this.#presenter.showBanner(explain(listed.error, ""));
    return listed.ok ? listed.value : [];
  }

  /**
   * Opens the conversation that this window had open when it was closed, or one that another window of the same folders
   * had and nobody has now; else a new one. Later calls only wait for operations in progress.
   */
  async start(): Promise<void> {
    if (this.#started) return this.#work.idle();
    this.#started = true;
    void this.#cleanUp();
    await this.#work.run(async () => {
      for (const [index, last] of (await readLastConversations(this.#place)).entries()) {
        if (!(await this.#held.mayExist(last))) continue;
        // The first is most likely this window's own; a window that was just closed may still be releasing it.
        const opened = await this.#held.open({ id: last, waitMs: index === 0 ? CLOSING_LIMIT_MS : 0 });
        if (opened.ok) {
          this.#indexLater();
          return;
        }
        if (opened.error.code !== "CONVERSATION_IN_USE") {
          this.#retryTarget = last;
          this.#block(opened.error);
          return;
        }
      }
      await this.#openNew();
    });
  }

  /** Creates and opens a conversation, unless the open one is still empty. */
  async openNew(): Promise<void> {
    await this.#work.run(async () => {
      if (this.session?.isEmpty !== true) await this.#openNew();
    });
  }

  async openExisting(id: ConversationId): Promise<void> {
    await this.#work.run(async () => {
      if (this.session?.opened.id !== id) await this.#open({ id });
    });
  }

  /**
   * Retries the opening that failed, or a write to the open conversation. `takeOverUnknown`: also takes the lease of an
   * owner whose state cannot be determined from here.
   */
  async reopen(takeOverUnknown = false): Promise<void> {
    await this.#work.run(async () => {
      const { session } = this;
      const id = this.#retryTarget ?? session?.opened.id;
      if (id === undefined) await this.#openNew();
      else if (session?.opened.id !== id || session.isReadOnly || !(await this.#canStore(session)))
        await this.#open({ id, takeOverUnknown });
    });
  }

  /** Asks the window that has the wanted conversation to release it, and opens it here. */
  async moveHere(): Promise<void> {
    await this.#work.run(async () => {
      const id = this.#retryTarget;
      if (id === undefined) return;
      const asked = await requestHandOver(this.#held.folderOf(id));
      if (!asked.ok) {
        this.#block(asked.error);
        return;
      }
      const opened = await this.#open({ id, waitMs: HAND_OVER_LIMIT_MS, onLeaseHeld: () => asked.value.withdraw() });
      if (!opened.ok) await asked.value.withdraw();
    });
  }

  /**
   * Rescues what can be read of a conversation and opens it, with a notice of what is missing. On failure the chat says
   * why, and it can be retried. `which` defaults to the one that could not be opened, else the open one.
   */
  async rescue(which?: ConversationId): Promise<void> {
    await this.#work.run(async () => {
      const id = which ?? this.#retryTarget ?? this.session?.opened.id;
      if (id === undefined) return;
      this.#retryTarget = id;
      this.index.leave(id);
      const rescued = await this.#held.rescue(id);
      this.index.forget([id]).catch(this.#logError); // its messages may be others under the same numbers
      this.#handleOutcome(rescued);
    });
  }

  /**
   * Runs `work` while this window does not have the conversation open (`any`: has none open). If it was open here, a
   * new one replaces it on success, and it is reopened on failure.
   */
  async whileClosed<T>(
    which: ConversationId | "any",
    work: () => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    return this.#work.run(async () => {
      const here = this.session?.opened.id ?? this.#retryTarget;
      const isHere = here !== undefined && (which === "any" || which === here);
      if (isHere) await this.#held.close();
      const done = await work();
      if (isHere && done.ok) await this.#openNew();
      else if (isHere) await this.#open({ id: here });
      return done;
    });
  }

  /**
   * Resolves the connection of the open conversation anew after a change of keys, settings or the editor's models. Of
   * overlapping calls the last one wins, however long the others take.
   */
  async reconnect(): Promise<void> {
    const own = ++this.#reconnects;
    await this.#work.idle(); // a conversation that is being opened reconnects, too
    const { session } = this;
    if (session === undefined) return;
    const { history } = session.opened.manager;
    const chosen = history.model;
    const connection = await this.#connections.resolve(chosen, lastModelIn(history));
    // A model chosen meanwhile, or a conversation opened meanwhile, has its own connection.
    const isNewest = own === this.#reconnects;
    if (isNewest && this.session === session && history.model === chosen) session.connect(connection);
  }

  /** Switches the open conversation to a provider's default model; false when the provider cannot be used. */
  async useProvider(name: ProviderName): Promise<boolean> {
    const connection = await this.#connections.connect(name);
    if (connection === undefined) return false;
    await this.session?.switchModel(connection);
    return true;
  }

  /** Where a conversation is stored; `undefined`: nowhere. One that cannot be read is where its folder is. */
  async placeOf(id: ConversationId): Promise<keyof TrashPlaces | undefined> {
    return this.#work.run(async () => {
      if (await this.#held.mayExist(id)) return "conversations";
      const trashed = await findConversation(path.join(this.places.trash, id));
      return trashed.ok && trashed.value === "nothing" ? undefined : "trash";
    });
  }

  /** Another machine changed them: what the index has of them may be erased there. */
  async noteReplicated(changed: readonly ConversationId[]): Promise<void> {
    await this.index.forget(changed);
    this.#indexLater();
  }

  noteChange(): void {
    this.#active.noteChange();
  }

  /** Ends running work, commits, closes the file and releases the lease. */
  async close(): Promise<void> {
    this.#cancelIndexing?.();
    await Promise.all([this.#work.run(() => this.#held.closeForExit()), this.index.dispose()]);
  }

  /** All conversations, of which the index finds from now on all but the open one. */
  async listForSearch(): Promise<readonly ConversationListing[]> {
    const listed = await this.list();
    const open = this.session?.opened.id;
    this.index.setConversations(listed.filter(({ id }) => id !== open));
    return listed;
  }

  readonly #logError = (error: unknown): void => {
    this.#log.error(String(error));
  };

  async #cleanUp(): Promise<void> {
    const failures = await tidyStorage(this.places, this.#place.dist, this.#clock.nowMs());
    for (const failure of failures) this.#log.error(JSON.stringify(failure)); // retried at the next start
  }

  async #openNew(): Promise<void> {
    const id = parseConversationId(this.#newUuid());
    if (id === undefined) throw new Error("a new UUID is no conversation id");
    this.#retryTarget = undefined; // a retry creates another one
    this.#handleOutcome(await this.#held.open({ id, isNew: true }));
  }

  /** Opens a conversation, or says in the chat why it cannot be opened. */
  async #open(opening: Opening): Promise<Result<void, ForgeError>> {
    this.#retryTarget = opening.id;
    this.index.leave(opening.id);
    return this.#handleOutcome(await this.#held.open(opening));
  }

  #handleOutcome(opened: Result<void, ForgeError>): Result<void, ForgeError> {
    this.#indexLater();
    if (opened.ok) this.#retryTarget = undefined;
    else this.#block(opened.error);
    return opened;
  }

  #indexLater(): void {
    this.#cancelIndexing?.();
    this.#cancelIndexing = this.#clock.after(INDEXING_DELAY_MS, () => {
      this.listForSearch().catch(this.#logError); // searches read the files one by one until then
    });
  }

  /**
   * Whether the open file accepts a write now. With a full or protected disk it stays open, so that it can still be
   * read.
   */
  async #canStore(session: Session): Promise<boolean> {
    const stored = await session.opened.store.commit([{ kind: "draft", text: session.composer.text }]);
    if (!stored.ok && !isUnwritable(stored.error)) return false;
    this.#presenter.showBanner(stored.ok ? null : explain(stored.error, ""));
    return true;
  }

  /** Releases the open conversation to another window that asked for it. */
  async #handOver(id: ConversationId): Promise<void> {
    await this.#work.run(async () => {
      if (this.session?.opened.id !== id) return;
      const isSummaryCancelled = await this.#held.close();
      this.#retryTarget = id;
      this.#presenter.block(movedAwayBanner(isSummaryCancelled));
    });
  }

  #block(error: ForgeError): void {
    this.#log.error(JSON.stringify(error));
    this.#presenter.block(explain(error, ""));
  }
}
