/**
 * Thread side of replication: finds what is to be done in which conversation, and does it. Checks run one at a time; a
 * kill anywhere costs what was under way.
 */

import path from "node:path";
import { systemClock } from "../../../adapters/node/clock.ts";
import { objectCipher } from "../../../adapters/node/objectCipher.ts";
import type { LeaseWatcher } from "../../../adapters/node/lease.ts";
import { readReplicaState, writeReplicaState, type ReplicaState } from "../../../adapters/node/replica/replicaState.ts";
import type { StorageFailed } from "../../../core/errors.ts";
import { Cancellation, type CancelSignal } from "../../../core/cancellation.ts";
import type { ObjectHash } from "../../../core/history/segmentInfo.ts";
import type { ConversationId } from "../../../core/ids.ts";
import { moveKeys } from "../../../core/replica/conversationKeyring.ts";
import type { ReplicatedConversation, ReplicationFailed } from "../../../core/replica/conversationReplica.ts";
import type { LogReplica, ReplicaResult } from "../../../core/replica/logReplica.ts";
import {
  digestOf,
  PlaceOverviewBuilder,
  type NamesByConversation,
  type PlaceOverview,
} from "../../../core/replica/placeScan.ts";
import type { RootKey } from "../../../core/replica/replicaRoot.ts";
import { err, invariant, ok, type Result } from "../../../core/result.ts";
import { WorkQueue } from "../../../core/workQueue.ts";
import { ReplicaThread } from "../replicaThread.ts";
import type { ClosedConversations } from "./closedConversations.ts";
import { ClosedWork } from "./closedWork.ts";
import { deleteErased } from "./deleteErased.ts";
import { PlaceNews } from "./placeNews.ts";
import type {
  Announce,
  CheckFailed,
  CheckReport,
  CheckRequest,
  ClosedOrder,
  OrderFailed,
  ReplicaStart,
  WorkDone,
} from "../replicaProtocol.ts";
import { WorkedConversation, workServices, type WorkServices } from "./workedConversation.ts";

export interface ReplicaServerServices {
  readonly place: LogReplica;
  readonly closed: ClosedConversations;
  readonly openConversation: (id: ConversationId) => ReplicatedConversation;
  readonly leases: LeaseWatcher;
}

/** Conversations that are worked on at once: most of the time is spent waiting for the place. */
const AT_ONCE = 4;
/** The same of a thread that is helped, which passes on what the other one asks of the place; and of that one. */
const AT_ONCE_HELPED = 2;
const AT_ONCE_HELPING = 6;
/** Conversations for which another thread is started, which costs about as much as three of a megabyte. */
const WORTH_HELP = 32;

/** Checks after which an object that was announced and is not listed is left to the next list of everything. */
const MOST_TRIES = 30;
const SAVED_EVERY = 100;
/** News are hints: everything is listed once a day. */
const FULL_EVERY_MS = 24 * 60 * 60 * 1_000;

/** Progress of a check: conversations done, of all. */
export type OnProgress = (done: number, all: number) => void;

interface Announced {
  readonly objects: ReadonlySet<ObjectHash>;
  readonly tries: number;
}

export class ReplicaServer {
  readonly #start: ReplicaStart;
  readonly #services: ReplicaServerServices;
  readonly #never = new Cancellation();
  readonly #checks = new WorkQueue();
  #state: ReplicaState | undefined;
  /** Changed here, or with something left to do. */
  readonly #due = new Set<ConversationId>();
  readonly #announced = new Map<ConversationId, Announced>();
  /** Why something of a conversation cannot be used, or is not there. */
  readonly #setAside = new Map<ConversationId, readonly string[]>();
  readonly #changed = new Set<ConversationId>();
  /** Conversations here; `undefined`: not looked yet. */
  #here: Set<ConversationId> | undefined;
  /** The keys are under another root now. */
  #isOver = false;
  #news: PlaceNews | undefined;
  #open: { readonly id: ConversationId; readonly worked: WorkedConversation } | undefined;

  constructor(start: ReplicaStart, services: ReplicaServerServices) {
    this.#start = start;
    this.#services = services;
  }

  noteChanged(conversation: ConversationId): void {
    this.#due.add(conversation);
  }

  check(request: CheckRequest, onProgress: OnProgress = () => undefined): Promise<Result<CheckReport, CheckFailed>> {
    return this.#checks.run(() => this.#check(request, onProgress));
  }

