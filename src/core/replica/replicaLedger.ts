/**
 * Objects of one conversation in the replica, as far as this machine knows them, and from that what is to be done. Pure: the
 * same knowledge and the same list give the same plan, so a kill between two steps costs nothing.
 *
 * Deleted are only keys of objects that a pack replaces, and these objects, after that pack was read from the replica.
 */

import type { ObjectHash } from "../history/segmentInfo.ts";
import type { GlobalIds } from "./globalIds.ts";
import type { KeyName, ObjectName, PackName, SegmentName } from "./objectNames.ts";

/** An object that this machine made, or has read from the replica. */
export interface KnownObject {
  readonly hash: ObjectHash;
  readonly length: number;
  /** Hashes of its segments, as they were published. */
  readonly segments: readonly ObjectHash[];
  readonly replaces: readonly ObjectHash[];
  /** Erasing segments whose messages it has no text of, nor anything made of them. */
  readonly without: readonly ObjectHash[];
  /** It was read from the replica, and is whole. */
  readonly isRead: boolean;
}

export type DataName = SegmentName | PackName;

/** Objects of one conversation, as a list of the replica has them. */
export interface ListedObjects {
  readonly whole: ReadonlyMap<ObjectHash, DataName>;
  /** Shorter than their names say. */
  readonly partial: ReadonlyMap<ObjectHash, DataName>;
  /** By the object that they are for. */
  readonly keys: ReadonlyMap<ObjectHash, readonly KeyName[]>;
}

export interface ReplicaPlan {
  /** Objects to read: unknown, whole, with a key. */
  readonly fetch: readonly DataName[];
  /** Objects that are not whole, or have no key yet. */
  readonly arriving: readonly DataName[];
  /** Objects with text that was erased: one pack is to replace them. */
  readonly scrub: readonly ObjectHash[];
  /** Objects that one pack is to replace, as they are many. */
  readonly merge: readonly ObjectHash[];
  /** In this order; the keys come first. To be noted before the first is deleted: without its key nobody knows an object. */
  readonly remove: readonly ObjectName[];
  /** Segments that others name, and that are nowhere. */
  readonly missing: readonly ObjectHash[];
}

export function listedObjects(
  objects: Iterable<{ readonly name: ObjectName; readonly length: number }>,
): ListedObjects {
  const whole = new Map<ObjectHash, DataName>();
  const partial = new Map<ObjectHash, DataName>();
  const keys = new Map<ObjectHash, KeyName[]>();
  for (const { name, length } of objects) {
    if (name.kind === "key" && length === name.length) keys.set(name.object, [...(keys.get(name.object) ?? []), name]);
    if (name.kind === "segment" || name.kind === "pack")
      (length === name.length ? whole : partial).set(name.hash, name);
  }
  return { whole, partial, keys };
}

/** Objects of about one size are merged once there are so many of them: a text is written again a few times only. */
const MERGED_AT_ONCE = 8;

export class ReplicaLedger {
  readonly #known: Map<ObjectHash, KnownObject>;
  readonly #mergedAtOnce: number;

  constructor(known: Iterable<KnownObject> = [], mergedAtOnce = MERGED_AT_ONCE) {
    this.#mergedAtOnce = mergedAtOnce;
    this.#known = new Map(Array.from(known, (object) => [object.hash, object]));
  }

