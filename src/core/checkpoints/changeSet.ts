/** Changes of files by a tool call or a restore: enough to take them back, and to take that back again. */

import type { MessageId } from "../ids.ts";

/** SHA-256 of a file's bytes, in hexadecimal digits. */
export type ContentHash = string & { readonly __brand: "ContentHash" };

export interface KeptFile {
  readonly hash: ContentHash;
  readonly bytes: number;
  /** For the case that the file has to be made anew. */
  readonly isExecutable?: true;
}

/** `null`: there is no such file. */
export type FileState = KeptFile | null;

export interface FileChange {
  /** URI of the file. */
  readonly file: string;
  readonly before: FileState;
  readonly after: FileState;
}

/** A file whose content was not kept, so that no restore changes it. */
export interface UncoveredFile {
  readonly file: string;
  readonly why: UncoveredReason;
}

/**
 * `unseen`: it may have been there before, where git ignored it; `full`: the limit of the settings; `meanwhile`: the person, or another conversation, changed it during
 * the command.
 */
export const UNCOVERED_REASONS = ["tooLarge", "tooMany", "unreadable", "unseen", "meanwhile", "full"] as const;

export type UncoveredReason = (typeof UNCOVERED_REASONS)[number];

export type ChangeCause =
  | { readonly kind: "edit"; readonly title: string }
  /** `isInterrupted`: a crash came before its end, so that a change may be the person's. */
  | { readonly kind: "command"; readonly title: string; readonly isInterrupted: boolean }
  /**
   * `reverts`: the sets whose changes are gone by it, but in the files `left`, which had conflicts; of another restore, they
   * are there again.
   */
  | { readonly kind: "restore"; readonly reverts: readonly number[]; readonly left: readonly string[] };

export interface ChangeSet {
  /** Ascending in a conversation. */
  readonly id: number;
  /** The question during whose answer it was made. */
  readonly turn: MessageId;
  readonly atMs: number;
  readonly cause: ChangeCause;
  readonly changes: readonly FileChange[];
  readonly uncovered: readonly UncoveredFile[];
}
