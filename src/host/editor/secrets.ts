/**
 * API keys, and what opens the replica of the conversations. A key belongs to one origin (scheme, host and port) and is never sent to another: after a change of the
 * base URL, the key has to be entered anew. Keys are stored in the editor's secret storage and nowhere else, and so is
 * the user's consent to send one to another machine without encryption.
 */

import type { S3Place } from "../../adapters/s3/place.ts";
import type { S3Keys } from "../../adapters/s3/requests.ts";
import { parseJson, stringField } from "../../core/json.ts";
import type { KeyId } from "../../core/replica/objectNames.ts";
import type { RootKey } from "../../core/replica/replicaRoot.ts";
import { bytesOfHex, hexOf } from "../../core/replica/smallTexts.ts";

/** Where an access key of object storage is sent to. */
export type BucketOfKey = Pick<S3Place, "endpoint" | "bucket">;

/** The part of `vscode.SecretStorage` that is used. */
export interface SecretStore {
  keys(): Thenable<string[]>;
  get(name: string): Thenable<string | undefined>;
  store(name: string, value: string): Thenable<void>;
  delete(name: string): Thenable<void>;
}

export class Secrets {
  readonly #store: SecretStore;

  constructor(store: SecretStore) {
    this.#store = store;
  }

  /** The key of the origin of `baseUrl`. */
  async keyFor(baseUrl: string): Promise<string | undefined> {
    const key = await this.#store.get(secretName(baseUrl));
    return key === "" ? undefined : key;
  }

  async count(): Promise<number> {
    return (await this.#names()).length;
  }

  /** Origins with a key, including those that no setting names any more. */
  async origins(): Promise<readonly string[]> {
    return (await this.#names()).map((name) => name.slice(PREFIX.length));
  }

  /** Saves `key` for the origin of `baseUrl`. */
  async save(baseUrl: string, key: string): Promise<void> {
    await this.#store.store(secretName(baseUrl), key);
  }

  /** True if a key may be sent to the origin of `baseUrl`: encrypted, on this machine, or with the user's consent. */
  async maySendTo(baseUrl: string): Promise<boolean> {
    return !isExposed(baseUrl) || (await this.#store.get(consentName(baseUrl))) === CONSENT;
  }

  /** Remembers the user's consent for the origin of `baseUrl`. */
  async allowUnencrypted(baseUrl: string): Promise<void> {
    await this.#store.store(consentName(baseUrl), CONSENT);
  }

  /** Deletes the key of the origin of `baseUrl`, and the consent. */
  async forget(baseUrl: string): Promise<void> {
    await this.#store.delete(secretName(baseUrl));
    await this.#store.delete(consentName(baseUrl));
  }

  async rootKey(id: KeyId): Promise<RootKey | undefined> {
    const key = bytesOfHex((await this.#store.get(ROOT_PREFIX + id)) ?? "");
    return key.length === ROOT_KEY_BYTES ? { id, key } : undefined;
  }

  async saveRootKey({ id, key }: RootKey): Promise<void> {
    await this.#store.store(ROOT_PREFIX + id, hexOf(key));
  }

  async forgetRootKey(id: KeyId): Promise<void> {
    await this.#store.delete(ROOT_PREFIX + id);
  }

  async bucketKeys(bucket: BucketOfKey, accessKeyId: string): Promise<S3Keys | undefined> {
    const read = parseJson((await this.#store.get(bucketName(bucket, accessKeyId))) ?? "");
    const value = read.ok ? read.value : undefined;
    const [secretAccessKey, sessionToken] = [stringField(value, "secretAccessKey"), stringField(value, "sessionToken")];
    if (secretAccessKey === "") return undefined;
    return { accessKeyId, secretAccessKey, ...(sessionToken === "" ? {} : { sessionToken }) };
  }

  async saveBucketKeys(bucket: BucketOfKey, { accessKeyId, ...secret }: S3Keys): Promise<void> {
    await this.#store.store(bucketName(bucket, accessKeyId), JSON.stringify(secret));
  }

  /** Deletes all root keys and all access keys of buckets, but those of `retained`. */
  async forgetReplica(retained?: {
    readonly root: KeyId;
    readonly bucket?: BucketOfKey & { readonly accessKeyId: string };
  }): Promise<void> {
    const bucket = retained?.bucket;
    await this.#forget(
      [ROOT_PREFIX, BUCKET_PREFIX],
      [
        ...(retained === undefined ? [] : [ROOT_PREFIX + retained.root]),
        ...(bucket === undefined ? [] : [bucketName(bucket, bucket.accessKeyId)]),
      ],
    );
  }

  /** Deletes all keys, including those of origins that no setting names any more, and consents. */
  async forgetAll(): Promise<void> {
    await this.#forget([PREFIX, CONSENT_PREFIX, ROOT_PREFIX, BUCKET_PREFIX]);
  }

  async #forget(prefixes: readonly string[], retained: readonly string[] = []): Promise<void> {
    for (const prefix of prefixes) {
      for (const name of await this.#names(prefix)) if (!retained.includes(name)) await this.#store.delete(name);
    }
  }

  async #names(prefix = PREFIX): Promise<readonly string[]> {
    return (await this.#store.keys()).filter((name) => name.startsWith(prefix));
  }
}

const PREFIX = "forge.key ";
const CONSENT_PREFIX = "forge.unencrypted ";
const CONSENT = "allowed";
const ROOT_PREFIX = "forge.replicaRoot ";
const BUCKET_PREFIX = "forge.bucket ";
const ROOT_KEY_BYTES = 32;

/** True for the name of a secret that no model's service has. */
export function isOfReplica(name: string): boolean {
  return name.startsWith(ROOT_PREFIX) || name.startsWith(BUCKET_PREFIX);
}

function bucketName({ endpoint, bucket }: BucketOfKey, accessKeyId: string): string {
  return `${BUCKET_PREFIX}${new URL(endpoint).origin} ${bucket} ${accessKeyId}`;
}

function consentName(baseUrl: string): string {
  return `${CONSENT_PREFIX}${new URL(baseUrl).origin}`;
}

/** True if requests to the address leave this machine without encryption. */
function isExposed(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol !== "https:" && !LOOPBACK.test(hostname);
}

/** Host names as `URL` normalizes them. */
const LOOPBACK = /^(?:(?:[^.]+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;

export function secretName(baseUrl: string): string {
  return `${PREFIX}${new URL(baseUrl).origin}`;
}