  get known(): readonly KnownObject[] {
    return [...this.#known.values()];
  }

  object(hash: ObjectHash): KnownObject | undefined {
    return this.#known.get(hash);
  }

  note(object: KnownObject): void {
    const isRead = object.isRead || this.#known.get(object.hash)?.isRead === true;
    this.#known.set(object.hash, { ...object, isRead });
  }

  plan(listed: ListedObjects, ids: GlobalIds): ReplicaPlan {
    const replaced = this.#replaced(listed);
    const [fetch, arriving]: [DataName[], DataName[]] = [[], []];
    for (const [hash, name] of listed.whole) {
      if (this.#known.get(hash)?.isRead === true || replaced.has(hash)) continue;
      if (name.kind === "segment" && ids.segment(hash) !== undefined) continue;
      if (listed.keys.has(hash)) fetch.push(name);
      else arriving.push(name);
    }
    for (const [hash, name] of listed.partial) if (!replaced.has(hash)) arriving.push(name);
    const live = [...listed.whole.values()].filter(({ hash }) => !replaced.has(hash) && listed.keys.has(hash));
    const scrub = live
      .filter((name) => this.#hasErasedText(this.#contentOf(name.hash, name.kind), ids))
      .map(({ hash }) => hash);
    return {
      fetch: inOrder(fetch),
      arriving: inOrder(arriving),
      scrub: scrub.sort(),
      merge: scrub.length > 0 || fetch.length > 0 ? [] : dueForMerge(live, this.#mergedAtOnce),
      remove: this.#removable(listed, replaced),
      missing: this.#missing(listed, ids),
    };
  }

  /** True if an object need not be put any more: the replica has all of it. */
  isReplaced(hash: ObjectHash, listed: ListedObjects): boolean {
    return this.#replaced(listed).has(hash);
  }

  /** True if a segment that is not in the replica yet has text that was erased since. */
  isOutdated(segment: ObjectHash, ids: GlobalIds): boolean {
    return this.#hasErasedText({ segments: [segment], without: [] }, ids);
  }

  #contentOf(
    hash: ObjectHash,
    kind: DataName["kind"] | undefined,
  ): Pick<KnownObject, "segments" | "without"> | undefined {
    return this.#known.get(hash) ?? (kind === "segment" ? { segments: [hash], without: [] } : undefined);
  }

  #hasErasedText(content: Pick<KnownObject, "segments" | "without"> | undefined, ids: GlobalIds): boolean {
    if (content === undefined) return false; // it is read first
    const { segments, without } = content;
    return [...ids.erasing.keys()].some(
      (erasing) =>
        !without.includes(erasing) &&
        segments.some((hash) => {
          const info = ids.segment(hash);
          return hash !== erasing && (info === undefined || !ids.isAfter(info, erasing));
        }),
    );
  }

  /**
   * Objects of which the replica has all in another one that was read from there: those that this one replaces, at any
   * remove, and those that have nothing else. Of two with the same the one with the smaller hash stays.
   */
  #replaced(listed: ListedObjects): ReadonlySet<ObjectHash> {
    const replaced = new Set<ObjectHash>();
    const readable = [...listed.whole.keys()].flatMap((hash) => {
      const object = listed.keys.has(hash) ? this.#known.get(hash) : undefined;
      return object?.isRead === true ? [object] : [];
    });
    const next = [...readable];
    for (let object = next.pop(); object !== undefined; object = next.pop()) {
      for (const old of object.replaces) {
        if (replaced.has(old)) continue;
        replaced.add(old);
        const known = this.#known.get(old);
        next.push(...(known === undefined ? [] : [known]));
      }
    }
    // Also those of which only the key is left.
    for (const hash of new Set([...listed.whole.keys(), ...listed.keys.keys()])) {
      const content = this.#contentOf(hash, listed.whole.get(hash)?.kind);
      if (content === undefined) continue;
      const own = { hash, ...content };
      if (readable.some((other) => other.hash !== hash && contains(other, own))) replaced.add(hash);
    }
    return replaced;
  }

  #removable({ whole, partial, keys }: ListedObjects, replaced: ReadonlySet<ObjectHash>): readonly ObjectName[] {
    const gone = [...replaced].sort();
    return [
      ...gone.flatMap((hash) => keys.get(hash) ?? []),
      ...gone.flatMap((hash) => whole.get(hash) ?? partial.get(hash) ?? []),
    ];
  }

  #missing({ whole, partial }: ListedObjects, ids: GlobalIds): readonly ObjectHash[] {
    const inObjects = new Set(this.known.flatMap(({ hash, segments }) => (whole.has(hash) ? segments : [])));
    const isThere = (hash: ObjectHash): boolean => whole.has(hash) || partial.has(hash) || inObjects.has(hash);
    const named = new Set(ids.segments.flatMap(({ hash, after }) => [hash, ...after]));
    return [...named].filter((hash) => !isThere(hash)).sort();
  }
}

type Content = Pick<KnownObject, "hash" | "segments" | "without">;

/** True if the first is enough. */
function contains(one: Content, other: Content): boolean {
  const has = other.segments.every((hash) => one.segments.includes(hash));
  const isClean = other.without.every((hash) => one.without.includes(hash));
  if (!has || !isClean) return false;
  const isMore = one.segments.length > other.segments.length || one.without.length > other.without.length;
  return isMore || one.hash < other.hash;
}

/** By epoch, so that what others refer to comes first. */
function inOrder(names: readonly DataName[]): readonly DataName[] {
  const epochOf = (name: DataName): number => (name.kind === "segment" ? name.epoch : -1);
  return names.toSorted((one, other) => epochOf(one) - epochOf(other) || (one.hash < other.hash ? -1 : 1));
}

/** The smallest ones, if there are enough of which the largest is no longer than the others together. */
function dueForMerge(live: readonly DataName[], atOnce: number): readonly ObjectHash[] {
  const bySize = live.toSorted((one, other) => one.length - other.length || (one.hash < other.hash ? -1 : 1));
  let [sum, count] = [0, 0];
  for (const [at, { length }] of bySize.entries()) {
    if (at + 1 >= atOnce && length <= sum) count = at + 1;
    sum += length;
  }
  return bySize.slice(0, count).map(({ hash }) => hash);
}
