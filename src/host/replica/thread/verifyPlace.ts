/** Reads every object of the place, and says which are damaged or nowhere. */

import { objectCipher } from "../../../adapters/node/objectCipher.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ObjectHash } from "../../../core/history/segmentInfo.ts";
import type { ConversationId } from "../../../core/ids.ts";
import { ConversationKeyring } from "../../../core/replica/conversationKeyring.ts";
import type { LogReplica, ReplicaResult } from "../../../core/replica/logReplica.ts";
import { parseName } from "../../../core/replica/objectNames.ts";
import { PlaceOverviewBuilder } from "../../../core/replica/placeScan.ts";
import { listedObjects } from "../../../core/replica/replicaLedger.ts";
import type { RootKey } from "../../../core/replica/replicaRoot.ts";
import { readObject } from "../../../core/replica/sealedObject.ts";
import type { SegmentContent } from "../../../core/replica/segmentContent.ts";
import { ok } from "../../../core/result.ts";
import type { VerifyReport } from "../replicaControl.ts";

export interface VerifyServices {
  readonly place: LogReplica;
  readonly root: RootKey;
  readonly cancel: CancelSignal;
  readonly onProgress: (done: number, all: number) => void;
}

export async function verifyPlace(services: VerifyServices): Promise<ReplicaResult<VerifyReport>> {
  const { place, cancel, onProgress } = services;
  const builder = new PlaceOverviewBuilder();
  const listed = await place.list("", builder.add, cancel);
  if (!listed.ok) return listed;
  const { conversations } = builder.overview;
  const sum = new Sum();
  for (const [id, names] of conversations) {
    const verified = await verifyConversation(id, names, services, sum);
    if (!verified.ok) return verified;
    sum.conversations++;
    onProgress(sum.conversations, conversations.size);
  }
  return ok(sum.report);
}

class Sum {
  conversations = 0;
  objects = 0;
  bytes = 0;
  readonly damaged: string[] = [];
  readonly missing: string[] = [];
  readonly #writers = new Map<string, number>();

  addSegment({ info }: Pick<SegmentContent, "info">): void {
    this.#writers.set(info.machine, (this.#writers.get(info.machine) ?? 0) + 1);
  }

  get report(): VerifyReport {
    const { conversations, objects, bytes, damaged, missing } = this;
    const writers = Array.from(this.#writers, ([machine, segments]) => ({ machine, segments }));
    return { conversations, objects, bytes, damaged, missing, writers };
  }
}

async function verifyConversation(
  id: ConversationId,
  names: ReadonlyMap<string, number>,
  { place, root, cancel }: VerifyServices,
  sum: Sum,
): Promise<ReplicaResult<void>> {
  const cipher = objectCipher;
  const keys = await ConversationKeyring.open({ place, cipher, cancel }, root, id, names.keys());
  if (!keys.ok) return keys;
  const objects = [...names].flatMap(([name, length]) => {
    const parsed = parseName(name);
    return parsed === undefined ? [] : [{ name: parsed, length }];
  });
  const { whole, partial, keys: keyNames } = listedObjects(objects);
  const here = new Set<ObjectHash>();
  const named = new Set<ObjectHash>();
  for (const name of whole.values()) {
    const read = await readObject(name, keyNames.get(name.hash) ?? [], { place, cipher, keys: keys.value, cancel });
    if (!read.ok) return read;
    sum.objects++;
    sum.bytes += name.length;
    if (read.value === "arriving") sum.missing.push(name.name);
    else if ("why" in read.value) sum.damaged.push(name.name);
    else {
      const { content } = read.value;
      const segments = content.kind === "pack" ? content.pack.segments : [{ hash: name.hash, ...content.segment }];
      for (const segment of segments) {
        if (!here.has(segment.hash)) sum.addSegment(segment);
        here.add(segment.hash);
        for (const before of segment.info.after) named.add(before);
      }
    }
  }
  sum.missing.push(...[...partial.values()].map(({ name }) => name));
  sum.missing.push(...[...named].filter((hash) => !here.has(hash)).map((hash) => `c/${id}: ${hash}`));
  return ok(undefined);
}
