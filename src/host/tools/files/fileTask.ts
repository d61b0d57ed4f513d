/** Messages between the host and the file thread. All of them can be cloned. */

import type { Result } from "../../../core/result.ts";
import type { SanitizeCounts } from "../resultText.ts";
import type { FoundLine, TextQuery } from "../search/matcher.ts";
import type { FolderEntry } from "../search/walkRules.ts";
import type { ToolFailure } from "../toolFailure.ts";
import type { LineRange } from "./lineIndex.ts";
import type { Located, WriteTarget } from "./localAccess.ts";
import type { LinesRead } from "./readLines.ts";

/** A place in one of the thread's folders; `shown` is its path for messages. */
export interface PlaceRequest {
  readonly rootIndex: number;
  readonly relative: string;
  readonly shown: string;
}

/** Source of a file's text: the disk, a virtual file system, or an unsaved document. */
export type TextOrigin =
  | { readonly kind: "disk" }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly stamp: string }
  | { readonly kind: "text"; readonly text: string; readonly stamp: string };

export interface ReadRequest extends PlaceRequest {
  readonly origin: TextOrigin;
  readonly range: LineRange;
  /** The user's `files.encoding`. */
  readonly encoding: string;
  /** The user agreed to read a file that usually holds secrets. */
  readonly mayHoldSecrets: boolean;
}

/** The lines, or that the user must be asked first. `stamp` changes with the file. */
export type ReadAnswer =
  (LinesRead & { readonly kind: "lines"; readonly stamp: string }) | { readonly kind: "askFirst" };

/** Which files to visit. Patterns are validated before; an invalid one is ignored. */
export interface WalkRequest extends PlaceRequest {
  /** Matched against the path from `relative` on; undefined: every file. */
  readonly glob: string | undefined;
  /** Matched against the path from the workspace folder on. */
  readonly excludes: readonly string[];
  readonly useIgnoreFiles: boolean;
  /** Folders that are not entered, from the workspace folder on. */
  readonly skipped?: readonly string[];
  /** Limit of paths, or of matching lines. */
  readonly most: number;
}

/** Paths from the workspace folder on. */
export interface FoundFiles {
  readonly files: readonly string[];
  /** The limit or the deadline was reached. */
  readonly isCut: boolean;
}

export interface SearchRequest extends WalkRequest {
  readonly query: TextQuery;
  readonly encoding: string;
  /** Unsaved texts, by path from the workspace folder on. */
  readonly unsaved: ReadonlyMap<string, string>;
}

export interface FileHits {
  readonly file: string;
  readonly lines: readonly FoundLine[];
}

/** Summary of a search, sent after its hits. */
export interface SearchAnswer {
  readonly filesSearched: number;
  readonly skipped: { readonly mayHoldSecrets: number; readonly tooLarge: number };
  readonly isCut: boolean;
}

/** `undefined` where it is unknown, as outside the folders. */
export type LocatedKind = Located["kind"] | undefined;

/** One request to the thread. `match` searches texts that the host sends, of files that the thread cannot open. */
export type FileTask =
  | { readonly kind: "locate"; readonly place: PlaceRequest }
  | { readonly kind: "locateAll"; readonly places: readonly PlaceRequest[] }
  | { readonly kind: "spelling"; readonly places: readonly PlaceRequest[] }
  | { readonly kind: "list"; readonly place: PlaceRequest }
  | { readonly kind: "read"; readonly read: ReadRequest }
  | {
      readonly kind: "bytes";
      readonly place: PlaceRequest;
      readonly mayHoldSecrets: boolean;
      readonly mostBytes: number;
    }
  | { readonly kind: "write"; readonly write: WriteRequest }
  | { readonly kind: "find"; readonly walk: WalkRequest }
  | { readonly kind: "search"; readonly search: SearchRequest }
  | { readonly kind: "match"; readonly match: MatchRequest };

/** Replaces the file's bytes, if they are still `before`; without `before`, creates the file. */
export interface WriteRequest extends WriteTarget {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array;
}

/** All bytes of a file, or that it is not read: it usually holds secrets, or is too large. */
export type BytesAnswer =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly stamp: string }
  | { readonly kind: "askFirst" | "tooLarge" };

export interface MatchRequest {
  readonly query: TextQuery;
  readonly encoding: string;
}

/** The thread's `workerData`. */
export interface FileThreadData {
  /** Absolute paths of the workspace folders; empty for one that is not on this disk. */
  readonly folders: readonly string[];
  /** Names of the folders in messages; none where only one is open. */
  readonly names: readonly string[];
  readonly task: FileTask;
  /** When a walk must end with what it has: milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** A text to search, for a thread whose task is `match`; answered with `matched`. */
export interface MatchInput {
  /** From the workspace folder on. */
  readonly relative: string;
  readonly content: Uint8Array | string;
  /** Lines still wanted. */
  readonly most: number;
}

/** The thread's messages. Hits are sent per file, so that a search that is ended early has results. */
export type FileThreadMessage =
  | { readonly kind: "hits"; readonly hits: FileHits; readonly changes: SanitizeCounts }
  | { readonly kind: "matched"; readonly lines: readonly FoundLine[]; readonly changes: SanitizeCounts }
  | { readonly kind: "locate"; readonly result: Result<Located, ToolFailure> }
  | { readonly kind: "locateAll"; readonly result: Result<readonly LocatedKind[], ToolFailure> }
  | { readonly kind: "spelling"; readonly result: Result<readonly string[], ToolFailure> }
  | { readonly kind: "list"; readonly result: Result<readonly FolderEntry[], ToolFailure> }
  | { readonly kind: "read"; readonly result: Result<ReadAnswer, ToolFailure> }
  | { readonly kind: "bytes"; readonly result: Result<BytesAnswer, ToolFailure> }
  | { readonly kind: "write"; readonly result: Result<undefined, ToolFailure> }
  | { readonly kind: "find"; readonly result: Result<FoundFiles, ToolFailure> }
  | { readonly kind: "search"; readonly result: Result<SearchAnswer, ToolFailure> };

/** Checks only who started the thread; the host's task is trusted. */
export function isFileThreadData(value: unknown): value is FileThreadData {
  return (
    typeof value === "object" &&
    value !== null &&
    "folders" in value &&
    "names" in value &&
    "task" in value &&
    "deadlineMs" in value
  );
}

export function isMatchInput(value: unknown): value is MatchInput {
  return typeof value === "object" && value !== null && "content" in value && "relative" in value && "most" in value;
}
