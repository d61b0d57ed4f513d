/**
 * The conversations of this user, and the one that is open in this window: opening, closing, handing over. One of these
 * runs at a time, in the order asked.
 */

import path from "node:path";
import {
  createConversationFolder,
  listConversations,
  type ConversationListing,
} from "../adapters/node/conversationFolders.ts";
import { requestHandOver, watchHandOver } from "../adapters/node/handOver.ts";
import { readLastConversation, writeLastConversation } from "../adapters/node/lastConversation.ts";
import type { ForgeError } from "../core/errors.ts";
import { parseConversationId, type ConversationId } from "../core/ids.ts";
import type { Clock, NewUuid } from "../core/ports.ts";
import { ok, type Result } from "../core/result.ts";
import type { Connections, ProviderName } from "./connections.ts";
import { explain } from "./explain.ts";
import { ListingCopy } from "./listingCopy.ts";
import type { Log } from "./log.ts";
import type { Presenter } from "./presenter.ts";
import type { Session } from "./session.ts";
import type { SessionOpener } from "./sessionOpener.ts";

/** How long another window may take to let a conversation go. */
const HAND_OVER_LIMIT_MS = 10_000;
/** How often it is looked whether it has. */
const HAND_OVER_POLL_MS = 100;

/** What this needs from around it. */
export interface ConversationsOptions {
  /** The extension's own folder, which all windows share. */
  readonly storage: string;
  /** Names the window's folders; each remembers its own last conversation. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly newUuid: NewUuid;
  readonly opener: SessionOpener;
  readonly connections: Connections;
  readonly presenter: Presenter;
  readonly log: Log;
  readonly refreshView: () => void;
}

interface Opening {
  readonly id: ConversationId;
  /** Also from an owner that nobody here can judge. */
  readonly takeOverUnknown?: boolean;
  /** Called when the conversation is held here and nothing of it is shown yet. */
  readonly opened?: () => Promise<void>;
}

/** Opens, closes and lists. */
export class Conversations {
  readonly #options: ConversationsOptions;
  readonly #root: string;
  readonly #listing: ListingCopy;
  #session: Session | undefined;
  #wanted: ConversationId | undefined;
  #stopWatching: (() => void) | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  #started = false;

  constructor(options: ConversationsOptions) {
    this.#options = options;
    this.#root = path.join(options.storage, "conversations");
    this.#listing = new ListingCopy(options.clock);
  }

  /** What is open in this window. */
  get session(): Session | undefined {
    return this.#session;
  }

