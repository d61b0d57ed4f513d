/** A machine that replicates a conversation, and is killed between any two effects. */

import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import type { CancelSignal } from "../../../src/core/cancellation.ts";
import { Cancellation } from "../../../src/core/cancellation.ts";
import type { ConversationRecord } from "../../../src/core/history/records.ts";
import type { ConversationId, MessageId } from "../../../src/core/ids.ts";
import {
  ConversationReplica,
  type Outbox,
  type ReplicaReport,
  type ReplicatedConversation,
  type ReplicationFailed,
  type WorkOptions,
} from "../../../src/core/replica/conversationReplica.ts";
import type { ListedObject, LogReplica, ReplicaResult } from "../../../src/core/replica/logReplica.ts";
import type { ConversationKeys, OutboxObject } from "../../../src/core/replica/sealedObject.ts";
import type { KnownObject } from "../../../src/core/replica/replicaLedger.ts";
import { ok, type Result } from "../../../src/core/result.ts";
import { Machine } from "./machine.ts";

export const CONVERSATION = "00000000-0000-4000-8000-000000000001" as ConversationId;
const PAGE = 3;

export class Killed extends Error {}

/** Counts effects: the one at which a machine is killed has happened or not, by turns. */
class Killer {
  left = Infinity;

  run<T>(effect: () => T): T {
    this.#tick();
    const done = effect();
    this.#tick();
    return done;
  }

  #tick(): void {
    if (this.left-- <= 0) throw new Killed();
  }
}

/** Durable. */
export class MemoryOutbox implements Outbox {
  objects: readonly OutboxObject[] = [];
  removals: readonly string[] = [];
  known: readonly KnownObject[] = [];
  readonly #killer: Killer;

  constructor(killer = new Killer()) {
    this.#killer = killer;
  }

  add(object: OutboxObject): Promise<Result<void, never>> {
    return this.#change(() => {
      this.objects = [...this.objects, object];
    });
  }

  drop(object: OutboxObject): Promise<Result<void, never>> {
    return this.#change(() => {
      this.objects = this.objects.filter(({ name }) => name !== object.name);
    });
  }

  setRemovals(names: readonly string[]): Promise<Result<void, never>> {
    return this.#change(() => {
      this.removals = names;
    });
  }

  setKnown(known: readonly KnownObject[]): Promise<Result<void, never>> {
    return this.#change(() => {
      this.known = known;
    });
  }

  #change(effect: () => void): Promise<Result<void, never>> {
    return Promise.resolve().then(() => {
      this.#killer.run(effect);
      return ok(undefined);
    });
  }
}

export class ReplicatedMachine {
  readonly machine: Machine;
  /** Acts of its person: one before each commit. */
  readonly meanwhile: (() => void)[] = [];
  readonly #killer = new Killer();
  readonly #outbox = new MemoryOutbox(this.#killer);
  readonly #place: LogReplica;
  readonly #keys: ConversationKeys;
  readonly #label: string;
  #starts = 0;
  #replica: ConversationReplica | undefined;

  /** `name`: hexadecimal, as it begins the ids of its writers; `label`: for the reader. */
  constructor(name: string, place: LogReplica, keys: ConversationKeys, label = name) {
    this.machine = new Machine(name);
    this.#label = label;
    this.#place = place;
    this.#keys = keys;
  }

  get waiting(): number {
    return this.#outbox.objects.length + this.#outbox.removals.length;
  }

  forgetCache(): void {
    this.#outbox.known = [];
    this.#replica = undefined;
  }

  /** Publishes and works; `undefined` if it was killed after `effects`. */
  async replicate(
    effects = Infinity,
    options: WorkOptions = {},
  ): Promise<Result<ReplicaReport, ReplicationFailed> | undefined> {
    this.#killer.left = effects;
    try {
      this.#replica ??= await this.#started();
      const published = await this.#replica.publish();
      if (!published.ok) return published;
      return await this.#replica.work(options);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      this.#replica = undefined;
      return undefined;
    } finally {
      this.#killer.left = Infinity;
    }
  }

  async #started(): Promise<ConversationReplica> {
    const writer = `${this.machine.name}${String(++this.#starts)}`.padEnd(16, "0");
    const replica = new ConversationReplica(
      this.#file(),
      { writer, machine: this.#label },
      {
        place: this.#killable(),
        cipher: objectCipher,
        keys: this.#keys,
        outbox: this.#outbox,
        announce: () => Promise.resolve(ok(undefined)),
        isPacked: true,
        cancel: new Cancellation(),
      },
    );
    const opened = await replica.open();
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    return replica;
  }

  #file(): ReplicatedConversation {
    const { machine } = this;
    return {
      id: CONVERSATION,
      mayHaveSegments: () => Promise.resolve(ok(machine.records.some(({ kind }) => kind === "segment"))),
      readIndex: (from: number) => Promise.resolve(ok(machine.records.slice(from, from + PAGE))),
      read: (from: number) => Promise.resolve(ok(machine.records.slice(from, from + PAGE))),
      commit: async (records: readonly ConversationRecord[], at?: number) => {
        this.meanwhile.shift()?.();
        if (at !== undefined && machine.records.length !== at) return ok("changed");
        await this.#effect(() => {
          machine.commit(...records);
        });
        return ok("stored");
      },
      erase: (ids: readonly MessageId[]) =>
        this.#effect(() => {
          machine.erase(ids);
        }),
    };
  }

  #effect(effect: () => void): Promise<Result<void, never>> {
    return Promise.resolve().then(() => {
      this.#killer.run(effect);
      return ok(undefined);
    });
  }

  #killable(): LogReplica {
    const [place, killer] = [this.#place, this.#killer];
    return {
      put: (name: string, bytes: Uint8Array, cancel: CancelSignal) => killer.run(() => place.put(name, bytes, cancel)),
      get: (name: string, cancel: CancelSignal) => place.get(name, cancel),
      list: (
        prefix: string,
        page: (objects: readonly ListedObject[]) => void,
        cancel: CancelSignal,
      ): Promise<ReplicaResult<void>> => place.list(prefix, page, cancel),
      delete: (name: string, cancel: CancelSignal) => killer.run(() => place.delete(name, cancel)),
    };
  }
}
