/**
 * Messages between the host and the thread that replicates. The thread has what is heavy (folding, compressing, sealing,
 * closed conversations); the host has what it alone can reach: the place, over the editor's network, and the open conversation.
 */

import type { Cancelled, StorageFailed } from "../../core/errors.ts";
import type { StoredRecord } from "../../core/history/fullHistory.ts";
import type { ConversationRecord } from "../../core/history/records.ts";
import type { ObjectHash } from "../../core/history/segmentInfo.ts";
import type { ConversationId, MessageId } from "../../core/ids.ts";
import type { ReplicaReport, ReplicatedFileFailed, ReplicationFailed } from "../../core/replica/conversationReplica.ts";
import type { ListedObject, ReplicaFailed, ReplicaResult } from "../../core/replica/logReplica.ts";
import type { RootKey } from "../../core/replica/replicaRoot.ts";
import type { Result } from "../../core/result.ts";
import type { VerifyReport } from "./replicaControl.ts";

export interface ReplicaStart {
  readonly servesReplica: true;
  /** Global storage. */
  readonly storage: string;
  readonly dist: string;
  readonly root: RootKey;
  /** Random, the same at each start. */
  readonly machineId: string;
  /** For readers. */
  readonly machineName: string;
  /** False: what is there stays as it is, as only keys can be deleted. */
  readonly isPacked: boolean;
  /** Name of the channel where leases are told of. */
  readonly leaseChannel: string;
}

/** Calls of the thread, with what the host answers. */
export interface HostCalls {
  put: { readonly name: string; readonly bytes: Uint8Array };
  get: { readonly name: string };
  /** Its pages come before its answer. */
  list: { readonly prefix: string };
  delete: { readonly name: string };
  readIndex: { readonly conversation: ConversationId; readonly from: number };
  read: { readonly conversation: ConversationId; readonly from: number };
  commit: {
    readonly conversation: ConversationId;
    readonly records: readonly ConversationRecord[];
    readonly at?: number;
  };
  erase: { readonly conversation: ConversationId; readonly ids: readonly MessageId[] };
  /** Of a thread that helps another one. */
  announce: { readonly conversation: ConversationId; readonly object: ObjectHash };
}
export interface HostAnswers {
  put: ReplicaResult<"created" | "exists">;
  get: ReplicaResult<Uint8Array | undefined>;
  list: ReplicaResult<void>;
  delete: ReplicaResult<void>;
  readIndex: Result<readonly StoredRecord[], ReplicatedFileFailed>;
  read: Result<readonly ConversationRecord[], ReplicatedFileFailed>;
  commit: Result<"stored" | "changed", ReplicatedFileFailed>;
  erase: Result<void, ReplicatedFileFailed>;
  announce: ReplicaResult<unknown>;
}
export type HostCallKind = keyof HostCalls;
export type HostCall = { [Kind in HostCallKind]: { readonly of: Kind } & HostCalls[Kind] }[HostCallKind];

/** `news`: what machines have announced, at the price of three requests. `all`: everything is listed and compared. */
export type CheckScope = "news" | "all";

export interface CheckRequest {
  readonly scope: CheckScope;
  /** Open in this window. */
  readonly open?: ConversationId;
  /** Other conversations are this window's, too. */
  readonly sweeps: boolean;
  /** Compare what is here with what was replicated. */
  readonly isFirst: boolean;
}

export interface CheckReport {
  readonly conversations: number;
  readonly waiting: number;
  readonly setAside: readonly string[];
  /** Conversations that are new here, changed, or in the trash now. */
  readonly changed: readonly ConversationId[];
}

export type CheckFailed = ReplicaFailed | StorageFailed | Cancelled | { readonly code: "ROOT_GONE" };
export type OrderFailed = ReplicaFailed | StorageFailed | Cancelled;

/** Tells other machines of an object that was put. */
export type Announce = (conversation: ConversationId, object: ObjectHash) => Promise<ReplicaResult<unknown>>;

/** A conversation that no window has open. */
export interface ClosedOrder {
  readonly id: ConversationId;
  /** Those of its objects. */
  readonly names: readonly string[];
  /** Also puts what the place has lost. */
  readonly restores: boolean;
  /** Objects that other machines have told of. */
  readonly announced: readonly ObjectHash[];
}

export interface WorkDone {
  readonly report: ReplicaReport;
  readonly recordCount: number;
  /** Something of another machine was placed, or erased. */
  readonly hasTaken: boolean;
  /** Announced objects that are not here. */
  readonly left: readonly ObjectHash[];
}

/** Orders of the host, or of the thread that is helped, with what the thread answers. */
export interface ThreadOrders {
  check: CheckRequest;
  verify: object;
  moveKeys: { readonly next: RootKey };
  work: ClosedOrder;
}
export interface ThreadAnswers {
  check: Result<CheckReport, CheckFailed>;
  verify: Result<VerifyReport, OrderFailed>;
  moveKeys: Result<void, OrderFailed>;
  work: Result<WorkDone, ReplicationFailed>;
}
export type OrderKind = keyof ThreadOrders;
export type Order = { [Kind in OrderKind]: { readonly of: Kind } & ThreadOrders[Kind] }[OrderKind];

/** Host -> thread. */
export type ToReplica =
  | { readonly kind: "order"; readonly id: number; readonly order: Order }
  | { readonly kind: "cancel"; readonly id: number }
  /** A conversation was changed or closed here. */
  | { readonly kind: "changed"; readonly conversation: ConversationId }
  | { readonly kind: "page"; readonly id: number; readonly objects: readonly ListedObject[] }
  | { readonly kind: "answer"; readonly id: number; readonly answer: HostAnswers[HostCallKind] };

/** Thread -> host. */
export type FromReplica =
  | { readonly kind: "call"; readonly id: number; readonly call: HostCall }
  | { readonly kind: "cancelCall"; readonly id: number }
  | { readonly kind: "progress"; readonly id: number; readonly done: number; readonly all: number }
  | { readonly kind: "done"; readonly id: number; readonly answer: ThreadAnswers[OrderKind] };

export function isToReplica(value: unknown): value is ToReplica {
  return typeof value === "object" && value !== null && "kind" in value;
}

export function isReplicaStart(value: unknown): value is ReplicaStart {
  return typeof value === "object" && value !== null && "servesReplica" in value;
}
