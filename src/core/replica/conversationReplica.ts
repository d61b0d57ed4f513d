/**
 * Keeps one conversation and its objects in the replica equal. All that it decides follows from what is durable: the
 * conversation's records, the outbox, and the list of the replica. So a kill at any place costs what was under way, and the
 * next one goes on.
 */

import type { CancelSignal } from "../cancellation.ts";
import type { Cancelled, StorageFailed } from "../errors.ts";
import type { FullHistory, StoredRecord } from "../history/fullHistory.ts";
import type { ConversationRecord } from "../history/records.ts";
import type { ObjectHash } from "../history/segmentInfo.ts";
import type { ConversationId, MessageId } from "../ids.ts";
import { ok, type Result } from "../result.ts";
import { ConversationCopy } from "./conversationCopy.ts";
import type { Message } from "../message.ts";
import type { LogReplica, ReplicaFailed, ReplicaResult } from "./logReplica.ts";
import type { ObjectCipher } from "./objectCipher.ts";
import { parseName, type ObjectName } from "./objectNames.ts";
import {
  listedObjects,
  ReplicaLedger,
  type DataName,
  type KnownObject,
  type ListedObjects,
  type ReplicaPlan,
} from "./replicaLedger.ts";
import { scrubbed } from "./scrubbing.ts";
import {
  knownOf,
  openObject,
  readObject,
  sealObject,
  type ConversationKeys,
  type OutboxObject,
  type UnusableObject,
} from "./sealedObject.ts";
import type { ObjectContent, OutgoingContent, OutgoingPack, PackContent, SegmentContent } from "./segmentContent.ts";
import { erasedMeanwhile, placeSegment } from "./segmentPlacement.ts";
import { SegmentRebuilder } from "./segmentRebuilder.ts";
import { SegmentWriter, type SegmentAuthor } from "./segmentWriter.ts";
import type { PublishedRecord } from "./wireRecord.ts";

/** An answer is being written, or somebody else has the conversation: it is for later. */
export interface ConversationBusy {
  readonly code: "CONVERSATION_BUSY";
}

export type ReplicatedFileFailed = StorageFailed | ConversationBusy;

/** The conversation on this machine. Others may commit records between two calls. */
export interface ReplicatedConversation {
  readonly id: ConversationId;
  /** False only while no record is that of a segment: then there is nothing to know before it is published. */
  mayHaveSegments(): Promise<Result<boolean, ReplicatedFileFailed>>;
  /** Records from number `from` on; empty at the end. */
  readIndex(from: number): Promise<Result<readonly StoredRecord[], ReplicatedFileFailed>>;
  /** The same with the contents of messages. */
  read(from: number): Promise<Result<readonly PublishedRecord[], ReplicatedFileFailed>>;
  /** In one transaction; with `at`, only if exactly so many records are stored, else `changed`. */
  commit(
    records: readonly ConversationRecord[],
    at?: number,
  ): Promise<Result<"stored" | "changed", ReplicatedFileFailed>>;
  erase(ids: readonly MessageId[]): Promise<Result<void, ReplicatedFileFailed>>;
}

/** Objects that this machine is about to put or to delete; durable, and read again at the next start. */
export interface Outbox {
  /** Oldest first. */
  readonly objects: readonly OutboxObject[];
  /** Names to be deleted, in this order. */
  readonly removals: readonly string[];
  /** A cache: what is lost is read from the replica again. */
  readonly known: readonly KnownObject[];
  add(object: OutboxObject): Promise<Result<void, StorageFailed>>;
  drop(object: OutboxObject): Promise<Result<void, StorageFailed>>;
  setRemovals(names: readonly string[]): Promise<Result<void, StorageFailed>>;
  setKnown(known: readonly KnownObject[]): Promise<Result<void, StorageFailed>>;
}

export type ReplicationFailed = ReplicaFailed | ReplicatedFileFailed | Cancelled;

export interface ReplicaReport {
  readonly plan: ReplicaPlan;
  readonly unusable: readonly UnusableObject[];
  /** Objects of the conversation in the replica, with their lengths. */
  readonly names: ReadonlyMap<string, number>;
}

export interface ReplicaServices {
  readonly place: LogReplica;
  readonly cipher: ObjectCipher;
  readonly keys: ConversationKeys;
  readonly outbox: Outbox;
  /** Tells other machines of an object that was put; more than once after a kill. */
  readonly announce: (object: ObjectHash) => Promise<ReplicaResult<unknown>>;
  /** False: keys alone can be deleted there, so many objects stay many. */
  readonly isPacked: boolean;
  readonly cancel: CancelSignal;
}

