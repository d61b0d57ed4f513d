/**
 * Signed requests to an object store. A redirect is never followed: a signature goes only where the user wanted. What may
 * pass (a lost connection, a busy server) is tried again with growing pauses, a bounded number of times.
 */

import { AwsV4Signer } from "aws4fetch";
import { follow, raceCancel, type CancelSignal } from "../../core/cancellation.ts";
import type { Clock } from "../../core/clock.ts";
import { CANCELLED, type Cancelled } from "../../core/errors.ts";
import { replicaFailed, type ReplicaFailure } from "../../core/replica/logReplica.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { answeredFailure, connectionFailure, type S3Answer, type S3Failure } from "./failures.ts";
import { encoded } from "./place.ts";

/** Given by the user; never those of the environment or of a profile. */
export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of keys that are valid for a time. */
  readonly sessionToken?: string;
}

export interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  /** Of the object or of the bucket, without a query. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Of the answer, unless it is an error. */
  readonly mostBytes: number;
}

export interface RequestServices {
  readonly clock: Clock;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
  /** In [0, 1): keeps machines that were refused together from coming back together. */
  readonly random?: () => number;
}

export const MOST_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;
/** A longer delay is left to the caller. */
const LONGEST_PAUSE_MS = 20_000;
const LONGEST_SILENCE_MS = 30_000;
/** Slowest upload that is waited for. */
const BYTES_PER_MS = 16;
const MOST_ERROR_BYTES = 64_000;

export class S3Requests {
  readonly #region: string;
  readonly #keys: S3Keys;
  readonly #services: RequestServices;
  /** Keys of the day, derived from the secret. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(region: string, keys: S3Keys, services: RequestServices) {
    this.#region = region;
    this.#keys = keys;
    this.#services = services;
  }

  /** Succeeds with an answer of status 2xx. */
  async send(request: S3Request, cancel: CancelSignal): Promise<Result<S3Answer, S3Failure | Cancelled>> {
    for (let attempt = 1; ; attempt++) {
      if (cancel.aborted) return err(CANCELLED);
      const result = await raceCancel<Result<S3Answer, S3Failure | Cancelled>>(
        this.#attempt(request, cancel),
        cancel,
        err(CANCELLED),
      );
      if (result.ok || !("failure" in result.error)) return result;
      const { reason, retryAfterMs = 0 } = result.error.failure;
      if (!MAY_PASS.has(reason) || attempt === MOST_ATTEMPTS || retryAfterMs > LONGEST_PAUSE_MS) return result;
      await this.#pause(attempt, retryAfterMs, cancel);
    }
  }

  async #attempt(request: S3Request, cancel: CancelSignal): Promise<Result<S3Answer, S3Failure>> {
    const live = new AbortController();
    const unfollow = follow(cancel, live);
    const watch = new Watch(this.#services.clock, live);
    const { accessKeyId, secretAccessKey, sessionToken = "" } = this.#keys;
    const secrets = [secretAccessKey, sessionToken, accessKeyId];
    try {
      const { method, url, headers } = await this.#signed(request);
      // An error page may echo it.
      secrets.push(headers.get("authorization")?.split("Signature=")[1] ?? "");
      watch.expect(LONGEST_SILENCE_MS + (request.body?.length ?? 0) / BYTES_PER_MS);
      const response = await (this.#services.fetch ?? fetch)(url, {
        method,
        headers,
        redirect: "manual",
        signal: live.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      const most = response.ok ? request.mostBytes : MOST_ERROR_BYTES;
      const body = await bodyOf(response, most, () => watch.expect(LONGEST_SILENCE_MS));
      const answer = { status: response.status, headers: response.headers, body };
      return response.ok ? ok(answer) : err(answeredFailure(answer, secrets, this.#services.clock.nowMs()));
    } catch (thrown) {
      if (thrown instanceof TooLarge)
        return err({ failure: replicaFailed("unexpected", thrown.message), code: "", status: 0 });
      return err(watch.isOver ? SILENT : connectionFailure(thrown, secrets));
    } finally {
      watch.stop();
      unfollow();
      live.abort(); // what was not read of the answer
    }
  }

  async #signed({ method, url, query = {}, headers = {}, body }: S3Request): Promise<{
    readonly method: string;
    readonly url: URL;
    readonly headers: Headers;
  }> {
    const search = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    const digest = await crypto.subtle.digest("SHA-256", body ?? new Uint8Array());
    const signer = new AwsV4Signer({
      ...this.#keys,
      method,
      url: search.length === 0 ? url : `${url}?${search.join("&")}`,
      headers: {
        ...headers,
        "x-amz-content-sha256": Buffer.from(digest).toString("hex"),
      },
      service: "s3",
      region: this.#region,
      datetime: new Date(this.#services.clock.nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
      cache: this.#signingKeys,
    });
    const signed = await signer.sign();
    // Else a length could not be checked. Not signed: gateways change it.
    signed.headers.set("accept-encoding", "identity");
    return signed;
  }

  #pause(attempt: number, leastMs: number, cancel: CancelSignal): Promise<void> {
    const { clock, random = Math.random } = this.#services;
    const pauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + random() / 2);
    let stop = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      stop = clock.after(Math.max(leastMs, pauseMs), resolve);
    });
    return raceCancel(over, cancel, undefined).finally(stop);
  }
}

const MAY_PASS: ReadonlySet<ReplicaFailure> = new Set(["unreachable", "busy"]);

const SILENT: S3Failure = {
  failure: replicaFailed("unreachable", "The host did not answer in time."),
  code: "",
  status: 0,
};

/** Aborts a request when nothing comes for too long. */
class Watch {
  readonly #clock: Clock;
  readonly #live: AbortController;
  #stop = (): void => undefined;
  isOver = false;

  constructor(clock: Clock, live: AbortController) {
    this.#clock = clock;
    this.#live = live;
  }

  /** Replaces the limit of before. */
  expect(withinMs: number): void {
    this.#stop();
    this.#stop = this.#clock.after(withinMs, () => {
      this.isOver = true;
      this.#live.abort();
    });
  }

  stop(): void {
    this.#stop();
  }
}

class TooLarge extends Error {}

/** Rejects for a body that is not as long as its header says. */
async function bodyOf(response: Response, mostBytes: number, onBytes: () => void): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    onBytes();
    chunks.push(chunk);
    length += chunk.length;
    if (length > mostBytes && response.ok) throw new TooLarge(`The answer has more than ${mostBytes} bytes.`);
    if (length > mostBytes) return joined(chunks, length);
  }
  const told = response.headers.get("content-length");
  if (told !== null && Number(told) !== length) {
    throw new Error(`The answer ended after ${length} of ${told} bytes.`);
  }
  return joined(chunks, length);
}

/** No `Buffer`, whose `slice` shares memory. */
function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
