/** What the host and the thread that searches many conversations say to each other. Plain data. */

/** What the thread is started with. */
export interface FolderSearchStart {
  readonly searchesFolders: true;
  /** Where `sql-wasm-debug.js` lies, with its `.wasm` beside it. */
  readonly sqlJsFile: string;
}

/** Host -> thread: one search. It ends the one before, of which nothing more is said. */
export interface FolderQuery {
  readonly id: number;
  readonly query: string;
  /** The best so many of each conversation; 1 or more. */
  readonly limit: number;
  /** The folders of conversations, in the order in which they are searched. */
  readonly folders: readonly string[];
}

/** Thread -> host. */
export type FromFolderSearch =
  /** What was found in one folder, as a JSON list of hits, the best first; empty lists are told too. */
  | { readonly kind: "found"; readonly id: number; readonly folder: string; readonly json: string }
  /** It could not be read, or not all of it. */
  | { readonly kind: "unreadable"; readonly id: number; readonly folder: string }
  /** All folders of the search are done. */
  | { readonly kind: "searched"; readonly id: number };

/** Recognizes what a thread of this kind was started with. */
export function isFolderSearchStart(value: unknown): value is FolderSearchStart {
  return typeof value === "object" && value !== null && "searchesFolders" in value && value.searchesFolders === true;
}

/** Recognizes a search; only this program's own host speaks to the thread. */
export function isFolderQuery(value: unknown): value is FolderQuery {
  return typeof value === "object" && value !== null && "query" in value && "folders" in value;
}