  /** Puts the keys of all conversations under `next`. */
  moveKeys(next: RootKey, cancel: CancelSignal, onProgress: OnProgress): Promise<Result<void, OrderFailed>> {
    return this.#checks.run(async () => {
      await this.#closeOpen(undefined);
      const listed = await this.#list("", cancel);
      if (!listed.ok) return listed;
      let done = 0;
      for (const [conversation, names] of listed.value.conversations) {
        const services = { place: this.#services.place, cipher: objectCipher, cancel };
        const moved = await moveKeys(services, { root: this.#start.root, next }, conversation, [...names.keys()]);
        if (!moved.ok) return moved;
        onProgress(++done, listed.value.conversations.size);
      }
      this.#isOver = true;
      return ok(undefined);
    });
  }

  async #check(
    { scope, open, sweeps, isFirst }: CheckRequest,
    onProgress: OnProgress,
  ): Promise<Result<CheckReport, CheckFailed>> {
    if (this.#isOver) return err({ code: "CANCELLED" });
    await this.#closeOpen(open);
    const state = (this.#state ??= await readReplicaState(this.#folder, this.#start.root.id));
    const news = (this.#news ??= new PlaceNews(this.#services.place, this.#start.machineId, state.seen, this.#never));
    const isDue = sweeps && Math.abs(systemClock.nowMs() - state.listedAtMs) > FULL_EVERY_MS;
    let isAll = scope === "all" || isDue;
    let overview = await this.#look(isAll);
    if (!overview.ok) return overview;
    if (!isAll && sweeps && news.hasGap(overview.value.news)) {
      isAll = true;
      overview = await this.#look(isAll);
      if (!overview.ok) return overview;
    }
    // What is put under a root that is gone could be read by nobody else.
    if (!overview.value.roots.has(this.#start.root.id)) return err({ code: "ROOT_GONE" });
    for (const [id, objects] of news.take(overview.value.news)) if (sweeps || id === open) this.#noteNews(id, objects);
    const swept = await this.#sweep(overview.value, { isAll, isFirst, open, sweeps });
    if (!swept.ok) return swept;
    const wanted = new Set(open === undefined ? swept.value : [open, ...swept.value]);
    const worked = await this.#workAll([...wanted], { overview: overview.value, isAll, open, onProgress });
    if (!worked.ok) return worked;
    if (!sweeps) return ok(this.#report(open));
    // After a kill the news of what has not arrived yet are read again.
    const read = this.#announced.size === 0 ? news.seen : this.#state.seen;
    this.#state = { ...this.#state, seen: read, listedAtMs: isAll ? systemClock.nowMs() : this.#state.listedAtMs };
    const saved = await writeReplicaState(this.#folder, this.#state);
    if (!saved.ok) return saved;
    return ok(this.#report(open));
  }

  #report(open: ConversationId | undefined): CheckReport {
    const waiting = new Set([...this.#due, ...this.#announced.keys()]);
    const changed = [...this.#changed];
    this.#changed.clear();
    const here = new Set(this.#here ?? (open === undefined ? [] : [open]));
    return {
      conversations: here.size,
      waiting: waiting.size,
      setAside: [...this.#setAside.values()].flat(),
      changed,
    };
  }

  /** Everything, or news, deletions and roots alone. */
  async #look(isAll: boolean): Promise<ReplicaResult<PlaceOverview>> {
    return isAll ? this.#list("", this.#never) : this.#list("news/", this.#never, "gone/", "root/");
  }

  async #list(
    prefix: string,
    cancel: CancelSignal,
    ...others: readonly string[]
  ): Promise<ReplicaResult<PlaceOverview>> {
    const builder = new PlaceOverviewBuilder();
    for (const each of [prefix, ...others]) {
      const listed = await this.#services.place.list(each, builder.add, cancel);
      if (!listed.ok) return listed;
    }
    return ok(builder.overview);
  }

  #noteNews(id: ConversationId, objects: ReadonlySet<ObjectHash>): void {
    const before = this.#announced.get(id)?.objects ?? [];
    this.#announced.set(id, { objects: new Set([...before, ...objects]), tries: 0 });
  }

  /** Closed conversations that have something to do; deletes what is to be deleted. */
  async #sweep(overview: PlaceOverview, options: Sweep): Promise<Result<readonly ConversationId[], CheckFailed>> {
    const { open, sweeps } = options;
    const erased = sweeps ? await this.#deleteErased() : ok(new Set<ConversationId>());
    if (!erased.ok) return erased;
    if (sweeps) {
      const listed = await this.#noteClosed(options);
      if (!listed.ok) return listed;
      await this.#followGone(overview.gone, open);
      if (options.isAll) this.#noteDifferences(overview.conversations);
    }
    const trashed = await this.#services.closed.trashed();
    for (const id of new Set([...this.#due, ...this.#announced.keys()])) {
      if (id === open || !(trashed.has(id) || overview.gone.has(id) || erased.value.has(id))) continue;
      this.#due.delete(id);
      this.#announced.delete(id);
    }
    return ok([...new Set([...this.#due, ...this.#announced.keys()])].filter((id) => id !== open));
  }

  /** Compares what is here with what was replicated. */
  async #noteClosed({ isAll, isFirst }: Sweep): Promise<Result<void, StorageFailed>> {
    if (!isAll && !isFirst && this.#here !== undefined) return ok(undefined);
    const listed = await this.#services.closed.list();
    if (!listed.ok) return listed;
    this.#here = new Set(listed.value.map(({ id }) => id));
    for (const { id, meta, openIn, broken } of listed.value) {
      if (openIn !== "free" || broken !== undefined) continue; // the window that has it replicates it
      const { recordCount } = meta ?? {};
      if (recordCount === undefined || recordCount !== this.#state?.settled.get(id)?.records) this.#due.add(id);
    }
    return ok(undefined);
  }

  /** Moves to the trash what was deleted for good on another machine; once, as its person may restore it here. */
  async #followGone(gone: ReadonlySet<ConversationId>, open: ConversationId | undefined): Promise<void> {
    for (const id of gone) {
      const isFollowed = this.#state?.followed.has(id) === true;
      if (isFollowed || id === open || this.#state === undefined) continue;
      if (this.#here?.has(id) === true && !(await this.#services.closed.moveToTrash(id))) continue;
      this.#state = { ...this.#state, followed: new Set([...this.#state.followed, id]) };
      if (this.#here?.delete(id) === true) this.#changed.add(id);
    }
  }

  #noteDifferences(there: NamesByConversation): void {
    for (const [id, names] of there)
      if (this.#state?.settled.get(id)?.digest !== digestOf(names, objectCipher)) this.#due.add(id);
    for (const id of this.#here ?? []) if (!there.has(id)) this.#due.add(id);
  }

  async #workAll(
    wanted: readonly ConversationId[],
    options: {
      overview: PlaceOverview;
      isAll: boolean;
      open: ConversationId | undefined;
      onProgress: OnProgress;
    },
  ): Promise<Result<void, CheckFailed>> {
    const queue = [...wanted];
    let done = 0;
    let failure: CheckFailed | undefined;
    const next = async (worker: ClosedWorker): Promise<void> => {
      for (let id = queue.shift(); id !== undefined && failure === undefined; id = queue.shift()) {
        const worked = await this.#workOn(id, worker, options);
        if (!worked.ok) failure ??= worked.error;
        options.onProgress(++done, wanted.length);
        if (done % SAVED_EVERY === 0 && this.#state !== undefined) await writeReplicaState(this.#folder, this.#state);
      }
    };
    const here = new ClosedWork(this.#services.closed, this.#work);
    const helper = wanted.length < WORTH_HELP ? undefined : this.#startHelper();
    const own: ClosedWorker = (order) => here.work(order);
    const workers = Array.from({ length: helper === undefined ? AT_ONCE : AT_ONCE_HELPED }, () => own);
    if (helper !== undefined)
      for (let each = 0; each < AT_ONCE_HELPING; each++) workers.push((order) => helper.order("work", order));
    try {
      await Promise.all(workers.map(next));
    } finally {
      await helper?.end();
    }
    return failure === undefined ? ok(undefined) : err(failure);
  }

  /** A thread like this one, for conversations that no window has open. */
  #startHelper(): ReplicaThread {
    return new ReplicaThread(this.#start, {
      place: this.#services.place,
      openConversation: () => undefined,
      announce: this.#announce,
      ended: (detail) => {
        throw new Error(detail); // as a bug of this thread, which the host notices
      },
    });
  }

  /** Fails with what concerns the whole place. */
  async #workOn(
    id: ConversationId,
    worker: ClosedWorker,
    { overview, isAll, open }: { overview: PlaceOverview; isAll: boolean; open: ConversationId | undefined },
  ): Promise<Result<void, CheckFailed>> {
    this.#due.add(id); // until it is done
    const worked =
      id === open ? await this.#workOpen(id, isAll) : await this.#workClosed(id, worker, isAll ? overview : undefined);
    if (worked.ok) {
      this.#settle(id, worked.value);
      return ok(undefined);
    }
    const { error } = worked;
    switch (error.code) {
      case "CONVERSATION_BUSY":
        return ok(undefined);
      case "STORAGE_FAILED":
        this.#setAside.set(id, [`${id}: ${error.detail}`]);
        return ok(undefined);
      default:
        return err(error);
    }
  }

  #settle(id: ConversationId, { report, recordCount, left }: WorkDone): void {
    const { plan, unusable, names } = report;
    const isComplete = plan.fetch.length === 0 && plan.arriving.length === 0;
    const tries = (this.#announced.get(id)?.tries ?? 0) + 1;
    if (left.length === 0 || tries > MOST_TRIES) this.#announced.delete(id);
    else this.#announced.set(id, { objects: new Set(left), tries });
    const aside = [
      ...unusable.map(({ name, why }) => `${name}: ${why.code}`),
      ...plan.missing.map((hash) => `c/${id}: ${hash}`),
    ];
    if (aside.length === 0) this.#setAside.delete(id);
    else this.#setAside.set(id, aside);
    if (!isComplete) return;
    this.#due.delete(id);
    this.#here?.add(id);
    this.#state?.settled.set(id, { records: recordCount, digest: digestOf(names, objectCipher) });
  }

  async #workOpen(id: ConversationId, restores: boolean): Promise<Result<WorkDone, ReplicationFailed>> {
    if (this.#open === undefined) {
      const names = await this.#namesOf(id);
      if (!names.ok) return names;
      const opened = await WorkedConversation.open(this.#services.openConversation(id), names.value, this.#work);
      if (!opened.ok) return opened;
      this.#open = { id, worked: opened.value };
    }
    const done = await this.#open.worked.work({ restores }, this.#announcedOf(id));
    if (!done.ok) await this.#closeOpen(undefined); // it may have what is not stored
    return done;
  }

  async #workClosed(
    id: ConversationId,
    worker: ClosedWorker,
    overview: PlaceOverview | undefined,
  ): Promise<Result<WorkDone, ReplicationFailed>> {
    const names =
      overview === undefined ? await this.#namesOf(id) : ok([...(overview.conversations.get(id)?.keys() ?? [])]);
    if (!names.ok) return names;
    const restores = overview !== undefined;
    const done = await worker({ id, names: names.value, restores, announced: this.#announcedOf(id) });
    if (done.ok && done.value.hasTaken) this.#changed.add(id);
    return done;
  }

  #announcedOf(id: ConversationId): readonly ObjectHash[] {
    return [...(this.#announced.get(id)?.objects ?? [])];
  }

  async #namesOf(id: ConversationId): Promise<ReplicaResult<readonly string[]>> {
    const names: string[] = [];
    const listed = await this.#services.place.list(
      `c/${id}/`,
      (page) => names.push(...page.map(({ name }) => name)),
      this.#never,
    );
    return listed.ok ? ok(names) : listed;
  }

  get #work(): WorkServices {
    const { place, leases } = this.#services;
    return workServices(this.#start, { place, announce: this.#announce, leases });
  }

  readonly #announce: Announce = (conversation, object) => {
    invariant(this.#news !== undefined, "the news are read before anything is put");
    return this.#news.announce(conversation, object);
  };

  #deleteErased(): ReturnType<typeof deleteErased> {
    return deleteErased({
      place: this.#services.place,
      storage: this.#start.storage,
      announce: this.#announce,
      cancel: this.#never,
    });
  }

  async #closeOpen(next: ConversationId | undefined): Promise<void> {
    if (this.#open === undefined || this.#open.id === next) return;
    const { id, worked } = this.#open;
    this.#open = undefined;
    this.#due.add(id);
    await worked.close();
  }

  get #folder(): string {
    return path.join(this.#start.storage, "replica");
  }
}

type ClosedWorker = (order: ClosedOrder) => Promise<Result<WorkDone, ReplicationFailed>>;

interface Sweep {
  readonly isAll: boolean;
  readonly isFirst: boolean;
  readonly open: ConversationId | undefined;
  readonly sweeps: boolean;
}
