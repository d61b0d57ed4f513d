/** Messages between the host and the thread of the index over all conversations. Plain data. */

import type { ConversationDigest } from "../../core/documents/conversationDigest.ts";
import type { ConversationId, MessageId } from "../../core/ids.ts";
import type { HistoryEntry, StoredMessage } from "../../core/message.ts";
import type { RankedHit } from "../../core/search/ranking/rankedSearch.ts";

export interface SearchIndexStart {
  readonly servesSearchIndex: true;
  /** Folder of the index. */
  readonly folder: string;
  /** Folder of the conversations' folders. */
  readonly conversations: string;
  /** Path of `sql-wasm-debug.js`; the `.wasm` file is next to it. */
  readonly sqlJsFile: string;
}

/** A conversation as the list knows it. */
export interface ListedConversation {
  readonly id: ConversationId;
  /** Absent without a sound `meta.json`. */
  readonly messageCount?: number;
  readonly recordCount?: number;
  /** No window has it open, and it is not known to be damaged. */
  readonly isReadable: boolean;
}

export interface IndexQuery {
  readonly question: string;
  /** The last word may be the beginning of one. */
  readonly isOpen: boolean;
  /** Only messages with all of the words. */
  readonly needsAll: boolean;
  /** Hits of one conversation. */
  readonly hitsEach: number;
  readonly conversationLimit: number;
  /** In UTF-16 units, if not that for a list. */
  readonly excerptLength?: number;
  /** Absent: all. */
  readonly among?: readonly ConversationId[];
  /** Without what a model may not be told: hidden messages, excluded attachments, conversations that are left out. */
  readonly isForModel?: boolean;
}

/** With what a list says of the message. */
export interface IndexHit extends RankedHit {
  readonly entry: Pick<HistoryEntry, "role" | "batch" | "createdAtMs">;
}

/** Messages of a conversation as a model may be told them. */
export interface RecalledPage {
  /** Those of the asked ones that are there, in the order of the ids. */
  readonly messages: readonly StoredMessage[];
  readonly messageCount: number;
}

/** Host -> thread. */
export type ToSearchIndex =
  /** All that there are. Sent before a search, and again when they changed; fills the index in the background. */
  | { readonly kind: "conversations"; readonly listed: readonly ListedConversation[] }
  /** It is not read any more until the next list. */
  | { readonly kind: "opened"; readonly conversation: ConversationId }
  | { readonly kind: "search"; readonly id: number; readonly query: IndexQuery }
  /** For a model. */
  | {
      readonly kind: "read";
      readonly id: number;
      readonly conversation: ConversationId;
      readonly messages: readonly MessageId[];
    }
  /** For a message in another conversation; with `matches`, only these and what stands beside them. */
  | {
      readonly kind: "digest";
      readonly id: number;
      readonly conversation: ConversationId;
      readonly budgetTokens: number;
      readonly matches?: readonly MessageId[];
    }
  | { readonly kind: "cancel"; readonly id: number }
  /** Answer to `wantsLease`: whether the thread may change the index now. */
  | { readonly kind: "lease"; readonly isHeld: boolean }
  /** Removes all of their words from every file. */
  | { readonly kind: "forget"; readonly id: number; readonly conversations: readonly ConversationId[] };

/** Thread -> host. */
export type FromSearchIndex =
  /** Best conversation first, those that are not indexed yet last; `hits` are the best first, at least one. */
  | {
      readonly kind: "found";
      readonly id: number;
      readonly conversation: ConversationId;
      readonly hits: readonly IndexHit[];
    }
  /** The search is over; `unreadable`: conversations that could not be searched. */
  | { readonly kind: "searched"; readonly id: number; readonly unreadable: number }
  /** `undefined`: the conversation cannot be read now, or is left out. */
  | { readonly kind: "read"; readonly id: number; readonly page: RecalledPage | undefined }
  /** `undefined`: the conversation cannot be read now. */
  | { readonly kind: "digest"; readonly id: number; readonly digest: ConversationDigest | undefined }
  | { readonly kind: "forgotten"; readonly id: number }
  /** The host holds the lease, so that it is free when the thread dies. */
  | { readonly kind: "wantsLease" | "releasesLease" }
  /** All that can be indexed now is. */
  | { readonly kind: "idle" }
  /** The thread goes on; the index stays as it was. */
  | { readonly kind: "failed"; readonly id?: number; readonly detail: string };

export function isSearchIndexStart(value: unknown): value is SearchIndexStart {
  return typeof value === "object" && value !== null && "servesSearchIndex" in value;
}

/** A shallow check: only this program's own host posts to the thread. */
export function isToSearchIndex(value: unknown): value is ToSearchIndex {
  return typeof value === "object" && value !== null && "kind" in value;
}
