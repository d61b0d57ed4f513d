/** Messages between the host and the folder search thread. Plain data. */

export interface FolderSearchStart {
  readonly searchesFolders: true;
  /** Path of `sql-wasm-debug.js`; the `.wasm` file is next to it. */
  readonly sqlJsFile: string;
}

/** Host -> thread. Cancels the previous search, which sends no more messages. */
export interface FolderQuery {
  readonly id: number;
  readonly query: string;
  /** Maximum hits per conversation, at least 1. */
  readonly limit: number;
  /** In search order. */
  readonly folders: readonly string[];
}

/** Thread -> host. */
export type FromFolderSearch =
  /** The hits of one folder as a JSON list, best first; also sent when empty. */
  | { readonly kind: "found"; readonly id: number; readonly folder: string; readonly json: string }
  /** Some or all of it could not be read. */
  | { readonly kind: "unreadable"; readonly id: number; readonly folder: string }
  | { readonly kind: "searched"; readonly id: number };

export function isFolderSearchStart(value: unknown): value is FolderSearchStart {
  return typeof value === "object" && value !== null && "searchesFolders" in value && value.searchesFolders === true;
}

/** A shallow check: only this program's own host posts to the thread. */
export function isFolderQuery(value: unknown): value is FolderQuery {
  return typeof value === "object" && value !== null && "query" in value && "folders" in value;
}
