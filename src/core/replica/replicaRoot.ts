/**
 * The root key of a replica. The place holds it under a passphrase and under a recovery code, each in an object of its own,
 * so the passphrase changes by putting another one and deleting the old. A machine that is taken away keeps the root key
 * that it had: to lock it out a new root is made, and the keys of the conversations are put under that.
 */

import type { CancelSignal } from "../cancellation.ts";
import type { Cancelled } from "../errors.ts";
import { parseJson, stringField, member, countIn } from "../json.ts";
import { err, ok, type Result } from "../result.ts";
import { asciiBytes, asciiText, bytesOfHex, hexOf } from "./smallTexts.ts";
import type { LogReplica, ReplicaFailed, ReplicaResult } from "./logReplica.ts";
import type { ObjectCipher } from "./objectCipher.ts";
import { isProbeName, nameOf, parseName, type KeyId, type RootName } from "./objectNames.ts";

export interface RootKey {
  readonly id: KeyId;
  readonly key: Uint8Array;
}

/** Price of trying a secret; stored beside what the secret opens. */
export interface SecretCost {
  readonly memoryKib: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** The second recommended choice of RFC 9106, for machines that spare no gigabyte. */
export const SECRET_COST: SecretCost = { memoryKib: 65_536, iterations: 3, parallelism: 4 };

/** Makes a key of a passphrase or a recovery code, slowly. */
export type SecretKey = (secret: string, salt: Uint8Array, cost: SecretCost) => Promise<Uint8Array>;

export interface RootServices {
  readonly place: LogReplica;
  readonly cipher: ObjectCipher;
  readonly secretKey: SecretKey;
  readonly cancel: CancelSignal;
}

/** `foreign`: there are objects, and none of them is Forge's. `newer`: a later version made it. */
export type PlaceState = "empty" | "replica" | "foreign" | "newer";

/**
 * Reason not to use a place. `PLACE_NOT_EMPTY`: it has something of others; `names` are some of it. `PLACE_NEWER`: a later
 * version made it. `PLACE_UNFIT`: what is read there is not what was put.
 */
export type PlaceRefused =
  | { readonly code: "PLACE_NOT_EMPTY"; readonly names: readonly string[] }
  | { readonly code: "PLACE_NEWER" }
  | { readonly code: "PLACE_UNFIT" };

/** The place has another root, or this machine has no key for it: it was locked out, or the place was set up anew. */
export interface RootGone {
  readonly code: "ROOT_GONE";
}

/** Secrets that open the root, each in an object of its own. */
export type SecretKind = "passphrase" | "recovery";

/** `mayArrive`: a secret of a root is not there as a whole, and whoever carries the files may still bring it. */
export interface WrongSecret {
  readonly code: "WRONG_SECRET";
  readonly mayArrive: boolean;
}

const VERSION = 1;
const SALT_BYTES = 16;
const ID_DIGITS = 16;
/** More would take this machine's memory or hours: not a cost that Forge sets. */
const MOST_COST: SecretCost = { memoryKib: 1_048_576, iterations: 100, parallelism: 64 };

export async function stateOf({
  place,
  cancel,
}: Pick<RootServices, "place" | "cancel">): Promise<ReplicaResult<PlaceState>> {
  const found = new Set<PlaceState>();
  const listed = await place.list(
    "",
    (page) => {
      for (const { name } of page) {
        const parsed = parseName(name);
        if (parsed?.kind === "root") found.add("replica");
        else if (name.startsWith("root/")) found.add("newer");
        else if (parsed === undefined && !isProbeName(name)) found.add("foreign");
      }
    },
    cancel,
  );
  if (!listed.ok) return listed;
  return ok((["replica", "newer", "foreign"] as const).find((state) => found.has(state)) ?? "empty");
}

/** Makes a root that both secrets open. */
export async function createRoot(
  services: RootServices,
  secrets: Readonly<Record<SecretKind, string>>,
): Promise<ReplicaResult<RootKey>> {
  const { cipher } = services;
  const root: RootKey = { id: hexOf(cipher.newKey()).slice(0, ID_DIGITS), key: cipher.newKey() };
  // Making them takes seconds, in which whoever saw one of them would look for the other.
  const objects: NewObject[] = [];
  for (const kind of ["recovery", "passphrase"] as const)
    objects.push(await secretObject(services, root, kind, secrets[kind]));
  for (const { name, bytes } of objects) {
    const put = await services.place.put(name, bytes, services.cancel);
    if (!put.ok) return put;
  }
  return ok(root);
}

/** Tries a secret on all roots that are there. */
export async function openRoot(
  services: RootServices,
  secret: string,
): Promise<Result<RootKey, WrongSecret | ReplicaFailed | Cancelled>> {
  if (secret.trim() === "") return err({ code: "WRONG_SECRET", mayArrive: false });
  const found = await secretsIn(services);
  if (!found.ok) return found;
  for (const { name, content } of found.value.objects) {
    const key = await openedBy(services, secret, name, content);
    if (key !== undefined) return ok({ id: name.root, key });
  }
  return err({ code: "WRONG_SECRET", mayArrive: !found.value.areWhole });
}

/** An object that holds a root key. */
export interface SecretObject {
  readonly name: string;
  readonly root: KeyId;
  readonly kind: SecretKind;
}

/** Those of all roots, by name. */
export async function secretObjects(services: RootServices): Promise<ReplicaResult<readonly SecretObject[]>> {
  const found = await secretsIn(services);
  if (!found.ok) return found;
  return ok(found.value.objects.map(({ name, content }) => ({ name: name.name, root: name.root, kind: content.kind })));
}

/** Puts the root under another secret of its kind, and deletes what the old one opened. */
export async function changeSecret(
  services: RootServices,
  root: RootKey,
  kind: SecretKind,
  secret: string,
): Promise<ReplicaResult<void>> {
  const before = await secretsIn(services);
  if (!before.ok) return before;
  const object = await secretObject(services, root, kind, secret);
  const put = await services.place.put(object.name, object.bytes, services.cancel);
  if (!put.ok) return put;
  for (const { name, content } of before.value.objects) {
    if (name.root !== root.id || content.kind !== kind || name.name === object.name) continue;
    const deleted = await services.place.delete(name.name, services.cancel);
    if (!deleted.ok) return deleted;
  }
  return ok(undefined);
}

interface SecretContent {
  readonly kind: SecretKind;
  readonly salt: Uint8Array;
  readonly cost: SecretCost;
  readonly wrapped: Uint8Array;
}

interface NewObject {
  readonly name: string;
  readonly bytes: Uint8Array;
}

async function secretObject(
  { cipher, secretKey }: Pick<RootServices, "cipher" | "secretKey">,
  { id: root, key }: RootKey,
  kind: SecretKind,
  secret: string,
): Promise<NewObject> {
  const salt = cipher.newKey().subarray(0, SALT_BYTES);
  const under = await secretKey(secret, salt, SECRET_COST);
  const wrapped = cipher.wrap(key, under, placeOf(root, kind));
  const text = JSON.stringify({ version: VERSION, kind, salt: hexOf(salt), ...SECRET_COST, wrapped: hexOf(wrapped) });
  const bytes = asciiBytes(text);
  return { name: nameOf({ kind: "root", root, length: bytes.length, hash: cipher.hashOf(bytes) }), bytes };
}

interface SecretsFound {
  readonly objects: readonly { readonly name: RootName; readonly content: SecretContent }[];
  /** Each root has all of its secrets. */
  readonly areWhole: boolean;
}

async function secretsIn({ place, cancel, cipher }: RootServices): Promise<ReplicaResult<SecretsFound>> {
  const names: RootName[] = [];
  const listed = await place.list(
    "root/",
    (page) => {
      for (const { name } of page) {
        const parsed = parseName(name);
        if (parsed?.kind === "root") names.push(parsed);
      }
    },
    cancel,
  );
  if (!listed.ok) return listed;
  const objects: { readonly name: RootName; readonly content: SecretContent }[] = [];
  for (const name of names.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const bytes = await place.get(name.name, cancel);
    if (!bytes.ok) return bytes;
    const isWhole = bytes.value !== undefined && cipher.hashOf(bytes.value) === name.hash;
    const content = isWhole ? contentOf(bytes.value) : undefined;
    if (content !== undefined) objects.push({ name, content });
  }
  const areWhole = names.every(({ root }) =>
    (["recovery", "passphrase"] as const).every((kind) =>
      objects.some(({ name, content }) => name.root === root && content.kind === kind),
    ),
  );
  return ok({ objects, areWhole });
}

async function openedBy(
  { cipher, secretKey }: RootServices,
  secret: string,
  { root }: RootName,
  { kind, salt, cost, wrapped }: SecretContent,
): Promise<Uint8Array | undefined> {
  const key = cipher.unwrap(wrapped, await secretKey(secret, salt, cost), placeOf(root, kind));
  return key.ok ? key.value : undefined;
}

function contentOf(bytes: Uint8Array): SecretContent | undefined {
  const read = parseJson(asciiText(bytes));
  const value = read.ok ? read.value : undefined;
  const kind = stringField(value, "kind");
  if (member(value, "version") !== VERSION || (kind !== "passphrase" && kind !== "recovery")) return undefined;
  const [memoryKib, iterations] = [countIn(value, "memoryKib"), countIn(value, "iterations")];
  const cost = { memoryKib, iterations, parallelism: countIn(value, "parallelism") };
  const isSane = (["memoryKib", "iterations", "parallelism"] as const).every(
    (name) => cost[name] > 0 && cost[name] <= MOST_COST[name],
  );
  const [salt, wrapped] = [bytesOfHex(stringField(value, "salt")), bytesOfHex(stringField(value, "wrapped"))];
  return isSane && salt.length >= SALT_BYTES ? { kind, salt, cost, wrapped } : undefined;
}

function placeOf(root: KeyId, kind: SecretKind): string {
  return `forge replica 1 root ${root} ${kind}`;
}
