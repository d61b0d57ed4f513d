/**
 * The conversations of this user, and the one that is open in this window: beginning, opening, moving and trying again.
 * One of these runs at a time, in the order asked.
 */

import path from "node:path";
import type { ConversationListing } from "../../adapters/node/conversationFolders.ts";
import { requestHandOver } from "../../adapters/node/handOver.ts";
import { readLastConversations } from "../../adapters/node/lastConversations.ts";
import type { TrashPlaces } from "../../adapters/node/trash.ts";
import type { ForgeError } from "../../core/errors.ts";
import { parseConversationId, type ConversationId, type NewUuid } from "../../core/ids.ts";
import type { Result } from "../../core/result.ts";
import type { Connections } from "../connections/connections.ts";
import type { ProviderName } from "../connections/providerCatalog.ts";
import { explain, movedAway } from "../words/explain.ts";
import type { Clock } from "../../core/clock.ts";
import type { ActiveSession } from "../session/activeSession.ts";
import type { Presenter } from "../view/presenter.ts";
import type { SessionOpener } from "../session/sessionOpener.ts";
import { HeldConversation, type Opening, type WindowPlace } from "./heldConversation.ts";
import { tidyStorage } from "./rescue/tidiedStorage.ts";
import { lastModelIn } from "../connections/lastModel.ts";
import { listedConversations } from "./list/listedConversations.ts";
import type { Log } from "../editor/log.ts";
import type { Session } from "../session/session.ts";
import { WorkQueue } from "../../core/workQueue.ts";

/** How long another window may take to let a conversation go that it was asked for. */
const HAND_OVER_LIMIT_MS = 10_000;
/** How long a window that is just closing, as at a reload of this one, may take to let its conversation go. */
const CLOSING_LIMIT_MS = 1_500;

/** Opens, closes and lists. */
export class Conversations {
  readonly #place: WindowPlace;
  readonly #active: ActiveSession;
  readonly #held: HeldConversation;
  readonly #connections: Pick<Connections, "connect" | "resolve">;
  readonly #presenter: Presenter;
  readonly #clock: Clock;
  readonly #newUuid: NewUuid;
  readonly #log: Pick<Log, "error">;
  /** What could not be opened, or was moved away: `moveHere` and `reopen` mean it. */
  #wanted: ConversationId | undefined;
  readonly #work = new WorkQueue();
  #reconnects = 0;
  #started = false;

  constructor(
    place: WindowPlace,
    active: ActiveSession,
    opener: SessionOpener,
    connections: Pick<Connections, "connect" | "resolve">,
    presenter: Presenter,
    clock: Clock,
    newUuid: NewUuid,
    log: Pick<Log, "error">,
  ) {
    this.#place = place;
    this.#active = active;
    this.#connections = connections;
    this.#presenter = presenter;
    this.#clock = clock;
    this.#newUuid = newUuid;
    this.#log = log;
    this.#held = new HeldConversation(place, active, opener, presenter, clock);
    this.#held.onDidAskFor((id) => void this.#handOver(id));
    active.onDidChange(() => {
      this.#held.noteChange();
    });
  }

  /** What is open in this window. */
  get session(): Session | undefined {
    return this.#active.session;
  }

  /** Where conversations lie, and where those that were deleted do. */
  get places(): TrashPlaces {
    return { conversations: this.#held.root, trash: path.join(this.#place.storage, "trash") };
  }

  /** All of the user's conversations, or those in the trash. None when they cannot be listed, which the chat then says. */
  async list(place: keyof TrashPlaces = "conversations"): Promise<readonly ConversationListing[]> {
    await this.#work.run(() => this.#held.updateListing());
    const listed = await listedConversations(this.places[place], this.#held.damaged);
    if (!listed.ok) this.#presenter.showBanner(explain(listed.error, ""));
    return listed.ok ? listed.value : [];
  }

  /**
   * Opens what this window had open when it was closed, or what another one of the same folders had and nobody has now;
   * else a new conversation. A second call waits for what is under way and does nothing else.
   */
  async start(): Promise<void> {
    if (this.#started) return this.#work.idle();
    this.#started = true;
    void this.#tidy();
    await this.#work.run(async () => {
      for (const [index, last] of (await readLastConversations(this.#place)).entries()) {
        if (!(await this.#held.isThere(last))) continue;
        // The first is most likely this window's own, and a window that was just closed may still be letting it go.
        const opened = await this.#held.open({ id: last, waitMs: index === 0 ? CLOSING_LIMIT_MS : 0 });
        if (opened.ok) return;
        if (opened.error.code !== "CONVERSATION_IN_USE") {
          this.#wanted = last;
          this.#block(opened.error);
          return;
        }
      }
      await this.#openNew();
    });
  }

  /** Begins a new conversation; one that is still empty is that already. */
  async openNew(): Promise<void> {
    await this.#work.run(async () => {
      if (this.session?.isEmpty !== true) await this.#openNew();
    });
  }

  /** Opens another conversation. */
  async openExisting(id: ConversationId): Promise<void> {
    await this.#work.run(async () => {
      if (this.session?.opened.id !== id) await this.#open({ id });
    });
  }

  /**
   * Tries again what could not be opened, or storing in what is open. `takeOverUnknown`: also from an owner that nobody
   * here can judge.
   */
  async reopen(takeOverUnknown = false): Promise<void> {
    await this.#work.run(async () => {
      const { session } = this;
      const id = this.#wanted ?? session?.opened.id;
      if (id === undefined) await this.#openNew();
      else if (session?.opened.id !== id || session.isReadOnly || !(await this.#storesAgain(session)))
        await this.#open({ id, takeOverUnknown });
    });
  }

  /** Asks the window that has the wanted conversation to let it go, and opens it here. */
  async moveHere(): Promise<void> {
    await this.#work.run(async () => {
      const id = this.#wanted;
      if (id === undefined) return;
      const asked = await requestHandOver(this.#held.folderOf(id));
      if (!asked.ok) {
        this.#block(asked.error);
        return;
      }
      const opened = await this.#open({ id, waitMs: HAND_OVER_LIMIT_MS, held: () => asked.value.withdraw() });
      if (!opened.ok) await asked.value.withdraw();
    });
  }

