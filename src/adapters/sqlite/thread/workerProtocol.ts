/** Messages between the host and the storage worker. Plain data; every request except {@link WorkerStart} has an id. */

import type { StorageFailed, ValidationError } from "../../../core/errors.ts";
import type { Erasure } from "../../../core/history/erasure.ts";
import type { Fork } from "../../../core/history/fork.ts";
import type { MessageId } from "../../../core/ids.ts";
import type { ImportedConversation } from "../import/importedFacts.ts";
import type { ScanRequest } from "../import/scanned.ts";
import type { RescueReport } from "../rescue/rescueFolder.ts";
import type { RankedSearchOptions, StoreSnapshot, StoreWrite } from "../../../core/store/conversationStore.ts";

export interface WorkerStart {
  /** The conversation's folder, which must exist. */
  readonly folder: string;
  /** Path of `sql-wasm-debug.js`; the `.wasm` file is next to it. */
  readonly sqlJsFile: string;
  /** Writing stops when this file disappears. */
  readonly leaseFile?: string;
  /** Why the file cannot be written: it is served only for reading, and commits fail with this. */
  readonly unwritable?: StorageFailed;
  /** Rescue the damaged file instead of serving it. */
  readonly rescue?: boolean;
  /** Import this document into a new file instead of serving it. */
  readonly importFile?: string;
  /** Look for conversations of other tools instead of serving a file; `folder` is for temporary files. */
  readonly scan?: ScanRequest;
  /** Folder of the token rank files, to import other tools' exports. Absent: only Forge's own documents. */
  readonly ranksFolder?: string;
}

/** All or nothing. */
export interface CommitRequest {
  readonly kind: "commit";
  readonly id: number;
  readonly writes: readonly StoreWrite[];
}

/** Sees all earlier commits. */
export type ReadRequest =
  | { readonly kind: "readIndex"; readonly id: number; readonly from: number; readonly limit: number }
  | { readonly kind: "readMessages"; readonly id: number; readonly ids: readonly MessageId[] };

/** Answered when the whole search has finished; it runs in slices between commits. */
export interface SearchRequest extends RankedSearchOptions {
  readonly kind: "search";
  readonly id: number;
  readonly query: string;
  /** Any word is enough. */
  readonly isRanked?: true;
}

/** All earlier requests are processed first. */
export interface EraseRequest {
  readonly kind: "erase";
  readonly id: number;
  readonly erasure: Erasure;
}

/** Builds the database of a fork at `path`; whoever asks makes it durable. All earlier requests are processed first. */
export interface ForkRequest {
  readonly kind: "fork";
  readonly id: number;
  readonly fork: Fork;
  readonly path: string;
}

/** Host -> worker. */
export type ToWorker =
  | CommitRequest
  | ReadRequest
  | SearchRequest
  | EraseRequest
  | ForkRequest
  | { readonly kind: "close"; readonly id: number };

/** Posted once by a worker that rescues. */
export type FromRescue =
  | { readonly kind: "rescued"; readonly report: RescueReport }
  | { readonly kind: "rescueFailed"; readonly error: StorageFailed };

/** Posted once by a worker that imports. */
export type FromImport =
  | { readonly kind: "imported"; readonly conversations: readonly ImportedConversation[] }
  | { readonly kind: "importFailed"; readonly error: ValidationError | StorageFailed };

/** Worker -> host. The first message is one of the first two; every request is answered once. */
export type FromWorker =
  | { readonly kind: "opened"; readonly shape: StoreSnapshot }
  | { readonly kind: "openFailed"; readonly error: StorageFailed }
  /** These commits are durable, or these copies are built. */
  | { readonly kind: "committed"; readonly ids: readonly number[] }
  /** Nothing of these requests is stored. */
  | { readonly kind: "failed"; readonly ids: readonly number[]; readonly error: StorageFailed }
  /** The request violated a precondition. */
  | { readonly kind: "bug"; readonly id: number; readonly detail: string }
  /** The requested rows as a JSON list. */
  | { readonly kind: "rows"; readonly id: number; readonly json: string }
  | { readonly kind: "closed"; readonly id: number }
  /** Keep-alive during a long operation. */
  | { readonly kind: "working" };

export function isWorkerStart(value: unknown): value is WorkerStart {
  if (typeof value !== "object" || value === null || !("folder" in value) || !("sqlJsFile" in value)) return false;
  return typeof value.folder === "string" && typeof value.sqlJsFile === "string";
}

/** A shallow check: only this program's own host posts to the worker. */
export function isRequest(value: unknown): value is ToWorker {
  return typeof value === "object" && value !== null && "kind" in value && "id" in value;
}
