/** A replica in memory: the model of what a place may do. */

import { raceCancel, type CancelSignal } from "../../../src/core/cancellation.ts";
import { CANCELLED } from "../../../src/core/errors.ts";
import {
  isNamePrefix,
  isObjectName,
  type ListedObject,
  type LogReplica,
  replicaFailed,
  type ReplicaFailed,
  type ReplicaResult,
} from "../../../src/core/replica/logReplica.ts";
import { err, invariant, ok } from "../../../src/core/result.ts";
import type { Gate, PutFault } from "./replicaFaults.ts";

const MOST_PER_PAGE = 1_000;

/** The objects, and the faults of the calls to come. */
export class MemoryPlace {
  readonly objects = new Map<string, Uint8Array>();
  /** False: a second put overwrites, as some stores do. */
  readonly refusesSecond: boolean;
  /** Of every call while set. */
  failure: ReplicaFailed | undefined;
  /** Of the puts to come, in order. */
  readonly putFaults: (PutFault | Gate)[] = [];
  /** Listings while set. */
  listed: readonly ListedObject[] | undefined;

  constructor({ refusesSecond = true }: { readonly refusesSecond?: boolean } = {}) {
    this.refusesSecond = refusesSecond;
  }

  list(): readonly ListedObject[] {
    return [...this.objects].map(([name, bytes]) => ({ name, length: bytes.length }));
  }

  put(name: string, bytes: Uint8Array): "created" | "exists" {
    const present = this.objects.get(name);
    const isRefused = present !== undefined && this.refusesSecond;
    if (!isRefused || present.length < bytes.length) this.objects.set(name, bytes.slice());
    return isRefused ? "exists" : "created";
  }
}

/** Notes what is put. */
export class RecordingPlace extends MemoryPlace {
  /** All that was put, also if it was deleted. */
  readonly ever = new Map<string, Uint8Array>();
  /** Names that were put again with other bytes. */
  readonly overwritten = new Set<string>();

  override put(name: string, bytes: Uint8Array): "created" | "exists" {
    const before = this.ever.get(name);
    if (before !== undefined && !isSame(before, bytes)) this.overwritten.add(name);
    this.ever.set(name, bytes);
    return super.put(name, bytes);
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

export class MemoryReplica implements LogReplica {
  readonly #place: MemoryPlace;

  constructor(place: MemoryPlace) {
    this.#place = place;
  }

  put(name: string, bytes: Uint8Array, cancel: CancelSignal): Promise<ReplicaResult<"created" | "exists">> {
    invariant(isObjectName(name), `${name} is no name of an object`);
    return this.#run(cancel, async () => {
      const fault = this.#place.putFaults.shift();
      if (fault === "dropped") return err(LOST);
      if (fault === "half") {
        if (!this.#place.objects.has(name)) this.#place.objects.set(name, bytes.slice(0, bytes.length >> 1));
        return err(LOST);
      }
      if (typeof fault === "object") await fault.pass();
      const outcome = this.#place.put(name, bytes);
      if (fault === "doubled") this.#place.put(name, bytes);
      return fault === "answerLost" ? err(LOST) : ok(outcome);
    });
  }

  get(name: string, cancel: CancelSignal): Promise<ReplicaResult<Uint8Array | undefined>> {
    invariant(isObjectName(name), `${name} is no name of an object`);
    return this.#run(cancel, () => ok(this.#place.objects.get(name)?.slice()));
  }

  list(
    prefix: string,
    page: (objects: readonly ListedObject[]) => void,
    cancel: CancelSignal,
  ): Promise<ReplicaResult<void>> {
    invariant(isNamePrefix(prefix), `no name of an object begins with ${prefix}`);
    return this.#run(cancel, async () => {
      const found = (this.#place.listed ?? this.#place.list()).filter(({ name }) => name.startsWith(prefix));
      for (let at = 0; at < found.length && !cancel.aborted; at += MOST_PER_PAGE) {
        page(found.slice(at, at + MOST_PER_PAGE));
        await Promise.resolve();
      }
      return ok(undefined);
    });
  }

  delete(name: string, cancel: CancelSignal): Promise<ReplicaResult<void>> {
    invariant(isObjectName(name), `${name} is no name of an object`);
    return this.#run(cancel, () => {
      this.#place.objects.delete(name);
      return ok(undefined);
    });
  }

  async #run<T>(
    cancel: CancelSignal,
    work: () => ReplicaResult<T> | Promise<ReplicaResult<T>>,
  ): Promise<ReplicaResult<T>> {
    if (cancel.aborted) return err(CANCELLED);
    if (this.#place.failure !== undefined) return err(this.#place.failure);
    const begun = Promise.resolve().then(work);
    return raceCancel<ReplicaResult<T>>(begun, cancel, err(CANCELLED));
  }
}

const LOST = replicaFailed("unreachable", "lost on the way");
