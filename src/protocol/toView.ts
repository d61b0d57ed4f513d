/**
 * Host -> webview. Plain data, made for showing; none of it is a core type.
 * Every message carries `seq`, one more than the one before; at a gap the view asks for a snapshot with `ready`.
 */

import type { RevealedRow } from "./readingPlace.ts";
import type { CodeToView } from "./codeView.ts";
import type { FindToView } from "./findView.ts";
import type { AttachmentView, MentionView } from "./attachmentView.ts";
import type { ComposerDocument, TextOperation } from "./composerDocument.ts";
import type { BranchView } from "./branchView.ts";
import type { ContextView } from "./contextView.ts";
import type { SummaryDetail, SummaryOriginals, SummaryRow } from "./summaryView.ts";
import type { ToolCallCard, ToolCallDetail } from "./toolCallView.ts";
import type { UsageView } from "./usageView.ts";

/** One message of the host, numbered. */
export type ToView = { readonly seq: number } & ToViewBody;

/** What the host says of the composer to one page. */
interface Confirming {
  /**
   * The number of the page's last `compose` that the document contains; absent: none. Those for a conversation that was closed
   * do not count, as it does not have them.
   */
  readonly contains?: number;
}

/** A conversation that the page was shown before, and what was done to its text last, of which the page may have lost some. */
export interface ClosedComposer {
  readonly conversationId: string;
  readonly operations: readonly TextOperation[];
}

/** What a message of the host says. */
export type ToViewBody =
  /** Everything that the view shows; replaces what it had. `closed`: what was shown before, the last at the end. */
  | ({ readonly kind: "snapshot"; readonly view: ViewState; readonly closed?: readonly ClosedComposer[] } & Confirming)
  /** New rows at the end. */
  | { readonly kind: "rowsAdded"; readonly rows: readonly Row[] }
  /** A page of older rows, to be put above the present ones; `before` is the `rowId` that was asked for. */
  | { readonly kind: "rowsOlder"; readonly before: string; readonly rows: readonly Row[]; readonly hasOlder: boolean }
  /** Brings a row that is there into sight. */
  | ({ readonly kind: "reveal" } & RevealedRow)
  /** The row `rowId` is now `row`, whose own `rowId` may differ: a step becomes a message. */
  | { readonly kind: "rowChanged"; readonly rowId: string; readonly row: Row }
  | { readonly kind: "rowRemoved"; readonly rowId: string }
  /** Durable text to be added to the streaming row `rowId`. */
  | { readonly kind: "delta"; readonly rowId: string; readonly part: "text" | "thinking"; readonly text: string }
  /** The call `call.callId` of the answer `rowId` is now this; a new one is put behind the others. */
  | { readonly kind: "call"; readonly rowId: string; readonly call: ToolCallCard }
  /** What changed around the transcript; absent fields stay as they are. */
  | { readonly kind: "status"; readonly status: Partial<ViewStatus> }
  /**
   * These fields of the composer of this conversation have changed. `sent`: because a message was taken, into the history or
   * into the queue.
   */
  | ({
      readonly kind: "composer";
      readonly conversationId: string;
      readonly changed: Partial<ComposerDocument> & Pick<ComposerDocument, "revision">;
      readonly sent?: "now" | "queued";
    } & Confirming)
  /** The answer to `findMentions`. */
  | { readonly kind: "mentions"; readonly requestId: number; readonly mentions: readonly MentionView[] }
  /** The answer to `openSummary`. */
  | { readonly kind: "summaryDetail"; readonly summaryId: number; readonly detail: SummaryDetail }
  /** Some of the messages that a summary stands for. */
  | { readonly kind: "summaryOriginals"; readonly summaryId: number; readonly originals: SummaryOriginals }
  /** The answer to `openCall`. */
  | { readonly kind: "callDetail"; readonly rowId: string; readonly callId: string; readonly detail: ToolCallDetail }
  /** The context view is this now; null: it is closed. */
  | { readonly kind: "context"; readonly context: ContextView | null }
  /** The text of what is added to the message, as the page asked for it. */
  | { readonly kind: "attachmentText"; readonly attachmentId: string; readonly text: string }
  /** Puts the keyboard focus into the composer. */
  | { readonly kind: "focusComposer" }
  | CodeToView
  | FindToView;

/** All that the view shows. */
export interface ViewState {
  readonly conversationId: string;
  /** Oldest first; the newest ones of the conversation. */
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly composer: ComposerDocument;
  readonly status: ViewStatus;
  /** The context view, which takes the transcript's place; null while it is closed. */
  readonly context: ContextView | null;
  readonly font: FontView;
}

/** The font that the user has set for chats; null where they have not. */
export interface FontView {
  readonly sizePx: number | null;
  readonly family: string | null;
}

