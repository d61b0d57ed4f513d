/** What the host's thread and the store's worker say to each other. Plain data; every request but the first has a number. */

import type { StorageFailed, ValidationError } from "../../../core/errors.ts";
import type { Erasure } from "../../../core/history/erasure.ts";
import type { MessageId } from "../../../core/ids.ts";
import type { RescueReport } from "../rescue/rescueFolder.ts";
import type { SearchOptions, StoredShape, StoreWrite } from "../../../core/store/conversationStore.ts";

/** What the worker is started with. */
export interface WorkerStart {
  /** The conversation's folder; it exists. */
  readonly folder: string;
  /** Where `sql-wasm-debug.js` lies, with its `.wasm` beside it. */
  readonly sqlJsFile: string;
  /** The file of the lease; nothing is written once it is gone. */
  readonly leaseFile?: string;
  /** Rescue the damaged file instead of opening it. */
  readonly rescue?: boolean;
  /** Fill the new file with the conversation of this document. */
  readonly importFile?: string;
  /** Where the token ranks lie: what other tools wrote has to be counted. Absent: only Forge's own documents are read. */
  readonly ranksFolder?: string;
}

/** One call of `commit`: all its writes are stored, or none. */
export interface CommitRequest {
  readonly kind: "commit";
  readonly id: number;
  readonly writes: readonly StoreWrite[];
}

/** Asks to read; sees everything committed before. */
export type ReadRequest =
  | { readonly kind: "readIndex"; readonly id: number; readonly from: number; readonly limit: number }
  | { readonly kind: "readMessages"; readonly id: number; readonly ids: readonly MessageId[] };

/** Asks for the messages that match; answered when all have been looked at, between commits. */
export interface SearchRequest extends SearchOptions {
  readonly kind: "search";
  readonly id: number;
  readonly query: string;
}

/** Asks to erase; everything asked before is done first. */
export interface EraseRequest {
  readonly kind: "erase";
  readonly id: number;
  readonly erasure: Erasure;
}

/** Host -> worker. */
export type ToWorker =
  CommitRequest | ReadRequest | SearchRequest | EraseRequest | { readonly kind: "close"; readonly id: number };

/** What a worker that rescues says, once. */
export type FromRescue =
  | { readonly kind: "rescued"; readonly report: RescueReport }
  | { readonly kind: "rescueFailed"; readonly error: StorageFailed };

/** What a worker that imports says, once. */
export type FromImport =
  | { readonly kind: "imported"; readonly messages: number }
  | { readonly kind: "importFailed"; readonly error: ValidationError | StorageFailed };

/** Worker -> host. Exactly one of the first two comes first; every request is answered once. */
export type FromWorker =
  | { readonly kind: "opened"; readonly shape: StoredShape }
  | { readonly kind: "openFailed"; readonly error: StorageFailed }
  /** These commits are on the disk. */
  | { readonly kind: "committed"; readonly ids: readonly number[] }
  /** These requests failed; nothing of them is stored. */
  | { readonly kind: "failed"; readonly ids: readonly number[]; readonly error: StorageFailed }
  /** This request broke a rule that its caller must keep. */
  | { readonly kind: "bug"; readonly id: number; readonly words: string }
  /** The rows that were asked for, as one JSON list. */
  | { readonly kind: "rows"; readonly id: number; readonly json: string }
  | { readonly kind: "closed"; readonly id: number }
  /** Nothing is answered yet, and the worker lives. */
  | { readonly kind: "working" };

/** Recognizes what a worker of this kind was started with. */
export function isWorkerStart(value: unknown): value is WorkerStart {
  if (typeof value !== "object" || value === null || !("folder" in value) || !("sqlJsFile" in value)) return false;
  return typeof value.folder === "string" && typeof value.sqlJsFile === "string";
}

/** Recognizes a request; only this program's own host speaks to the worker. */
export function isRequest(value: unknown): value is ToWorker {
  return typeof value === "object" && value !== null && "kind" in value && "id" in value;
}
