/** Webview -> host. Untrusted: every message is validated by `parse.ts`. */

import type { CodeToHost } from "./codeView.ts";
import type { FindToHost } from "./findView.ts";
import type { SlashCommand } from "./slashCommand.ts";
import type { ContextAction } from "./contextView.ts";
import type { SummaryAction } from "./summaryView.ts";
import type { ScrollAnchor } from "./scrollAnchor.ts";
import type { ComposerChange } from "./composerDocument.ts";
import type { ApprovalScope } from "./toolCallView.ts";
import type { ViewCommand } from "./toView.ts";

/** The first three are for an answer that was cut off, the others for one whose tool calls were. */
export type RecoveryChoice = "keep" | "continue" | "askAgain" | "resume" | "discard";

export type ApprovalAnswer = ApprovalScope | "deny";

/**
 * `retry` answers the question of this answer again, `retryWithModel` with another model; `pin` has the message always
 * sent verbatim; `fork` begins a conversation with a copy up to here; `summarize` covers what is above or below it;
 * `erase` deletes it for good. The last two ask first.
 */
export type MessageAction =
  "retry" | "retryWithModel" | "pin" | "unpin" | "hide" | "show" | "fork" | "summarize" | "erase";

export type ToHost =
  /** Requests a snapshot: the webview was loaded, or missed a message. `changes`: number of its last `compose`. */
  | { readonly kind: "ready"; readonly changes: number }
  /**
   * A change of the composer, posted at once; when the text is long, after each pause. `number` grows with each; the
   * host reports up to which one its document contains them.
   */
  | {
      readonly kind: "compose";
      readonly conversationId: string;
      readonly number: number;
      readonly change: ComposerChange;
    }
  | { readonly kind: "stop" }
  /** The user starts or ends editing a queued message: meanwhile, none is sent. */
  | { readonly kind: "queueEdit"; readonly queueId: string; readonly on: boolean }
  /** New text of a queued message. */
  | { readonly kind: "queueText"; readonly queueId: string; readonly text: string }
  | { readonly kind: "queueRemove"; readonly queueId: string }
  /** Sends the queued messages, one after another. */
  | { readonly kind: "queueSend" }
  /** Requests rows above this one. */
  | { readonly kind: "loadOlder"; readonly before: string }
  /**
   * A reference to a message was clicked, or, with `topPx`, the reading position is to be restored at that offset from
   * the top of the viewport, in CSS pixels. `before` is the oldest row that the webview has.
   */
  | { readonly kind: "revealMessage"; readonly messageId: number; readonly before: string; readonly topPx?: number }
  | { readonly kind: "recover"; readonly stepId: string; readonly choice: RecoveryChoice }
  /** Answers a call that asks for approval; `rowId` is the answer that holds it. */
  | { readonly kind: "approve"; readonly rowId: string; readonly callId: string; readonly answer: ApprovalAnswer }
  /** Requests the input and result of a call; `whole`: as much as can be shown. */
  | { readonly kind: "openCall"; readonly rowId: string; readonly callId: string; readonly whole: boolean }
  | { readonly kind: "openSummary"; readonly summaryId: number }
  /** Undoes or restores a summary. */
  | { readonly kind: "setSummaryState"; readonly summaryId: number; readonly state: "active" | "undone" }
  | { readonly kind: "summary"; readonly summaryId: number; readonly ask: SummaryAction }
  | { readonly kind: "context"; readonly ask: ContextAction }
  /** An http or https address that the user clicked; the host checks it again. */
  | { readonly kind: "openLink"; readonly href: string }
  | { readonly kind: "copy"; readonly text: string }
  /** Requests attachable items with names like `query`; cancels an earlier search that is still pending. */
  | { readonly kind: "findMentions"; readonly requestId: number; readonly query: string }
  /** Adds an item of `mentions`. */
  | { readonly kind: "attach"; readonly mentionId: string }
  /** Adds files that were dropped or pasted as URIs. */
  | { readonly kind: "attachUris"; readonly uris: readonly string[] }
  /** Adds an image or a text that was dropped or pasted with its content. */
  | { readonly kind: "attachData"; readonly name: string; readonly mediaType: string; readonly dataBase64: string }
  /** Adds a long pasted text verbatim; `pasteId` is a fresh UUID, by which `detachPaste` removes it. */
  | { readonly kind: "attachText"; readonly pasteId: string; readonly text: string }
  | { readonly kind: "detach"; readonly attachmentId: string }
  /** Undoes a paste. */
  | { readonly kind: "detachPaste"; readonly pasteId: string }
  /** Requests the text of an attachment, to put it into the composer. */
  | { readonly kind: "attachmentText"; readonly attachmentId: string }
  /** Opens an attachment in the editor; `messageId` null: one of the composer. */
  | { readonly kind: "openAttachment"; readonly messageId: number | null; readonly attachmentId: string }
  /** `argument` is the text after the command. */
  | { readonly kind: "slash"; readonly command: SlashCommand; readonly argument: string }
  | { readonly kind: "messageAction"; readonly messageId: number; readonly act: MessageAction }
  /** The messages that the selection touches; null: none. */
  | { readonly kind: "selected"; readonly messages: { readonly first: number; readonly last: number } | null }
  /** The reading position, posted when it changes; null: at the newest message. */
  | { readonly kind: "reading"; readonly conversationId: string; readonly place: ScrollAnchor | null }
  /** The focus entered or left the webview. */
  | { readonly kind: "focus"; readonly hasFocus: boolean }
  /** Shows the previous or next branch at this message. */
  | { readonly kind: "branch"; readonly messageId: number; readonly step: -1 | 1 }
  | { readonly kind: "command"; readonly command: ViewCommand }
  | CodeToHost
  | FindToHost;
