/** View data of the next request: what fills it, why, and what can be done about each part. */

/** The next request, or what it would be with another model or strategy. */
export interface ContextView {
  /** "claude-haiku-4-5" */
  readonly modelLabel: string;
  /** "Pipeline" */
  readonly strategyLabel: string;
  /** What is in use while this is only a preview, which sends and changes nothing. Null: this is what is sent. */
  readonly inUse: string | null;
  /** Tokens of the bar: the budget, or the usage where that is more. */
  readonly barTokens: number;
  /** "55k of 129k tokens (43%)" */
  readonly figure: string;
  /** "Measured by the provider, ± 120 for newer messages" */
  readonly certainty: string;
  /** What has to happen before it can be sent, or what the other model or strategy changes; may be empty. */
  readonly note: string;
  /** In request order, adding up to what is used; the draft and the free space are last. */
  readonly parts: readonly ContextPart[];
  /** "A window of 200k: 64k kept for the answer, 6.8k for what counting cannot know." */
  readonly reserve: string;
  /** Effect and cost of this conversation's compactions, line by line; empty when there was none. */
  readonly totals: readonly string[];
}

export type ContextPartKind =
  "system" | "tools" | "pins" | "summaries" | "older" | "recalled" | "recent" | "omitted" | "draft" | "free";

/** A segment of the bar and a row of the list. */
export interface ContextPart {
  readonly kind: ContextPartKind;
  /** "2 summaries for 162 messages" */
  readonly label: string;
  readonly tokens: number;
  /** "23%"; of the budget. */
  readonly share: string;
  readonly why: string;
  /** 0: there is nothing to expand. */
  readonly itemCount: number;
  /** The newest items, as many as requested; null while collapsed. */
  readonly items: readonly ContextItem[] | null;
}

export interface ContextItem {
  /** Unique within its part. */
  readonly itemId: string;
  readonly label: string;
  readonly tokens: number;
  /** Empty when the part's `why` says it. */
  readonly why: string;
  /** Target of a click: a message or summary in the chat, or the text in the editor. */
  readonly place: ContextPlace;
  /** Null: it cannot be pinned. */
  readonly pinned: boolean | null;
  /** Files, selections and diffs sent with the message. */
  readonly attachments: readonly ContextAttachment[];
}

export type ContextPlace =
  | { readonly kind: "message"; readonly id: number }
  | { readonly kind: "summary"; readonly id: number }
  | { readonly kind: "text" };

export interface ContextAttachment {
  /** Index among the parts of the message. */
  readonly index: number;
  readonly label: string;
  /** Size in the request while it is included. */
  readonly tokens: number;
  /** Excluded from requests by the user. */
  readonly isExcluded: boolean;
}
