/** Request and findings of a scan for conversations of other tools. Plain data. */

import type { ConversationSketch } from "../../../core/documents/foreign/sketch.ts";
import type { ImportLink } from "../../../core/history/importLink.ts";

/** Files under a folder. */
export interface ScannedPlace {
  /** Empty for a folder of the user's choice, where other files may lie, too. */
  readonly tool: string;
  readonly folder: string;
  /** `*`: any characters of a name; `**`: any number of folders; `{a,b}`: one of them. */
  readonly pattern: string;
}

export interface ScanRequest {
  readonly places: readonly ScannedPlace[];
  /** Conversations that were imported before, by `importKey`. */
  readonly known: ReadonlyMap<string, Pick<ImportLink, "answers" | "bytes">>;
  /** Files that are left out while they were changed last at this time. */
  readonly seen?: ReadonlyMap<string, number>;
}

export interface FoundFile {
  readonly file: string;
  /** Index of its place. */
  readonly place: number;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** At least one, unless nothing is known of what the file is, or it cannot be read. */
  readonly conversations: readonly FoundConversation[];
  /** The format is known by name and cannot be read yet. */
  readonly isUnsupported: boolean;
}

export interface FoundConversation extends Omit<ConversationSketch, "answers"> {
  /** Questions and answers that are not here yet; `undefined`: the conversation is not here. */
  readonly newAnswers?: number;
  /** The file has another length and no more than before, as after a compaction: an import finds what is new. */
  readonly isRewritten?: true;
}

/** Posted some at a time. */
export interface FromScan {
  readonly found: readonly FoundFile[];
  /** Files that were looked at until now, of `total`. */
  readonly done: number;
  readonly total: number;
  /** After the last one. */
  readonly isEnd: boolean;
}