  /** All of the user's conversations, the last used first; those in which nothing was ever said are left out. */
  async list(): Promise<readonly ConversationListing[]> {
    const listed = await listConversations(this.#root);
    return listed.filter(({ meta }) => meta === undefined || meta.messageCount > 0 || meta.undecided > 0);
  }

  /** Opens what this window had open when it was closed, else a new conversation. A second call does nothing. */
  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    const last = await readLastConversation(this.#options.storage, this.#options.workspace);
    const isThere = last !== undefined && (await listConversations(this.#root)).some(({ id }) => id === last);
    await this.#inOrder(async () => {
      if (isThere) {
        const opened = await this.#openNow({ id: last });
        if (opened.ok) return;
        // Another window of the same folder has it: this one begins its own rather than greet with an error.
        if (opened.error.code !== "CONVERSATION_IN_USE") {
          this.#block(opened.error);
          return;
        }
      }
      await this.#openNew();
    });
  }

  /** Begins a new conversation; one that is still empty is that already. */
  async openNew(): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#session?.isEmpty === true) return;
      await this.#openNew();
    });
  }

  /** Opens another conversation. `takeOverUnknown`: also from an owner that nobody here can judge. */
  async openExisting(id: ConversationId, takeOverUnknown = false): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#session?.opened.id === id) return;
      await this.#openOrBlock(id, takeOverUnknown);
    });
  }

  /** Tries again what could not be opened, or opens the present one anew after its storage failed. */
  async reopen(takeOverUnknown = false): Promise<void> {
    await this.#inOrder(async () => {
      const id = this.#wanted ?? this.#session?.opened.id;
      if (id === undefined) await this.#openNew();
      else await this.#openOrBlock(id, takeOverUnknown);
    });
  }

  /** Asks the window that has the wanted conversation to let it go, and opens it here. */
  async moveHere(): Promise<void> {
    await this.#inOrder(async () => {
      const id = this.#wanted;
      if (id === undefined) return;
      const folder = path.join(this.#root, id);
      const asked = await requestHandOver(folder);
      if (!asked.ok) {
        this.#block(asked.error);
        return;
      }
      const deadlineMs = this.#options.clock.nowMs() + HAND_OVER_LIMIT_MS;
      for (;;) {
        const opened = await this.#openNow({ id, opened: () => asked.value.withdraw() });
        if (opened.ok) return;
        if (opened.error.code !== "CONVERSATION_IN_USE" || this.#options.clock.nowMs() > deadlineMs) {
          await asked.value.withdraw();
          this.#block(opened.error);
          return;
        }
        await new Promise<void>((resolve) => this.#options.clock.after(HAND_OVER_POLL_MS, resolve));
      }
    });
  }

  /** A key, a setting or the editor's models changed: the open conversation takes what it gets now. */
  async reconnect(): Promise<void> {
    const { session } = this;
    if (session === undefined) return;
    session.connect(await this.#options.connections.resolve(session.opened.manager.history.model));
  }

  /** Has `name` answer in the open conversation, with its default model; answers whether it can. */
  async useProvider(name: ProviderName): Promise<boolean> {
    const connection = await this.#options.connections.connect(name);
    if (connection === undefined) return false;
    await this.session?.switchModel(connection);
    return true;
  }

  /** Something of the open conversation changed: the list's copy follows after a pause. */
  noteChange(): void {
    if (this.#session !== undefined) this.#listing.note(this.#session);
  }

  /** Stops what runs, commits, closes the file, frees the lease. */
  async close(): Promise<void> {
    await this.#inOrder(() => this.#closeOpen());
  }

  async #openNew(): Promise<void> {
    const id = parseConversationId(this.#options.newUuid());
    if (id === undefined) throw new Error("a new UUID is no conversation id");
    const created = await createConversationFolder(this.#root, id);
    if (!created.ok) {
      await this.#closeOpen();
      this.#block(created.error);
      return;
    }
    await this.#openOrBlock(id);
  }

  async #openOrBlock(id: ConversationId, takeOverUnknown = false): Promise<Result<void, ForgeError>> {
    const opened = await this.#openNow({ id, takeOverUnknown });
    if (!opened.ok) this.#block(opened.error);
    return opened;
  }

  async #openNow({ id, takeOverUnknown = false, opened: whenHeld }: Opening): Promise<Result<void, ForgeError>> {
    const { opener, presenter, storage, workspace } = this.#options;
    const folder = path.join(this.#root, id);
    await this.#closeOpen();
    this.#wanted = id;
    const opened = await opener.open({ id, folder, takeOverUnknown });
    if (!opened.ok) return opened;
    await whenHeld?.();
    this.#session = opened.value;
    this.#wanted = undefined;
    presenter.show(opened.value);
    this.#options.refreshView();
    this.#stopWatching = watchHandOver(folder, () => {
      void this.#handOver(id);
    });
    await writeLastConversation(storage, workspace, id);
    await this.#listing.write(opened.value);
    return ok(undefined);
  }

  /** Another window asks for what is open here: finish, let go, and say so. */
  async #handOver(id: ConversationId): Promise<void> {
    await this.#inOrder(async () => {
      if (this.#session?.opened.id !== id) return;
      await this.#closeOpen();
      this.#wanted = id;
      this.#options.presenter.block({
        tone: "info",
        text: "This conversation was moved to another window. Nothing is lost.",
        actions: [
          { label: "Move it here", command: "moveHere" },
          { label: "Open another", command: "openConversation" },
          { label: "New conversation", command: "newConversation" },
        ],
      });
      this.#options.refreshView();
    });
  }

  async #closeOpen(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
    await session.settle();
    await this.#listing.write(session);
    this.#session = undefined;
    this.#options.presenter.show(undefined);
    // While the worker may still be writing, nobody else may be let in: the end of this process frees the lease then.
    const closed = await session.opened.store.close();
    if (closed.ok) await session.opened.lease.release();
  }

  #block(error: ForgeError): void {
    this.#options.log.error(JSON.stringify(error));
    this.#options.presenter.block(explain(error, ""));
    this.#options.refreshView();
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}
