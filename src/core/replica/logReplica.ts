/**
 * Port to the place where several machines keep their conversations: a folder that something else synchronizes, or a
 * bucket. It holds objects that are written once. Nobody fences writers there: an object's name holds the length and the
 * hash of its bytes, so a name is written twice only with the same bytes.
 */

import type { CancelSignal } from "../cancellation.ts";
import type { Cancelled } from "../errors.ts";
import type { Result } from "../result.ts";

export interface ReplicaFailed {
  readonly code: "REPLICA_FAILED";
  readonly reason: ReplicaFailure;
  readonly detail: string;
  /** Absent: the place did not say. */
  readonly retryAfterMs?: number;
}

/**
 * `unreachable`: nothing answers, or it fails for a reason of its own that may pass. `busy`: it asks for fewer requests.
 * `denied`: without the rights, or with an unknown key. `wrongSecret`: the signature does not match. `wrongClock`: this
 * machine's clock differs too much. `expired`: the key was valid once. `missing`: the bucket or the folder is not there, or
 * not here: `detail` says where the place sends one instead. `insecure`: no encrypted connection, or a certificate that is
 * not valid; nothing was sent.
 */
export type ReplicaFailure =
  | "unreachable"
  | "busy"
  | "denied"
  | "wrongSecret"
  | "wrongClock"
  | "expired"
  | "missing"
  | "insecure"
  | "full"
  | "readOnly"
  | "unexpected";

export type ReplicaResult<T> = Result<T, ReplicaFailed | Cancelled>;

/** `detail` must have gone through `errorDetail`. */
export function replicaFailed(reason: ReplicaFailure, detail: string, retryAfterMs?: number): ReplicaFailed {
  const failure: ReplicaFailed = { code: "REPLICA_FAILED", reason, detail };
  return retryAfterMs === undefined ? failure : { ...failure, retryAfterMs };
}

export interface ListedObject {
  readonly name: string;
  readonly length: number;
}

/** Larger objects are refused: one is held in memory as a whole. */
export const MOST_OBJECT_BYTES = 128 * 1024 * 1024;

const MOST_NAME_CHARACTERS = 200;

/**
 * True for a name as every place can hold it: of `a-z0-9._-` and of `/` between parts, at most 200 characters, no part
 * begins or ends with `.`. Reserved words of a system (`con`, `nul`) are names like others.
 */
export function isObjectName(text: string): boolean {
  return text.length <= MOST_NAME_CHARACTERS && text.split("/").every((part) => PART.test(part));
}

/** True if a name can begin with it. */
export function isNamePrefix(text: string): boolean {
  return isObjectName(`${text}0`);
}

const PART = /^[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?$/;

/**
 * Names are as in {@link isObjectName}, and none is the folder of another. Every member may be called at once with others,
 * by any number of machines, and rejects never. A call that failed or was cancelled may have had its effect, or have it
 * later. A place that is gone fails: nothing is said to be absent because all of it is.
 */
export interface LogReplica {
  /**
   * Creates an object, durable once this resolves. `exists`: there was one, which is unchanged, except that a shorter one
   * (a write that was cut) may be completed. A place that cannot refuse may answer `created`, and has the new bytes.
   */
  put(name: string, bytes: Uint8Array, cancel: CancelSignal): Promise<ReplicaResult<"created" | "exists">>;
  /** `undefined` when it is not there, or not yet. It may be shorter than it will be. */
  get(name: string, cancel: CancelSignal): Promise<ReplicaResult<Uint8Array | undefined>>;
  /**
   * Passes all objects whose names begin with `prefix`, which may be empty, to `page`, at most 1,000 at once and each once, in any order. May lag
   * behind what was put or deleted. After a failure some may have been passed.
   */
  list(
    prefix: string,
    page: (objects: readonly ListedObject[]) => void,
    cancel: CancelSignal,
  ): Promise<ReplicaResult<void>>;
  /** Succeeds for one that is not there. */
  delete(name: string, cancel: CancelSignal): Promise<ReplicaResult<void>>;
}