export interface WorkOptions {
  readonly restores?: boolean;
}

type Done = Result<void, ReplicationFailed>;
type Stepped = Result<"stepped" | "idle", ReplicationFailed>;

export class ConversationReplica {
  readonly #file: ReplicatedConversation;
  readonly #services: ReplicaServices;
  readonly #author: Omit<SegmentAuthor, "sequence" | "previous">;
  readonly #ledger: ReplicaLedger;
  readonly #unusable = new Map<string, UnusableObject>();
  /** Names that were deleted since the work began: lists may go on to show them, and then the next work deletes them again. */
  readonly #deleted = new Set<string>();
  /** With all records. */
  #copy = new ConversationCopy();
  /** With those that are published or were passed over; the same one while these are all. */
  #published = this.#copy;
  #hasTaken = false;
  #hasStored = false;
  #sequence = 0;
  #previous: ObjectHash | undefined;

  constructor(
    file: ReplicatedConversation,
    author: Omit<SegmentAuthor, "sequence" | "previous">,
    services: ReplicaServices,
  ) {
    this.#file = file;
    this.#author = author;
    this.#services = services;
    this.#ledger = new ReplicaLedger(services.outbox.known, services.isPacked ? undefined : Infinity);
    for (const { known } of services.outbox.objects) this.#ledger.note(known);
  }

  get history(): FullHistory {
    return this.#copy.history;
  }

  /** Something of another machine was placed, or erased, since it was opened. */
  get hasTaken(): boolean {
    return this.#hasTaken;
  }

  /** It has stored records in the conversation. */
  get hasStored(): boolean {
    return this.#hasStored;
  }

  /** Number of records that were read. */
  get recordCount(): number {
    return this.#copy.ids.recordCount;
  }

  /** True if an object is here: its records, or what is known of it. */
  has(object: ObjectHash): boolean {
    return this.#copy.ids.segment(object) !== undefined || this.#ledger.object(object) !== undefined;
  }

