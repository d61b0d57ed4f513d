/**
 * Host -> webview. Plain data, made for showing; none of it is a core type. `seq` grows by one with every message; at a
 * gap the webview requests a snapshot with `ready`.
 */

import type { ReadOutView } from "./readOutView.ts";
import type { RevealedRow } from "./scrollAnchor.ts";
import type { CodeToView } from "./codeView.ts";
import type { FindToView } from "./findView.ts";
import type { AttachmentView, MentionView } from "./attachmentView.ts";
import type { ComposerDocument, TextOperation } from "./composerDocument.ts";
import type { BranchView } from "./branchView.ts";
import type { ContextView } from "./contextView.ts";
import type { OfferView, SummaryDetail, SummaryOriginals, SummaryProgressView, SummaryRow } from "./summaryView.ts";
import type { SourceStates, ToolCallCard, ToolCallDetail } from "./toolCallView.ts";
import type { UsageView } from "./usageView.ts";
import type { ViewCommand } from "./viewCommand.ts";

export type ToView = { readonly seq: number } & ToViewBody;

interface Confirming {
  /** Number of this webview's last `compose` in the document, not counting those for a closed conversation. */
  readonly contains?: number;
}

/** A conversation shown before, and the last operations on its text, some of which the webview may have missed. */
export interface ClosedComposer {
  readonly conversationId: string;
  readonly operations: readonly TextOperation[];
}

export type ToViewBody =
  /** Replaces all that is shown. `closed`: conversations shown before, the latest one last. */
  | ({ readonly kind: "snapshot"; readonly view: ViewState; readonly closed?: readonly ClosedComposer[] } & Confirming)
  /** New rows at the end. */
  | { readonly kind: "rowsAdded"; readonly rows: readonly Row[] }
  /** A page of older rows to prepend; `before` is the requested `rowId`. */
  | { readonly kind: "rowsOlder"; readonly before: string; readonly rows: readonly Row[]; readonly hasOlder: boolean }
  /** Scrolls to a row that is loaded. */
  | ({ readonly kind: "reveal" } & RevealedRow)
  /** The row `rowId` is now `row`, whose own `rowId` may differ: a step becomes a message. */
  | { readonly kind: "rowChanged"; readonly rowId: string; readonly row: Row }
  | { readonly kind: "rowRemoved"; readonly rowId: string }
  /** Messages that are sent in another way from the next request on; unknown ones are ignored. */
  | { readonly kind: "rowsSent"; readonly rows: readonly { readonly rowId: string; readonly sent: SentView }[] }
  /** Appends durable text to the streaming row `rowId`. */
  | { readonly kind: "delta"; readonly rowId: string; readonly part: "text" | "thinking"; readonly text: string }
  /** Updates a call of the answer `rowId`; a new one is appended. */
  | { readonly kind: "call"; readonly rowId: string; readonly call: ToolCallCard }
  /** Absent fields are unchanged. */
  | { readonly kind: "status"; readonly status: Partial<ViewStatus> }
  /** Changed fields of a conversation's composer. `sent`: a message was taken, into the history or into the queue. */
  | ({
      readonly kind: "composer";
      readonly conversationId: string;
      readonly changed: Partial<ComposerDocument> & Pick<ComposerDocument, "revision">;
      readonly sent?: "now" | "queued";
    } & Confirming)
  /**
   * Response to `findMentions`. `lookedAt`: number of files that were looked at, where there are more. `isReading`: the
   * names are still being read, and the same request is answered once more.
   */
  | {
      readonly kind: "mentions";
      readonly requestId: number;
      readonly mentions: readonly MentionView[];
      readonly lookedAt?: number;
      readonly isReading?: boolean;
    }
  /** Response to `openSummary`. */
  | { readonly kind: "summaryDetail"; readonly summaryId: number; readonly detail: SummaryDetail }
  /** A page of the messages that a summary covers. */
  | { readonly kind: "summaryOriginals"; readonly summaryId: number; readonly originals: SummaryOriginals }
  /** Response to `openCall`. */
  | { readonly kind: "callDetail"; readonly rowId: string; readonly callId: string; readonly detail: ToolCallDetail }
  /** Response to `recallSources`, and after each change. */
  | { readonly kind: "recallSources"; readonly sources: SourceStates }
  /** Null: the context view is closed. */
  | { readonly kind: "context"; readonly context: ContextView | null }
  /** Response to `attachmentText`. */
  | { readonly kind: "attachmentText"; readonly attachmentId: string; readonly text: string }
  | { readonly kind: "focusComposer" }
  /** Goes to the oldest question of a tool that waits for the user; without one, to the composer. */
  | { readonly kind: "focusQuestion" }
  | CodeToView
  | FindToView;

export interface ViewState {
  readonly conversationId: string;
  /** The newest rows of the conversation, oldest first. */
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly composer: ComposerDocument;
  readonly status: ViewStatus;
  /** Replaces the transcript; null while it is closed. */
  readonly context: ContextView | null;
  readonly font: FontView;
  readonly readOut: ReadOutView;
}

/** The user's font for chats; null where not set. */
export interface FontView {
  readonly sizePx: number | null;
  readonly family: string | null;
}

