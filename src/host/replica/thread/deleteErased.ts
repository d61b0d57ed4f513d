import { rm } from "node:fs/promises";
import path from "node:path";
import { objectCipher } from "../../../adapters/node/objectCipher.ts";
import { dropGone, goneConversations } from "../../../adapters/node/replica/goneConversations.ts";
import type { CancelSignal } from "../../../core/cancellation.ts";
import type { ObjectHash } from "../../../core/history/segmentInfo.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { LogReplica, ReplicaResult } from "../../../core/replica/logReplica.ts";
import { nameOf } from "../../../core/replica/objectNames.ts";
import { ok } from "../../../core/result.ts";
import { NO_CONTENT } from "./placeNews.ts";

export interface DeleteErasedServices {
  readonly place: LogReplica;
  /** Global storage. */
  readonly storage: string;
  readonly announce: (conversation: ConversationId, object: ObjectHash) => Promise<ReplicaResult<unknown>>;
  readonly cancel: CancelSignal;
}

/** Deletes from the place what a person deleted for good here; resolves to these conversations. */
export async function deleteErased({
  place,
  storage,
  announce,
  cancel,
}: DeleteErasedServices): Promise<ReplicaResult<ReadonlySet<ConversationId>>> {
  const erased = await goneConversations(storage);
  const hash = objectCipher.hashOf(NO_CONTENT);
  for (const conversation of erased) {
    const name = nameOf({ kind: "gone", conversation, length: NO_CONTENT.length, hash });
    const put = await place.put(name, NO_CONTENT, cancel);
    if (!put.ok) return put;
    const names: string[] = [];
    const listed = await place.list(
      `c/${conversation}/`,
      (page) => names.push(...page.map((object) => object.name)),
      cancel,
    );
    if (!listed.ok) return listed;
    for (const object of names.toSorted((one, other) => rankOf(one) - rankOf(other))) {
      const deleted = await place.delete(object, cancel);
      if (!deleted.ok) return deleted;
    }
    const announced = await announce(conversation, hash);
    if (!announced.ok) return announced;
    await rm(path.join(storage, "replica", "outbox", conversation), { recursive: true, force: true });
    await dropGone(storage, conversation);
  }
  return ok(erased);
}

/** Keys first: without them nothing can be read. */
function rankOf(name: string): number {
  return name.endsWith(".access") || name.endsWith(".key") ? 0 : 1;
}