/** What stands around the transcript. */
export interface ViewStatus {
  readonly title: string;
  readonly model: ModelView;
  readonly usage: UsageView;
  readonly connection: ConnectionView;
  /** Servers in the settings that cannot be used now, and why: a sentence or two for each. */
  readonly unanswered: readonly string[];
  /**
   * `idle`; `streaming`: Stop is offered; while it is busy, messages are queued; `blocked`: nothing can be sent, see
   * `banner`; `readOnly`: nothing of the conversation can be changed here, nor its draft.
   */
  readonly activity: "loading" | "idle" | "streaming" | "summarizing" | "blocked" | "readOnly";
  /** 0–100 while summarizing, also while nobody waits for it: `activity` is `summarizing` only where the user does. */
  readonly progressPercent: number | null;
  /** What went wrong with the conversation as a whole; null when nothing did. */
  readonly banner: Banner | null;
  /** Tokens of what is in the composer, for the figure beside Send; null while it is being counted. */
  readonly draftTokens: number | null;
}

/** The model that would answer, in words. */
export interface ModelView {
  /** "claude-haiku-4-5", or "Offline". */
  readonly label: string;
  /** "Anthropic"; empty offline. */
  readonly providerLabel: string;
}

/** Whether a language model can be asked, and why this one. `offline` says so plainly and offers ways out. */
export type ConnectionView =
  | { readonly kind: "connected"; readonly why: string }
  | { readonly kind: "offline"; readonly editorModels: number; readonly servers: readonly FoundServerView[] };

/** A model server that was found on this machine, and what takes it. */
export interface FoundServerView {
  /** "LM Studio" */
  readonly label: string;
  readonly modelCount: number;
  readonly command: ViewCommand;
}

/** A problem with what helps. */
export interface Banner {
  readonly tone: "error" | "warning" | "info";
  /** What happened and what is safe. One or two sentences. */
  readonly text: string;
  readonly actions: readonly Action[];
}

/** A button. `command` is one of those the host accepts in `ToHost`. */
export interface Action {
  readonly label: string;
  readonly command: ViewCommand;
}

/** What a button may ask of the host. */
export type ViewCommand =
  | "addKey"
  | "useServer"
  | "useEditorModels"
  | "useOllama"
  | "useLmStudio"
  | "useLlamaCpp"
  | "useVllm"
  | "lookAgain"
  | "openServerSettings"
  | "switchModel"
  | "summarize"
  | "showContext"
  | "newConversation"
  | "openConversation"
  | "moveHere"
  | "takeOver"
  | "rescue"
  | "reopen"
  | "retry"
  | "cancelSummary"
  | "useSummary"
  | "previewSummary"
  | "declineSummary"
  | "trySummaryAgain"
  | "openSettings"
  | "showSummary"
  | "closeBanner"
  | "exportConversation"
  | "importConversation"
  | "showLog";

/**
 * A row of the transcript. `rowId` is `message-7`, `step_…`, `summary-2`, `notice-…` or `hidden-7`, unique in the
 * transcript.
 */
export type Row = MessageRow | SummaryRow | NoticeRow | HiddenRow;

/** A message, or the answer that is becoming one. */
export interface MessageRow {
  readonly kind: "message";
  readonly rowId: string;
  /** What `data-message-id` holds: the message's number, or the step id until it has one. */
  readonly messageId: string;
  readonly role: "user" | "assistant" | "system";
  readonly state: "streaming" | "complete" | "interrupted" | "cancelled" | "failed";
  /** Markdown, for a user's message plain text. */
  readonly text: string;
  readonly thinking: string;
  /** How long that took, as far as it is over and was seen. */
  readonly thinkingMs: number | null;
  /** The calls that it asks for, in its order. */
  readonly calls: readonly ToolCallCard[];
  /** "claude-haiku-4-5 · 412 tokens · 3.1 s"; empty while there is nothing to say. */
  readonly meta: string;
  /** Sent as a part of a summary now; shown dimmed. */
  readonly summarized: boolean;
  /** Shown when the answer ended badly: what happened, what is safe, with buttons. */
  readonly problem: Banner | null;
  /**
   * Still in a journal, and the user says what becomes of it. `answer`: a crash or a broken stream cut it: Keep, Continue,
   * Ask again. `tools`: its calls were cut: Resume, Hide.
   */
  readonly undecided: "answer" | "tools" | null;
  /** "Interrupted 2 min ago. Everything you saw is kept." */
  readonly stateText: string;
  /** Always sent as it is. */
  readonly pinned: boolean;
  /** What the user added to the message. */
  readonly attachments: readonly AttachmentView[];
  /** Another question or answer was given in its place before; null where there is only this one. */
  readonly branch: BranchView | null;
}

/** A message that the user took out of the view; it is kept, and can be shown again. */
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
}
