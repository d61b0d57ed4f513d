/** An object of the replica and its key: sealed on their way there, opened on their way back. */

import type { CancelSignal } from "../cancellation.ts";
import type { ValidationError } from "../errors.ts";
import type { ObjectHash } from "../history/segmentInfo.ts";
import type { ConversationId } from "../ids.ts";
import { err, ok, type Result } from "../result.ts";
import type { LogReplica, ReplicaResult } from "./logReplica.ts";
import type { ObjectCipher, SealBroken } from "./objectCipher.ts";
import { nameOf, parseName, type KeyId, type KeyName } from "./objectNames.ts";
import type { DataName, KnownObject } from "./replicaLedger.ts";
import { contentOf, contentPieces, type ObjectContent, type OutgoingContent } from "./segmentContent.ts";

/** Keys of the conversation, under which those of its objects are. */
export interface ConversationKeys {
  readonly newest: { readonly id: KeyId; readonly key: Uint8Array };
  of(id: KeyId): Uint8Array | undefined;
}

/** An object and its key, as they are put. */
export interface OutboxObject {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly keyName: string;
  readonly keyBytes: Uint8Array;
  /** Its content. */
  readonly known: KnownObject;
}

/** An object that cannot be used, and stays where it is. */
export interface UnusableObject {
  readonly name: string;
  readonly why: SealBroken | ValidationError;
}

interface SealServices {
  readonly cipher: ObjectCipher;
  readonly keys: ConversationKeys;
}

const BROKEN: SealBroken = { code: "SEAL_BROKEN" };

export async function sealObject(content: OutgoingContent, { cipher, keys }: SealServices): Promise<OutboxObject> {
  const { conversation } = content;
  const { bytes, key, hash } = await cipher.seal(contentPieces(content), placeOf(content.kind, conversation));
  const keyBytes = cipher.wrap(key, keys.newest.key, placeOfKey(conversation, hash));
  const keyName = nameOf({
    ...{ kind: "key", conversation, object: hash, key: keys.newest.id },
    ...{ length: keyBytes.length, hash: cipher.hashOf(keyBytes) },
  });
  const named = { conversation, length: bytes.length, hash };
  const name =
    content.kind === "pack"
      ? nameOf({ kind: "pack", ...named })
      : nameOf({ kind: "segment", ...named, ...content.segment.info });
  return { name, bytes, keyName, keyBytes, known: knownOf(hash, bytes.length, content, false) };
}

export async function openObject(
  { name, bytes, keyName, keyBytes }: Omit<OutboxObject, "known">,
  { cipher, keys }: SealServices,
): Promise<Result<ObjectContent, SealBroken | ValidationError>> {
  const [parsed, key] = [parseName(name), parseName(keyName)];
  const under = key?.kind === "key" ? keys.of(key.key) : undefined;
  const isData = parsed?.kind === "segment" || parsed?.kind === "pack";
  if (!isData || under === undefined) return err(BROKEN);
  const own = cipher.unwrap(keyBytes, under, placeOfKey(parsed.conversation, parsed.hash));
  if (!own.ok) return own;
  const text = await cipher.open(bytes, own.value, placeOf(parsed.kind, parsed.conversation));
  return text.ok ? contentOf(text.value.split("\n")) : text;
}

export type ReadObject = { readonly content: ObjectContent } | UnusableObject | "arriving";

/** `keyNames`: those of the object; any is enough. */
export async function readObject(
  { name, length, hash }: DataName,
  keyNames: readonly KeyName[],
  services: SealServices & { readonly place: LogReplica; readonly cancel: CancelSignal },
): Promise<ReplicaResult<ReadObject>> {
  const { place, cancel, cipher } = services;
  const read = await place.get(name, cancel);
  if (!read.ok) return read;
  const bytes = read.value;
  if (bytes === undefined || bytes.length < length) return ok("arriving");
  if (cipher.hashOf(bytes) !== hash) return ok({ name, why: BROKEN });
  let why: UnusableObject["why"] | undefined;
  for (const key of keyNames) {
    const keyBytes = await place.get(key.name, cancel);
    if (!keyBytes.ok) return keyBytes;
    if (keyBytes.value?.length !== key.length) continue;
    const opened = await openObject({ name, bytes, keyName: key.name, keyBytes: keyBytes.value }, services);
    if (opened.ok) return ok({ content: opened.value });
    why = opened.error;
  }
  return ok(why === undefined ? "arriving" : { name, why });
}

export function knownOf(hash: ObjectHash, length: number, content: OutgoingContent, isRead: boolean): KnownObject {
  if (content.kind === "segment") return { hash, length, segments: [hash], replaces: [], without: [], isRead };
  const { segments, replaces, without } = content.pack;
  return { hash, length, segments: segments.map((each) => each.hash), replaces, without, isRead };
}

function placeOf(kind: ObjectContent["kind"], conversation: ConversationId): string {
  return `forge replica 1 ${kind} ${conversation}`;
}

function placeOfKey(conversation: ConversationId, object: ObjectHash): string {
  return `forge replica 1 key ${conversation} ${object}`;
}
