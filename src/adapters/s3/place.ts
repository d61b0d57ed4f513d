/** The place of a replica in S3-compatible object storage, and the address of each object. */

import { replicaFailed, type ReplicaFailed } from "../../core/replica/logReplica.ts";
import { err, ok, type Result } from "../../core/result.ts";

export interface S3Place {
  /** "https://s3.eu-central-1.amazonaws.com"; may have a path. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Begins the key of each object, followed by `/`; empty for the whole bucket. */
  readonly prefix: string;
  /** Where the bucket's name goes: `path` for most servers that are not AWS. An address without a name has it in the path. */
  readonly bucketIn: "path" | "hostName";
}

export interface S3Address {
  /** Of the bucket, without a `/` at its end. */
  readonly url: string;
  /** Empty, or ends with `/`. */
  readonly keyPrefix: string;
}

/** Fails with `insecure` for a connection that others could read. */
export function addressOf({ endpoint, bucket, prefix, bucketIn }: S3Place): Result<S3Address, ReplicaFailed> {
  if (!URL.canParse(endpoint)) return invalid(`${endpoint} is no address.`);
  const url = new URL(endpoint);
  if (url.username + url.password + url.search + url.hash !== "") {
    return invalid("The address has a name, a password or a query in it.");
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && LOOPBACK.test(url.hostname))) {
    return err(replicaFailed("insecure", `${url.protocol}//${url.host} is not encrypted: use https.`));
  }
  if (!/^[a-z\d][\w.-]{1,254}$/i.test(bucket)) return invalid(`${bucket} is no name of a bucket.`);
  const parts = prefix.split("/").filter((part) => part !== "");
  if (parts.some((part) => /^\.{1,2}$/.test(part))) return invalid(`${prefix} is no prefix.`);
  const isInHost = bucketIn === "hostName" && !/^\[|^[\d.]+$/.test(url.hostname);
  const host = isInHost ? `${bucket}.${url.host}` : url.host;
  const path = url.pathname.replace(/\/+$/, "") + (isInHost ? "" : `/${bucket}`);
  return ok({ url: `${url.protocol}//${host}${path}`, keyPrefix: parts.map((part) => `${part}/`).join("") });
}

/** Nothing that is sent to it leaves this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function invalid(detail: string): Result<never, ReplicaFailed> {
  return err(replicaFailed("unexpected", detail));
}

/** As signatures have it, which is stricter than addresses. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}
