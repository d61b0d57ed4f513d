/** What the view knows of the next request: what fills it, why, and what can be done about each. Plain data, made for showing. */

/** The next request, or what it would be with another model or strategy. */
export interface ContextView {
  /** "claude-haiku-4-5" */
  readonly modelLabel: string;
  /** "Pipeline" */
  readonly strategyLabel: string;
  /** What is in use where this is only looked at: nothing is sent or changed by that. Null: this is what is sent. */
  readonly inUse: string | null;
  /** Tokens of the bar: the budget, or what is used where that is more. */
  readonly barTokens: number;
  /** "55k of 129k tokens (43%)" */
  readonly figure: string;
  /** "Measured by the provider, ± 120 for what came since" */
  readonly certainty: string;
  /** What has to happen before it can be sent, or what the other model or strategy changes; may be empty. */
  readonly note: string;
  /** In the order of the request; they add up to what is used. The last ones are the draft and what is free. */
  readonly parts: readonly ContextPart[];
  /** "A window of 200k: 64k kept for the answer, 6.8k for what counting cannot know." */
  readonly reserve: string;
  /** What the compactions of this conversation did and cost, line by line; empty when there was none. */
  readonly totals: readonly string[];
}

/** What a part of the request is. */
export type ContextPartKind =
  "system" | "tools" | "pins" | "summaries" | "older" | "recent" | "omitted" | "draft" | "free";

/** A stretch of the bar and a line of the list. */
export interface ContextPart {
  readonly kind: ContextPartKind;
  /** "2 summaries for 162 messages" */
  readonly label: string;
  readonly tokens: number;
  /** "23%"; of the budget. */
  readonly share: string;
  readonly why: string;
  /** How many items it has; 0: there is nothing to unfold. */
  readonly itemCount: number;
  /** The newest ones of them, as many as were asked for; null while it is folded. */
  readonly items: readonly ContextItem[] | null;
}

/** One thing that is sent. */
export interface ContextItem {
  /** Unique in its part. */
  readonly itemId: string;
  readonly label: string;
  readonly tokens: number;
  /** Empty where the part says it. */
  readonly why: string;
  /** Where a click leads: to a message or a summary in the chat, or to the text in the editor. */
  readonly place: ContextPlace;
  /** Whether it is pinned; null: it cannot be. */
  readonly pinned: boolean | null;
  /** Files, selections and diffs that travel with the message. */
  readonly attachments: readonly ContextAttachment[];
}

/** Where an item can be seen. */
export type ContextPlace =
  | { readonly kind: "message"; readonly id: number }
  | { readonly kind: "summary"; readonly id: number }
  | { readonly kind: "text" };

/** Something that the user added to a message. */
export interface ContextAttachment {
  /** Its place among the parts of the message. */
  readonly index: number;
  readonly label: string;
  /** What it takes of the request while it is sent. */
  readonly tokens: number;
  /** The user took it out of what is sent. */
  readonly leftOut: boolean;
}

/** What the reader of the context view asks of the host. */
export type ContextAsk =
  | { readonly what: "open" }
  | { readonly what: "close" }
  /** The newest `count` items of a part; 0 folds it. */
  | { readonly what: "items"; readonly part: ContextPartKind; readonly count: number }
  | { readonly what: "pin"; readonly messageId: number; readonly pinned: boolean }
  /** Leaves an attachment of a message out of what is sent, or sends it again; `index` is its place among the parts. */
  | { readonly what: "leaveOut"; readonly messageId: number; readonly index: number; readonly leftOut: boolean }
  /** The text of an item, in the editor. */
  | { readonly what: "text"; readonly part: ContextPartKind; readonly itemId: string }
  /** A summary of the list, in the chat; `before` is the oldest row that the view has. */
  | { readonly what: "summary"; readonly summaryId: number; readonly before: string }
  /** The request exactly as it would be sent, in the editor. */
  | { readonly what: "request" }
  /** Looks at another model or strategy; nothing is sent or changed. */
  | { readonly what: "tryModel" | "tryStrategy" | "tryNothing" }
  /** From now on with what is looked at. */
  | { readonly what: "useTrial" }
  /** What else can be set for this conversation. */
  | { readonly what: "menu" };
