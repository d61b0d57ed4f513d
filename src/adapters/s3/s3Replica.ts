/**
 * The replica in S3-compatible object storage. Objects are created with `If-None-Match: *`; a store that ignores or does
 * not know the condition overwrites, with the same bytes, as names hold their hash.
 */

import type { CancelSignal } from "../../core/cancellation.ts";
import type { Cancelled } from "../../core/errors.ts";
import {
  isNamePrefix,
  isObjectName,
  type ListedObject,
  type LogReplica,
  MOST_OBJECT_BYTES,
  replicaFailed,
  type ReplicaFailed,
  type ReplicaResult,
} from "../../core/replica/logReplica.ts";
import { err, invariant, ok, type Result } from "../../core/result.ts";
import type { S3Answer, S3Failure } from "./failures.ts";
import { addressOf, encoded, type S3Address, type S3Place } from "./place.ts";
import { type RequestServices, type S3Keys, type S3Request, S3Requests } from "./requests.ts";
import { readXml, textIn, type XmlElement } from "./xml.ts";

const MOST_LIST_BYTES = 16 * 1024 * 1024;
const PER_PAGE = 1_000;
/** A store's word for a name that is not there, which tells it from a server that is no store. */
const NO_OBJECT = /^(?:NoSuchKey|NoSuchObject|KeyNotFound|NotFound)$/;

export class S3Replica implements LogReplica {
  readonly #address: Result<S3Address, ReplicaFailed>;
  readonly #requests: S3Requests;
  /** False once the store has said that it does not know the condition. */
  #isConditional = true;

  constructor(place: S3Place, keys: S3Keys, services: RequestServices) {
    this.#address = addressOf(place);
    this.#requests = new S3Requests(place.region, keys, services);
  }

  async put(name: string, bytes: Uint8Array, cancel: CancelSignal): Promise<ReplicaResult<"created" | "exists">> {
    if (bytes.length > MOST_OBJECT_BYTES) return err(replicaFailed("unexpected", `${name} is too large.`));
    const isConditional = this.#isConditional;
    const headers: Record<string, string> = isConditional ? { "if-none-match": "*" } : {};
    const result = await this.#send(name, { method: "PUT", headers, body: bytes }, cancel);
    if (result.ok) return result.value.headers.get("etag") === null ? err(NO_STORE) : ok("created");
    if ("status" in result.error) {
      if (result.error.status === 412) return ok("exists");
      if (isConditional && result.error.status === 501) {
        this.#isConditional = false;
        return this.put(name, bytes, cancel);
      }
    }
    return err(reported(result.error));
  }

  async get(name: string, cancel: CancelSignal): Promise<ReplicaResult<Uint8Array | undefined>> {
    const result = await this.#send(name, { method: "GET" }, cancel);
    if (result.ok) return ok(result.value.body);
    return isAbsent(result.error) ? ok(undefined) : err(reported(result.error));
  }

  async list(
    prefix: string,
    page: (objects: readonly ListedObject[]) => void,
    cancel: CancelSignal,
  ): Promise<ReplicaResult<void>> {
    invariant(isNamePrefix(prefix), `no name of an object begins with ${prefix}`);
    const begun = new Set<string>();
    for (let token = ""; ;) {
      const listed = await this.#page(prefix, token, cancel);
      if (!listed.ok) return listed;
      const objects = listed.value.keys.filter(({ name }) => isObjectName(name) && name.startsWith(prefix));
      if (objects.length > 0) page(objects);
      if (listed.value.next === undefined) return ok(undefined);
      token = listed.value.next;
      if (token === "" || begun.has(token)) {
        return err(replicaFailed("unexpected", "The store's listing has no end."));
      }
      begun.add(token);
    }
  }

  /** Keys that no object of a replica can have, of the first thousand. */
  async foreignNames(cancel: CancelSignal): Promise<ReplicaResult<readonly string[]>> {
    const listed = await this.#page("", "", cancel);
    if (!listed.ok) return listed;
    return ok(listed.value.keys.map(({ name }) => name).filter((name) => name !== "" && !isObjectName(name)));
  }

  async delete(name: string, cancel: CancelSignal): Promise<ReplicaResult<void>> {
    const result = await this.#send(name, { method: "DELETE" }, cancel);
    return result.ok || isAbsent(result.error) ? ok(undefined) : err(reported(result.error));
  }

  async #page(
    prefix: string,
    token: string,
    cancel: CancelSignal,
  ): Promise<ReplicaResult<{ readonly keys: readonly ListedObject[]; readonly next: string | undefined }>> {
    if (!this.#address.ok) return this.#address;
    const { url, keyPrefix } = this.#address.value;
    const query: Record<string, string> = {
      "list-type": "2",
      "encoding-type": "url",
      "max-keys": String(PER_PAGE),
      prefix: keyPrefix + prefix,
      ...(token === "" ? {} : { "continuation-token": token }),
    };
    const result = await this.#requests.send({ method: "GET", url, query, mostBytes: MOST_LIST_BYTES }, cancel);
    if (!result.ok) return err(reported(result.error));
    const listing = readXml(new TextDecoder().decode(result.value.body));
    if (listing?.name !== "ListBucketResult") return err(NO_STORE);
    const isTruncated = textIn(listing, "IsTruncated").trim() === "true";
    return ok({
      keys: keysIn(listing, keyPrefix),
      next: isTruncated ? textIn(listing, "NextContinuationToken") : undefined,
    });
  }

  #send(
    name: string,
    request: Pick<S3Request, "method" | "headers" | "body">,
    cancel: CancelSignal,
  ): Promise<Result<S3Answer, S3Failure | Cancelled>> {
    invariant(isObjectName(name), `${name} is no name of an object`);
    if (!this.#address.ok) return Promise.resolve(err({ failure: this.#address.error, code: "", status: 0 }));
    const { url, keyPrefix } = this.#address.value;
    const path = (keyPrefix + name).split("/").map(encoded).join("/");
    return this.#requests.send({ ...request, url: `${url}/${path}`, mostBytes: MOST_OBJECT_BYTES }, cancel);
  }
}

const NO_STORE = replicaFailed("unexpected", "The answer is not that of an object store. Is that the address to use?");

function isAbsent(error: S3Failure | Cancelled): boolean {
  return "failure" in error && error.status === 404 && NO_OBJECT.test(error.code);
}

function reported(error: S3Failure | Cancelled): ReplicaFailed | Cancelled {
  return "failure" in error ? error.failure : error;
}

/** Without the prefix. */
function keysIn(listing: XmlElement, keyPrefix: string): readonly ListedObject[] {
  const isEncoded = textIn(listing, "EncodingType").trim() === "url";
  return listing.children.flatMap((element): readonly ListedObject[] => {
    if (element.name !== "Contents") return [];
    const key = isEncoded ? decodedKey(textIn(element, "Key")) : textIn(element, "Key");
    const size = textIn(element, "Size").trim();
    if (!key.startsWith(keyPrefix) || !/^\d{1,15}$/.test(size)) return [];
    return [{ name: key.slice(keyPrefix.length), length: Number(size) }];
  });
}

/** Empty if it cannot be read. */
function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (error) {
    if (error instanceof URIError) return "";
    throw error;
  }
}