  /**
   * Rescues what can be read of a conversation, opens it, and says in the chat what is missing. When that fails, the chat
   * says why, and it can be tried again. Without `which`: the one that could not be opened, or else the open one.
   */
  async rescue(which?: ConversationId): Promise<void> {
    await this.#work.run(async () => {
      const id = which ?? this.#wanted ?? this.session?.opened.id;
      if (id === undefined) return;
      this.#wanted = id;
      this.#concluded(await this.#held.rescue(id));
    });
  }

  /**
   * Does `work` while this window does not have the conversation; `any`: while it has none. When it was open here, a new one
   * takes its place, or, when the work failed, it is opened again.
   */
  async without<T>(
    which: ConversationId | "any",
    work: () => Promise<Result<T, ForgeError>>,
  ): Promise<Result<T, ForgeError>> {
    return this.#work.run(async () => {
      const here = this.session?.opened.id ?? this.#wanted;
      const isHere = here !== undefined && (which === "any" || which === here);
      if (isHere) await this.#held.close();
      const done = await work();
      if (isHere && done.ok) await this.#openNew();
      else if (isHere) await this.#open({ id: here });
      return done;
    });
  }

  /**
   * A key, a setting or the editor's models changed: the open conversation takes what it gets now. Of several changes that
   * come together the last one counts, however long the others ask around.
   */
  async reconnect(): Promise<void> {
    const own = ++this.#reconnects;
    await this.#work.idle(); // a conversation that is just being opened takes it, too
    const { session } = this;
    if (session === undefined) return;
    const { history } = session.opened.manager;
    const chosen = history.model;
    const connection = await this.#connections.resolve(chosen, lastModelIn(history));
    // A model that was chosen meanwhile, or a conversation that was opened, has its own connection.
    const isNewest = own === this.#reconnects;
    if (isNewest && this.session === session && history.model === chosen) session.connect(connection);
  }

  /** Has `name` answer in the open conversation, with its default model; answers whether it can. */
  async useProvider(name: ProviderName): Promise<boolean> {
    const connection = await this.#connections.connect(name);
    if (connection === undefined) return false;
    await this.session?.switchModel(connection);
    return true;
  }

  /** Something of the open conversation changed. */
  noteChange(): void {
    this.#active.noteChange();
  }

  /** Ends what runs, commits, closes the file, frees the lease. */
  async close(): Promise<void> {
    await this.#work.run(() => this.#held.leave());
  }

  async #tidy(): Promise<void> {
    const failures = await tidyStorage(this.places, this.#place.dist, this.#clock.nowMs());
    for (const failure of failures) this.#log.error(JSON.stringify(failure)); // the next start tries again
  }

  async #openNew(): Promise<void> {
    const id = parseConversationId(this.#newUuid());
    if (id === undefined) throw new Error("a new UUID is no conversation id");
    this.#wanted = undefined; // trying again begins another one
    this.#concluded(await this.#held.open({ id, isNew: true }));
  }

  /** Opens, or says why it cannot be. */
  async #open(opening: Opening): Promise<Result<void, ForgeError>> {
    this.#wanted = opening.id;
    return this.#concluded(await this.#held.open(opening));
  }

  #concluded(opened: Result<void, ForgeError>): Result<void, ForgeError> {
    if (opened.ok) this.#wanted = undefined;
    else this.#block(opened.error);
    return opened;
  }

  /** Whether the open file takes a write now. When only the disk refuses, it stays open: what is shown can still be read. */
  async #storesAgain(session: Session): Promise<boolean> {
    const stored = await session.opened.store.commit([{ kind: "draft", text: session.composer.text }]);
    if (!stored.ok && !["diskFull", "readOnly", "noPermission"].includes(stored.error.reason)) return false;
    this.#presenter.showBanner(stored.ok ? null : explain(stored.error, ""));
    return true;
  }

  /** Another window asks for what is open here: finish, let go, and say so. */
  async #handOver(id: ConversationId): Promise<void> {
    await this.#work.run(async () => {
      if (this.session?.opened.id !== id) return;
      const isOrderCut = await this.#held.close();
      this.#wanted = id;
      this.#presenter.block(movedAway(isOrderCut));
    });
  }

  #block(error: ForgeError): void {
    this.#log.error(JSON.stringify(error));
    this.#presenter.block(explain(error, ""));
  }
}
