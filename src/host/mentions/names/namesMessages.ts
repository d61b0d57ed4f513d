/** Messages between the host and the thread that knows the names of all files. All of them can be cloned. */

import type { WalkRequest } from "../../tools/files/fileTask.ts";

/** Limits of the thread: what is read while walking is soon forgotten, and a small young generation keeps it from growing. */
export const NAMES_MEMORY = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 192 } as const;

/** A folder to walk, and what stands before its paths where several folders are open: "app/". */
export interface NamedWalk {
  readonly walk: WalkRequest;
  readonly prefix: string;
}

/** A file, or a folder in which something was made, renamed or removed. */
export interface PlaceOnDisk {
  readonly rootIndex: number;
  /** From the workspace folder on; empty for that itself. */
  readonly relative: string;
}

export type ToNames =
  /** Reads all names anew; answers come from the earlier ones until then. */
  | {
      readonly kind: "walk";
      /** Absolute paths of the workspace folders; empty for one that is not on this disk. */
      readonly folders: readonly string[];
      readonly walks: readonly NamedWalk[];
      readonly most: number;
    }
  /** Reads these folders again. */
  | { readonly kind: "changed"; readonly folders: readonly PlaceOnDisk[] }
  /** All files that the thread cannot see, in place of those told before. */
  | { readonly kind: "virtual"; readonly paths: readonly string[] }
  | {
      readonly kind: "find";
      readonly id: number;
      readonly query: string;
      readonly most: number;
      /** The place that the query is the whole path of. */
      readonly place: PlaceOnDisk | undefined;
    };

export interface FoundNames {
  readonly kind: "found";
  readonly id: number;
  /** Best first; a folder ends in "/". */
  readonly paths: readonly string[];
  /** Number of names that were looked at. */
  readonly looked: number;
  /** There are more files than the limit. */
  readonly isCut: boolean;
  /** A file is at the place that was asked about, listed or not. */
  readonly isFile: boolean;
}

export type FromNames = FoundNames | { readonly kind: "walked"; readonly count: number; readonly ms: number };
