/** One conversation and its objects in the place, for as long as it is worked on; nobody else works on it meanwhile. */

import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Lease, LeaseWatcher } from "../../../adapters/node/lease.ts";
import { fileFailure } from "../../../adapters/node/files.ts";
import { objectCipher } from "../../../adapters/node/objectCipher.ts";
import { threadFiles } from "../../../adapters/node/threadFiles.ts";
import { OutboxFolder } from "../../../adapters/node/replica/outboxFolder.ts";
import { Cancellation, type CancelSignal } from "../../../core/cancellation.ts";
import type { ObjectHash } from "../../../core/history/segmentInfo.ts";
import { ConversationKeyring } from "../../../core/replica/conversationKeyring.ts";
import {
  ConversationReplica,
  type ReplicatedConversation,
  type ReplicationFailed,
  type WorkOptions,
} from "../../../core/replica/conversationReplica.ts";
import type { LogReplica } from "../../../core/replica/logReplica.ts";
import type { RootKey } from "../../../core/replica/replicaRoot.ts";
import { hexOf } from "../../../core/replica/smallTexts.ts";
import { err, ok, type Result } from "../../../core/result.ts";
import type { Announce, ReplicaStart, WorkDone } from "../replicaProtocol.ts";
import { leaseOrBusy } from "./leaseOrBusy.ts";

export interface WorkServices {
  readonly place: LogReplica;
  readonly root: RootKey;
  readonly machineName: string;
  /** Folder of all outboxes. */
  readonly outboxes: string;
  readonly announce: Announce;
  readonly isPacked: boolean;
  readonly leases: LeaseWatcher;
  readonly cancel: CancelSignal;
}

const WRITER_DIGITS = 16;

export function workServices(
  start: ReplicaStart,
  services: Pick<WorkServices, "place" | "announce" | "leases">,
): WorkServices {
  const { root, machineName, isPacked, storage } = start;
  const outboxes = path.join(storage, "replica", "outbox");
  return { ...services, root, machineName, outboxes, isPacked, cancel: new Cancellation() };
}

export class WorkedConversation {
  readonly replica: ConversationReplica;
  readonly #lease: Lease;

  private constructor(replica: ConversationReplica, lease: Lease) {
    this.replica = replica;
    this.#lease = lease;
  }

  /** `names` are those of its objects. `CONVERSATION_BUSY` while another window works on it. */
  static async open(
    file: ReplicatedConversation,
    names: Iterable<string>,
    services: WorkServices,
  ): Promise<Result<WorkedConversation, ReplicationFailed>> {
    const folder = path.join(services.outboxes, file.id);
    const lease = await leaseOf(folder, services.leases);
    if (!lease.ok) return lease;
    const replica = await openReplica(file, names, folder, services);
    if (replica.ok) return ok(new WorkedConversation(replica.value, lease.value));
    await lease.value.release();
    return replica;
  }

  /** `announced`: objects that other machines have told of. */
  async work(options: WorkOptions, announced: readonly ObjectHash[]): Promise<Result<WorkDone, ReplicationFailed>> {
    const published = await this.replica.publish();
    if (!published.ok) return published;
    const report = await this.replica.work(options);
    if (!report.ok) return report;
    const { recordCount, hasTaken } = this.replica;
    const left = announced.filter((object) => !this.replica.has(object));
    return ok({ report: report.value, recordCount, hasTaken, left });
  }

  async close(): Promise<void> {
    await this.#lease.release();
  }
}

async function leaseOf(folder: string, watcher: LeaseWatcher): Promise<Result<Lease, ReplicationFailed>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return err(fileFailure(error));
  }
  return leaseOrBusy(folder, { watcher });
}

async function openReplica(
  file: ReplicatedConversation,
  names: Iterable<string>,
  folder: string,
  { place, root, machineName, announce, isPacked, cancel }: WorkServices,
): Promise<Result<ConversationReplica, ReplicationFailed>> {
  const cipher = objectCipher;
  const keys = await ConversationKeyring.open({ place, cipher, cancel }, root, file.id, names);
  if (!keys.ok) return keys;
  const outbox = await OutboxFolder.open(folder, threadFiles);
  if (!outbox.ok) return outbox;
  const replica = new ConversationReplica(
    file,
    { writer: hexOf(cipher.newKey()).slice(0, WRITER_DIGITS), machine: machineName },
    {
      place,
      cipher,
      keys: keys.value,
      outbox: outbox.value,
      announce: (object) => announce(file.id, object),
      isPacked,
      cancel,
    },
  );
  const opened = await replica.open();
  return opened.ok ? ok(replica) : opened;
}
