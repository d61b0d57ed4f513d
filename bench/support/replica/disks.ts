/** Machines with many conversations on their disks. */

import { closeSync, cpSync, fsyncSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { objectCipher } from "../../../src/adapters/node/objectCipher.ts";
import { parseConversationId, type ConversationId } from "../../../src/core/ids.ts";
import type { LogReplica } from "../../../src/core/replica/logReplica.ts";
import { createRoot, type RootKey } from "../../../src/core/replica/replicaRoot.ts";
import type { CheckReport } from "../../../src/host/replica/replicaProtocol.ts";
import type { DiskMachine } from "../../../test/support/replica/diskMachine.ts";
import { NEVER_CANCELLED } from "../../../test/support/replica/replicaFaults.ts";

export async function rootIn(place: LogReplica): Promise<RootKey> {
  const secretKey = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array(32));
  const services = { place, cipher: objectCipher, secretKey, cancel: NEVER_CANCELLED };
  const root = await createRoot(services, { passphrase: "one", recovery: "two" });
  if (!root.ok) throw new Error(JSON.stringify(root.error));
  return root.value;
}

export function numbered(number: number): ConversationId {
  const id = parseConversationId(`00000000-0000-4000-8000-${String(number).padStart(12, "0")}`);
  if (id === undefined) throw new Error("it is a conversation's id");
  return id;
}

/** Copies of conversation `of`, with other ids; as durable as it is. */
export function copyConversation({ storage }: DiskMachine, of: ConversationId, ids: readonly ConversationId[]): void {
  const folder = join(storage, "conversations");
  for (const id of ids) {
    cpSync(join(folder, of), join(folder, id), { recursive: true });
    for (const name of readdirSync(join(folder, id))) syncFile(join(folder, id, name));
  }
}

export function syncFile(path: string): void {
  const handle = openSync(path, "r+");
  fsyncSync(handle);
  closeSync(handle);
}

export async function checked(machine: DiskMachine, scope: "news" | "all"): Promise<CheckReport> {
  const report = await machine.check(scope);
  if (!report.ok) throw new Error(JSON.stringify(report.error));
  if (report.value.waiting + report.value.setAside.length > 0) throw new Error(JSON.stringify(report.value));
  return report.value;
}