export interface ViewStatus {
  readonly title: string;
  readonly model: ModelView;
  readonly usage: UsageView;
  readonly connection: ConnectionView;
  /** Configured servers that cannot be used now, each with the reason, in a sentence or two. */
  readonly unreachableServers: readonly string[];
  /**
   * `streaming`: Stop is offered; while it is busy, messages are queued; `blocked`: nothing can be sent, see `banner`;
   * `isReadOnly`: nothing of the conversation can be changed here, nor its draft.
   */
  readonly activity: "loading" | "idle" | "streaming" | "summarizing" | "blocked" | "readOnly";
  /** While summarizing, also in the background: `activity` is `summarizing` only while the user waits. */
  readonly progress: SummaryProgressView | null;
  /** A problem of the conversation as a whole. */
  readonly banner: Banner | null;
  /** Shown beside Send; null while being counted. */
  readonly draftTokens: number | null;
}

export interface ModelView {
  /** "claude-haiku-4-5", or "Offline". */
  readonly label: string;
  /** "Anthropic"; empty offline. */
  readonly providerLabel: string;
  /** The path by which its server names it; absent elsewhere. For the tooltip only. */
  readonly path?: string;
}

/** `why`: the reason for this model. `offline` offers ways to connect. */
export type ConnectionView =
  | { readonly kind: "connected"; readonly why: string }
  | { readonly kind: "offline"; readonly editorModels: number; readonly servers: readonly FoundServerView[] };

/** A model server found on this machine, and the command that selects it. */
export interface FoundServerView {
  /** "LM Studio" */
  readonly label: string;
  readonly modelCount: number;
  readonly command: ViewCommand;
}

export interface Banner {
  readonly tone: "error" | "warning" | "info";
  /** What happened and what is safe. One or two sentences. */
  readonly text: string;
  readonly actions: readonly Action[];
  /** When it can be tried again; counted down. */
  readonly retryAtMs?: number;
}

export interface Action {
  readonly label: string;
  readonly command: ViewCommand;
}

/** `rowId` is `message-7`, `step_…`, `summary-2`, `notice-…` or `hidden-7`, unique in the transcript. */
export type Row = MessageRow | SummaryRow | NoticeRow | HiddenRow;

/** The form in which the next request has a message: itself, an excerpt of it, a summary instead, or nothing. */
export type SentView = "original" | "excerpt" | "summary" | "notSent";

/** A message, or an answer being streamed. */
export interface MessageRow {
  readonly kind: "message";
  readonly rowId: string;
  /** Value of `data-message-id`: the message's number, or the step id until it has one. */
  readonly messageId: string;
  readonly role: "user" | "assistant" | "system";
  readonly state: "streaming" | "complete" | "interrupted" | "cancelled" | "failed";
  /** Markdown; plain text for a user's message. */
  readonly text: string;
  readonly thinking: string;
  /** Null until it has ended, or when it was not measured. */
  readonly thinkingMs: number | null;
  readonly calls: readonly ToolCallCard[];
  /** "claude-haiku-4-5 · 412 tokens · 3.1 s"; empty while there is nothing to say. */
  readonly meta: string;
  /** Path of the model, where its server names it so; for the tooltip of `meta` only. */
  readonly modelPath?: string;
  /** Value of `data-stop-reason`: why the model stopped. Null where it has not, or not by itself. */
  readonly stopReason: "endTurn" | "maxTokens" | "contextFull" | "refusal" | "pause" | null;
  /** Row of the answer of which this is the rest: both are shown as one. */
  readonly continues: string | null;
  /** Shown dimmed unless it is sent itself. */
  readonly sent: SentView;
  /** For an answer that ended badly: what happened, what is safe, with buttons. */
  readonly problem: Banner | null;
  /**
   * In a journal, pending the user's decision: `answer` was cut off by a crash or a broken stream, `tools`: its calls
   * were.
   */
  readonly pendingRecovery: "answer" | "tools" | null;
  /** "Interrupted (12 Nov, 14:03). Everything you saw is kept." */
  readonly stateText: string;
  /** Of a streaming answer: when the service is asked again; counted down. */
  readonly retryAtMs?: number;
  /** Always sent verbatim. */
  readonly pinned: boolean;
  readonly attachments: readonly AttachmentView[];
  /** Null when this is the only branch. */
  readonly branch: BranchView | null;
  /** Passages sent with the user's message, as that names them; absent for nearly all. */
  readonly recalled?: readonly RecalledView[];
}

/** A passage of an earlier message. */
export interface RecalledView {
  readonly messageId: number;
  /** Plain text. */
  readonly text: string;
}

/** A message that the user has hidden; it can be shown again. */
export interface HiddenRow {
  readonly kind: "hidden";
  readonly rowId: string;
  readonly messageId: number;
  readonly role: MessageRow["role"];
}

/** Something that happened to the conversation: a model switch, a hint, a failure. */
export interface NoticeRow {
  readonly kind: "notice";
  readonly rowId: string;
  readonly tone: "error" | "warning" | "info";
  readonly text: string;
  readonly actions: readonly Action[];
  /** When it can be tried again; counted down. */
  readonly retryAtMs?: number;
  /** Texts that can be changed before they are used. */
  readonly offer?: OfferView;
}