  /** Must end well before anything else is called. */
  async open(): Promise<Result<void, ReplicatedFileFailed>> {
    const may = await this.#file.mayHaveSegments();
    if (!may.ok) return may;
    if (!may.value) return ok(undefined); // `publish` reads it with its contents
    this.#published = new ConversationCopy();
    const records: StoredRecord[] = [];
    const read = await this.#catchUp(records);
    if (!read.ok) return read;
    for (const record of records.slice(0, this.#copy.ids.publishedTo)) this.#published.apply(record);
    this.#published.ids.learnFrom(this.#copy.ids);
    return this.#eraseFollowed();
  }

  /** Puts all records that are in no segment yet into the outbox. */
  async publish(): Promise<Result<void, ReplicatedFileFailed>> {
    const isBehind = this.#copy.ids.recordCount < this.#published.ids.recordCount;
    const read = isBehind ? await this.#catchUp() : ok(undefined);
    if (!read.ok) return read;
    for (;;) {
      const writer = new SegmentWriter(this.#published);
      const filled = await this.#fill(writer);
      if (!filled.ok) return filled;
      const previous = this.#previous === undefined ? {} : { previous: this.#previous };
      const written = writer.finish({ ...this.#author, sequence: this.#sequence, ...previous });
      if (written === undefined) return ok(undefined);
      const { content } = written;
      const object = await this.#sealed({ kind: "segment", conversation: this.#file.id, segment: content });
      const added = await this.#services.outbox.add(object);
      if (!added.ok) return added;
      const { hash } = object.known;
      const record = written.recordOf(hash);
      const stored = await this.#file.commit([record]);
      if (!stored.ok) return stored;
      this.#hasStored = true;
      this.#ledger.note(object.known);
      this.#published.ids.learn(record);
      this.#sequence++;
      this.#previous = hash;
    }
  }

  /**
   * Puts, takes and tidies until there is nothing left to do; the report says what could not be done. `restores`: also puts
   * what the place has lost and this machine has.
   */
  async work({ restores = false }: WorkOptions = {}): Promise<Result<ReplicaReport, ReplicationFailed>> {
    this.#deleted.clear();
    for (let mayRestore = restores; ;) {
      const objects = new Map<string, number>();
      const listed = await this.#services.place.list(
        `c/${this.#file.id}/`,
        (page) => {
          for (const { name, length } of page) if (!this.#deleted.has(name)) objects.set(name, length);
        },
        this.#services.cancel,
      );
      if (!listed.ok) return listed;
      let steps = 0;
      for (;;) {
        const stepped = await this.#step(objects);
        if (!stepped.ok) return stepped;
        if (stepped.value === "idle") break;
        steps++;
      }
      if (steps > 0) continue;
      const plan = this.#planOf(listedIn(objects));
      const lost = plan.missing.filter((hash) => this.#copy.ids.segment(hash) !== undefined);
      if (mayRestore && lost.length > 0) {
        mayRestore = false;
        const restored = await this.#restore(lost);
        if (!restored.ok) return restored;
        continue;
      }
      return ok({ plan, unusable: [...this.#unusable.values()], names: objects });
    }
  }

  /** `objects` are those of the list, and what was done since. */
  async #step(objects: Map<string, number>): Promise<Stepped> {
    const { outbox } = this.#services;
    const [head] = outbox.objects;
    const listed = listedIn(objects);
    if (head !== undefined) return then(await this.#send(head, objects, listed));
    const [removal, ...others] = outbox.removals;
    if (removal !== undefined) {
      const deleted = await this.#services.place.delete(removal, this.#services.cancel);
      if (!deleted.ok) return deleted;
      objects.delete(removal);
      this.#deleted.add(removal);
      return then(await outbox.setRemovals(others));
    }
    const plan = this.#planOf(listed);
    for (const name of plan.fetch) {
      const taken = await this.#take(name, listed);
      if (!taken.ok || taken.value === "stepped") return taken;
    }
    const packed = plan.scrub.length > 0 ? plan.scrub : plan.merge;
    if (packed.length > 0) {
      const made = await this.#pack(packed, listed);
      if (!made.ok || made.value === "stepped") return made;
    }
    const removals = this.#removable(plan.remove.map(({ name }) => name));
    return removals.length === 0 ? ok("idle") : then(await outbox.setRemovals(removals));
  }

  #planOf(listed: ListedObjects): ReplicaPlan {
    const plan = this.#ledger.plan(listed, this.#copy.ids);
    return { ...plan, fetch: plan.fetch.filter(({ name }) => !this.#unusable.has(name)) };
  }

  async #send(object: OutboxObject, objects: Map<string, number>, listed: ListedObjects): Promise<Done> {
    const { outbox, place, cancel } = this.#services;
    const { ids } = this.#copy;
    const { name, bytes, keyName, keyBytes, known } = object;
    const isSegment = parseName(name)?.kind === "segment";
    if (isSegment && ids.segment(known.hash) === undefined) return outbox.drop(object); // a kill came before its record
    if (isSegment && this.#ledger.isOutdated(known.hash, ids)) {
      const content = await openObject(object, this.#services);
      if (content.ok) {
        const added = await outbox.add(await this.#sealedPack([[known.hash, content.value]]));
        if (!added.ok) return added;
        this.#noteOutbox();
      }
      return this.#dropSent(object);
    }
    if (this.#ledger.isReplaced(known.hash, listed)) return this.#dropSent(object);
    for (const [put, content] of [
      [keyName, keyBytes],
      [name, bytes],
    ] as const) {
      if (objects.get(put) === content.length) continue;
      const done = await place.put(put, content, cancel);
      if (!done.ok) return done;
      objects.set(put, content.length);
      this.#deleted.delete(put);
    }
    if (!isSegment) {
      const back = await place.get(name, cancel);
      if (!back.ok) return back;
      const isWhole = back.value !== undefined && this.#services.cipher.hashOf(back.value) === known.hash;
      if (!isWhole) {
        objects.delete(name); // it is put again
        return ok(undefined);
      }
      this.#ledger.note({ ...known, isRead: true });
      const noted = await outbox.setKnown(this.#ledger.known);
      if (!noted.ok) return noted;
    }
    const announced = await this.#services.announce(known.hash);
    return announced.ok ? outbox.drop(object) : announced;
  }

  /** Its key may have been put before, and nobody else would know of it. */
  async #dropSent(object: OutboxObject): Promise<Done> {
    const { outbox } = this.#services;
    const removed = await outbox.setRemovals([...outbox.removals, ...this.#removable([object.keyName, object.name])]);
    return removed.ok ? outbox.drop(object) : removed;
  }

  #removable(names: readonly string[]): readonly string[] {
    return this.#services.isPacked ? names : names.filter((name) => parseName(name)?.kind === "key");
  }

  /** `idle` if it cannot be used now. */
  async #take(name: DataName, listed: ListedObjects): Promise<Stepped> {
    const content = await this.#read(name, listed);
    if (!content.ok) return content;
    if (content.value === undefined) return ok("idle");
    const segments =
      content.value.kind === "pack" ? content.value.pack.segments : [{ hash: name.hash, ...content.value.segment }];
    for (const segment of segments) {
      const { ids } = this.#copy;
      if (ids.segment(segment.hash) !== undefined) continue;
      if (!segment.info.after.every((hash) => ids.segment(hash) !== undefined)) return ok("idle");
      const placed = await this.#place(segment.hash, segment);
      if (!placed.ok) return placed;
    }
    this.#ledger.note(knownOf(name.hash, name.length, content.value, true));
    return then(await this.#services.outbox.setKnown(this.#ledger.known));
  }

  async #place(hash: ObjectHash, segment: SegmentContent): Promise<Result<void, ReplicatedFileFailed>> {
    this.#copyApart();
    for (;;) {
      const read = await this.#catchUp();
      if (!read.ok) return read;
      const { recordCount } = this.#copy.ids;
      const { records } = placeSegment(this.#copy, hash, segment);
      const stored = await this.#file.commit(records, recordCount);
      if (stored.ok && stored.value === "stored") {
        [this.#hasTaken, this.#hasStored] = [true, true];
        for (const record of records) if (record.kind === "segment") this.#published.ids.learn(record);
        return this.#eraseFollowed();
      }
      this.#copy = new ConversationCopy(); // it has what is not stored
      if (!stored.ok) return stored;
    }
  }

  async #pack(hashes: readonly ObjectHash[], listed: ListedObjects): Promise<Stepped> {
    const contents: (readonly [ObjectHash, ObjectContent])[] = [];
    for (const hash of hashes) {
      const name = listed.whole.get(hash);
      const content = name === undefined ? ok(undefined) : await this.#read(name, listed);
      if (!content.ok) return content;
      if (content.value !== undefined) contents.push([hash, content.value]);
    }
    const isEnough = contents.length > 0 && contents.length === hashes.length;
    if (!isEnough) return ok("idle");
    const added = await this.#services.outbox.add(await this.#sealedPack(contents));
    this.#noteOutbox();
    return then(added);
  }

  /** Makes packs of segments from the own records. */
  async #restore(lost: readonly ObjectHash[]): Promise<Result<void, ReplicatedFileFailed>> {
    const { ids } = this.#copy;
    for (const group of groupsOf(lost, (hash) => ids.segment(hash)?.count ?? 0)) {
      const rebuilder = new SegmentRebuilder(ids, new Set(group));
      for (;;) {
        const page = await this.#file.read(rebuilder.recordCount);
        if (!page.ok) return page;
        if (page.value.length === 0) break;
        for (const record of page.value) rebuilder.add(record);
      }
      const segments = rebuilder.finish().toSorted((one, other) => one.info.epoch - other.info.epoch);
      const pack: OutgoingPack = { segments, replaces: [], without: [...ids.erasing.keys()].sort() };
      const object = await this.#sealed({ kind: "pack", conversation: this.#file.id, pack });
      const added = await this.#services.outbox.add(object);
      if (!added.ok) return added;
    }
    this.#noteOutbox();
    return ok(undefined);
  }

  #noteOutbox(): void {
    for (const { known } of this.#services.outbox.objects) this.#ledger.note(known);
  }

  async #sealedPack(objects: readonly (readonly [ObjectHash, ObjectContent])[]): Promise<OutboxObject> {
    const { ids } = this.#copy;
    const segments = new Map<ObjectHash, PackContent["segments"][number]>();
    for (const [hash, content] of objects) {
      const its = content.kind === "pack" ? content.pack.segments : [{ hash, ...content.segment }];
      for (const segment of its) {
        const erased = erasedMeanwhile(this.#copy, segment);
        segments.set(segment.hash, { ...scrubbed(segment, segment.hash, erased), hash: segment.hash });
      }
    }
    const pack: PackContent = {
      segments: [...segments.values()].sort((one, other) => one.info.epoch - other.info.epoch),
      replaces: objects.map(([hash]) => hash).sort(),
      without: [...ids.erasing.keys()].sort(),
    };
    return this.#sealed({ kind: "pack", conversation: this.#file.id, pack });
  }

  #sealed(content: OutgoingContent): Promise<OutboxObject> {
    return sealObject(content, this.#services);
  }

  /** `undefined` for an object that is not whole yet, or cannot be used. */
  async #read(name: DataName, listed: ListedObjects): Promise<Result<ObjectContent | undefined, ReplicationFailed>> {
    const read = await readObject(name, listed.keys.get(name.hash) ?? [], this.#services);
    if (!read.ok || read.value === "arriving") return read.ok ? ok(undefined) : read;
    if (!("why" in read.value)) return ok(read.value.content);
    this.#unusable.set(name.name, read.value);
    return ok(undefined);
  }

  /** Also fills the copy with all records, as far as it has read less: nothing is read twice. */
  async #fill(writer: SegmentWriter): Promise<Result<void, ReplicatedFileFailed>> {
    let characters = 0;
    while (!writer.isComplete() && characters < MOST_CHARACTERS) {
      const page = await this.#file.read(this.#published.ids.recordCount);
      if (!page.ok) return page;
      if (page.value.length === 0) break;
      for (const record of page.value) {
        const { recordCount } = this.#published.ids;
        if (this.#copy !== this.#published && this.#copy.ids.recordCount === recordCount) this.#copy.apply(record);
        writer.add(record);
        characters += charactersIn(record);
        if (writer.isComplete() || characters >= MOST_CHARACTERS) break;
      }
    }
    return ok(undefined);
  }

  /** Applies what was stored since; adds it to `records`. */
  async #catchUp(records: StoredRecord[] = []): Promise<Result<void, ReplicatedFileFailed>> {
    for (;;) {
      const page = await this.#file.readIndex(this.#copy.ids.recordCount);
      if (!page.ok) return page;
      if (page.value.length === 0) return ok(undefined);
      if (this.#copyApart()) continue;
      for (const record of page.value) this.#copy.apply(record);
      records.push(...page.value);
    }
  }

  /** True if there is a new copy now, to be filled with all records: what comes is not published. */
  #copyApart(): boolean {
    if (this.#copy !== this.#published) return false;
    this.#copy = new ConversationCopy();
    return true;
  }

  /** Erases here what other machines erased, also after a kill. */
  async #eraseFollowed(): Promise<Result<void, ReplicatedFileFailed>> {
    const { ids, history } = this.#copy;
    const gone = [...ids.erasing.values()].flat().flatMap((id) => ids.messageOf(id) ?? []);
    const left = [...new Set(gone)].filter((id) => history.entry(id).erasedAtMs === undefined).sort((a, b) => a - b);
    if (left.length === 0) return ok(undefined);
    [this.#hasTaken, this.#hasStored] = [true, true];
    const erased = await this.#file.erase(left);
    return erased.ok ? this.#catchUp() : erased;
  }
}

/** Of messages in one segment, or one message more: an object is held in memory as a whole. In bytes of those unparsed. */
const MOST_CHARACTERS = 4_000_000;

function charactersIn(record: PublishedRecord): number {
  if (record.kind === "entry") return record.json.length;
  return record.kind === "message" ? charactersOf(record.message) : 0;
}

/** About as many as its text has. */
export function charactersOf({ parts }: Message): number {
  let characters = 0;
  for (const part of parts)
    for (const value of Object.values(part) as readonly unknown[])
      if (typeof value === "string") characters += value.length;
  return characters;
}

/** Of records that are put into one pack, or of one segment more. */
const MOST_RECORDS = 10_000;

function* groupsOf(hashes: readonly ObjectHash[], sizeOf: (hash: ObjectHash) => number): Generator<ObjectHash[]> {
  let [group, size]: [ObjectHash[], number] = [[], 0];
  for (const hash of hashes) {
    group.push(hash);
    size += sizeOf(hash);
    if (size < MOST_RECORDS) continue;
    yield group;
    [group, size] = [[], 0];
  }
  if (group.length > 0) yield group;
}

function listedIn(objects: ReadonlyMap<string, number>): ListedObjects {
  return listedObjects(
    [...objects].flatMap(([name, length]) => {
      const parsed: ObjectName | undefined = parseName(name);
      return parsed === undefined ? [] : [{ name: parsed, length }];
    }),
  );
}

function then(done: Done): Stepped {
  return done.ok ? ok("stepped") : done;
}
