/** Replication as the commands see it. */

import type { CancelSignal } from "../../core/cancellation.ts";
import type { Cancelled, StorageFailed } from "../../core/errors.ts";
import type { ReplicaFailed } from "../../core/replica/logReplica.ts";
import type { RootKey } from "../../core/replica/replicaRoot.ts";
import type { Result } from "../../core/result.ts";
import type { Event } from "../background/emitter.ts";

/** `rootGone`: the place has another root, or this machine has no key for it: it was locked out, or set up anew. */
export type ReplicationProblem = ReplicaFailed | StorageFailed | { readonly code: "ROOT_GONE" };

export interface ReplicaStatus {
  /** `off`: not set up. */
  readonly state: "off" | "working" | "idle" | "failed";
  /** Conversations of this machine. */
  readonly conversations: number;
  /** Those of which something is not there yet, or not here yet. */
  readonly waiting: number;
  /** Objects that cannot be used, or that others name and nobody has put: "1f0c…: the message why". */
  readonly setAside: readonly string[];
  /** End of the last complete check; absent: there was none. */
  readonly checkedAtMs?: number;
  readonly problem?: ReplicationProblem;
}

export const OFF: ReplicaStatus = { state: "off", conversations: 0, waiting: 0, setAside: [] };

export interface VerifyReport {
  readonly objects: number;
  readonly bytes: number;
  readonly conversations: number;
  readonly damaged: readonly string[];
  readonly missing: readonly string[];
  /** Machines that wrote, by name, with the number of their segments. */
  readonly writers: readonly { readonly machine: string; readonly segments: number }[];
}

export interface ReplicaControl {
  readonly status: ReplicaStatus;
  readonly onDidChange: Event<void>;
  /** Begins or goes on with what is set up; resolves once it runs, or there is nothing set up. */
  start(): Promise<void>;
  /** Nothing is read or put afterwards. */
  stop(): Promise<void>;
  /** A full check; resolves at its end. */
  checkNow(): Promise<void>;
  /** Reads every object that is there. */
  verify(
    progress: (done: number, all: number) => void,
    cancel: CancelSignal,
  ): Promise<Result<VerifyReport, ReplicaFailed | StorageFailed | Cancelled>>;
  /** Puts all keys under another root; whoever has the old one alone reads nothing new. Runs while nothing else does. */
  moveKeys(next: RootKey, cancel: CancelSignal): Promise<Result<void, ReplicaFailed | StorageFailed | Cancelled>>;
}
