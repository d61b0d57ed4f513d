/**
 * Keys of one conversation, each in an object under the root key. New objects are sealed under one of them that no other
 * root ever opened; the others stay, to read what was sealed before.
 */

import type { ConversationId } from "../ids.ts";
import { ok } from "../result.ts";
import type { ConversationKeys } from "./sealedObject.ts";
import { hexOf } from "./smallTexts.ts";
import type { ReplicaResult } from "./logReplica.ts";
import { type AccessName, type KeyId, nameOf, parseName } from "./objectNames.ts";
import type { RootKey, RootServices } from "./replicaRoot.ts";

type KeyringServices = Pick<RootServices, "place" | "cipher" | "cancel">;

const KEY_BYTES = 32;
const ID_DIGITS = 16;
/** Follows the key where it is wrapped. */
const FOR_ALL = 0;
const FOR_READING = 1;

interface HeldKey {
  readonly key: Uint8Array;
  readonly isForReading: boolean;
}

export class ConversationKeyring implements ConversationKeys {
  readonly newest: ConversationKeys["newest"];
  readonly #keys: ReadonlyMap<KeyId, HeldKey>;

  private constructor(newest: ConversationKeys["newest"], keys: ReadonlyMap<KeyId, HeldKey>) {
    this.newest = newest;
    this.#keys = keys;
  }

  /** `names` are those of the conversation's objects. Puts a key where there is none to seal with. */
  static async open(
    services: KeyringServices,
    root: RootKey,
    conversation: ConversationId,
    names: Iterable<string>,
  ): Promise<ReplicaResult<ConversationKeyring>> {
    const held = await keysIn(services, root, names);
    if (!held.ok) return held;
    const [usable] = [...held.value].filter(([, { isForReading }]) => !isForReading).sort();
    if (usable !== undefined) {
      const [id, { key }] = usable;
      return ok(new ConversationKeyring({ id, key }, held.value));
    }
    const key = services.cipher.newKey();
    const id = hexOf(services.cipher.newKey()).slice(0, ID_DIGITS);
    const put = await putKey(services, root, conversation, id, { key, isForReading: false });
    return put.ok ? ok(new ConversationKeyring({ id, key }, held.value)) : put;
  }

  of(id: KeyId): Uint8Array | undefined {
    return id === this.newest.id ? this.newest.key : this.#keys.get(id)?.key;
  }
}

/**
 * Puts the conversation's keys under `next`, for reading alone, and deletes them under `root`: whoever has that one alone
 * reads nothing that is sealed from now on.
 */
export async function moveKeys(
  services: KeyringServices,
  { root, next }: { readonly root: RootKey; readonly next: RootKey },
  conversation: ConversationId,
  names: readonly string[],
): Promise<ReplicaResult<void>> {
  const held = await keysIn(services, root, names);
  if (!held.ok) return held;
  for (const [id, { key }] of held.value) {
    const put = await putKey(services, next, conversation, id, { key, isForReading: true });
    if (!put.ok) return put;
  }
  for (const { name } of accessNames(names, root.id)) {
    const deleted = await services.place.delete(name, services.cancel);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}

async function keysIn(
  { place, cipher, cancel }: KeyringServices,
  root: RootKey,
  names: Iterable<string>,
): Promise<ReplicaResult<ReadonlyMap<KeyId, HeldKey>>> {
  const keys = new Map<KeyId, HeldKey>();
  for (const { name, conversation, key: id } of accessNames(names, root.id)) {
    const bytes = await place.get(name, cancel);
    if (!bytes.ok) return bytes;
    const opened = bytes.value && cipher.unwrap(bytes.value, root.key, placeOf(conversation, id, root.id));
    if (opened?.ok !== true || opened.value.length !== KEY_BYTES + 1) continue;
    keys.set(id, { key: opened.value.subarray(0, KEY_BYTES), isForReading: opened.value[KEY_BYTES] === FOR_READING });
  }
  return ok(keys);
}

async function putKey(
  { place, cipher, cancel }: KeyringServices,
  root: RootKey,
  conversation: ConversationId,
  id: KeyId,
  { key, isForReading }: HeldKey,
): Promise<ReplicaResult<unknown>> {
  const content = Uint8Array.of(...key, isForReading ? FOR_READING : FOR_ALL);
  const bytes = cipher.wrap(content, root.key, placeOf(conversation, id, root.id));
  const hash = cipher.hashOf(bytes);
  const name = nameOf({ kind: "access", conversation, key: id, root: root.id, length: bytes.length, hash });
  return place.put(name, bytes, cancel);
}

function accessNames(names: Iterable<string>, root: KeyId): readonly AccessName[] {
  return [...names].sort().flatMap((name) => {
    const parsed = parseName(name);
    return parsed?.kind === "access" && parsed.root === root ? [parsed] : [];
  });
}

function placeOf(conversation: ConversationId, key: KeyId, root: KeyId): string {
  return `forge replica 1 access ${conversation} ${key} ${root}`;
}
