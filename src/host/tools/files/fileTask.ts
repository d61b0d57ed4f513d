/** What is asked of the thread that works on files, and what it answers. All of it can be copied between threads. */

import type { Result } from "../../../core/result.ts";
import type { Changes } from "../resultText.ts";
import type { FoundLine, TextQuery } from "../search/matcher.ts";
import type { FolderEntry } from "../search/walkRules.ts";
import type { ToolFailure } from "../toolFailure.ts";
import type { LineRange } from "./lineIndex.ts";
import type { Located } from "./localAccess.ts";
import type { ReadLines } from "./readLines.ts";

/** A place in one of the worker's folders; `shown` is its name in words. */
export interface PlaceRequest {
  readonly rootIndex: number;
  readonly relative: string;
  readonly shown: string;
}

/** Where the text of a file comes from: the disk, or what somebody else has read or changed. */
export type TextOrigin =
  | { readonly kind: "disk" }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly stamp: string }
  | { readonly kind: "text"; readonly text: string; readonly stamp: string };

/** Lines of a file are to be read. */
export interface ReadRequest extends PlaceRequest {
  readonly origin: TextOrigin;
  readonly range: LineRange;
  /** The encoding that the user set. */
  readonly encoding: string;
  /** The user has agreed that a file that usually holds secrets is read. */
  readonly mayHoldSecrets: boolean;
}

/** What was read, or that the user is to be asked first. `stamp` changes when the file does. */
export type ReadAnswer =
  (ReadLines & { readonly kind: "lines"; readonly stamp: string }) | { readonly kind: "askFirst" };

/** Which files are gone through. Patterns are checked before; one that is wrong is left out. */
export interface WalkRequest extends PlaceRequest {
  /** A file is taken when its path from `relative` on fits; every file when absent. */
  readonly glob: string | undefined;
  /** From the workspace folder on. */
  readonly excludes: readonly string[];
  readonly useIgnoreFiles: boolean;
  /** Of paths, or of lines that fit. */
  readonly most: number;
}

/** Paths from the workspace folder on. */
export interface FoundFiles {
  readonly files: readonly string[];
  /** Whether there are more than were asked for, or time was over. */
  readonly isCut: boolean;
}

/** Text is looked for in files. */
export interface SearchRequest extends WalkRequest {
  readonly query: TextQuery;
  readonly encoding: string;
  /** Texts that differ from the disk, by path from the workspace folder on. */
  readonly unsaved: ReadonlyMap<string, string>;
}

/** Lines of one file that fit. */
export interface FileHits {
  readonly file: string;
  readonly lines: readonly FoundLine[];
}

/** What a search came to; what it found was told before. */
export interface SearchAnswer {
  readonly filesSearched: number;
  readonly skipped: { readonly mayHoldSecrets: number; readonly tooLarge: number };
  readonly isCut: boolean;
}

/** What is at a place; `undefined` where it cannot be said, as outside of the folders. */
export type LocatedKind = Located["kind"] | undefined;

/** One question to the thread. `match` searches texts that are sent to it, for files that it cannot open itself. */
export type FileTask =
  | { readonly kind: "locate"; readonly place: PlaceRequest }
  | { readonly kind: "locateAll"; readonly places: readonly PlaceRequest[] }
  | { readonly kind: "list"; readonly place: PlaceRequest }
  | { readonly kind: "read"; readonly read: ReadRequest }
  | { readonly kind: "find"; readonly walk: WalkRequest }
  | { readonly kind: "search"; readonly search: SearchRequest }
  | { readonly kind: "match"; readonly match: MatchRequest };

/** Text is looked for in texts that are sent one by one. */
export interface MatchRequest {
  readonly query: TextQuery;
  readonly encoding: string;
}

/** How the thread is started. */
export interface FileWork {
  /** Absolute paths of the workspace folders; empty for one that is not on this disk. */
  readonly folders: readonly string[];
  readonly task: FileTask;
  /** When a walk is to end with what it has: milliseconds since 1970. */
  readonly deadlineMs: number;
}

/** One file to be searched, sent to a thread whose task is `match`; it is answered with `matched`. */
export interface ToMatch {
  readonly content: Uint8Array | string;
  /** Lines that are still wanted. */
  readonly most: number;
}

/** What the thread says. Hits of a search come one file after another, so that one that is ended keeps what it found. */
export type FromFileWorker =
  | { readonly kind: "hits"; readonly hits: FileHits; readonly changes: Changes }
  | { readonly kind: "matched"; readonly lines: readonly FoundLine[]; readonly changes: Changes }
  | { readonly kind: "locate"; readonly result: Result<Located, ToolFailure> }
  | { readonly kind: "locateAll"; readonly result: Result<readonly LocatedKind[], ToolFailure> }
  | { readonly kind: "list"; readonly result: Result<readonly FolderEntry[], ToolFailure> }
  | { readonly kind: "read"; readonly result: Result<ReadAnswer, ToolFailure> }
  | { readonly kind: "find"; readonly result: Result<FoundFiles, ToolFailure> }
  | { readonly kind: "search"; readonly result: Result<SearchAnswer, ToolFailure> };

/** Whether the thread was started by its host; what is in the task is the host's own. */
export function isFileWork(value: unknown): value is FileWork {
  return typeof value === "object" && value !== null && "folders" in value && "task" in value && "deadlineMs" in value;
}

/** Whether a message is a text to be searched. */
export function isToMatch(value: unknown): value is ToMatch {
  return typeof value === "object" && value !== null && "content" in value && "most" in value;
}
