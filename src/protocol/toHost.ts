/** Webview -> host. Every message is parsed by `parse.ts` before anything believes it. */

import type { CodeToHost } from "./codeView.ts";
import type { FindToHost } from "./findView.ts";
import type { SlashCommand } from "./slashCommand.ts";
import type { ContextAsk } from "./contextView.ts";
import type { SummaryAsk } from "./summaryView.ts";
import type { ReadingPlace } from "./readingPlace.ts";
import type { ComposerChange } from "./composerDocument.ts";
import type { ApprovalScope } from "./toolCallView.ts";
import type { ViewCommand } from "./toView.ts";

/** What becomes of an interrupted answer: the first three of one that was cut, the others of one whose tools were. */
export type RecoveryChoice = "keep" | "continue" | "askAgain" | "resume" | "discard";

/** What the user says to a call. */
export type ApprovalAnswer = ApprovalScope | "deny";

/**
 * What is done with a message: answer the question of this answer again, the same by another model, have it always sent as
 * it is, take that back, take it out of the view, bring it back, begin a new conversation with a copy up to here,
 * summarize above or below it, erase it for good; the last two ask first.
 */
export type MessageAct =
  "retry" | "retryWithModel" | "pin" | "unpin" | "hide" | "show" | "fork" | "summarize" | "erase";

/** What the view says to the host. */
export type ToHost =
  /** The view is there and has nothing, or has lost count: send a snapshot. `changes`: the number of its last `compose`. */
  | { readonly kind: "ready"; readonly changes: number }
  /**
   * A change of this conversation's composer; said at once, or where it is long after each pause. `number` grows from one to
   * the next; the host says up to which one of this page its document contains them.
   */
  | {
      readonly kind: "compose";
      readonly conversationId: string;
      readonly number: number;
      readonly change: ComposerChange;
    }
  | { readonly kind: "stop" }
  /** The user begins or ends to edit a message that waits: while they do, none is sent. */
  | { readonly kind: "queueEdit"; readonly queueId: string; readonly on: boolean }
  /** What it says now. */
  | { readonly kind: "queueText"; readonly queueId: string; readonly text: string }
  | { readonly kind: "queueRemove"; readonly queueId: string }
  /** Send what waits, one message after another. */
  | { readonly kind: "queueSend" }
  /** More rows above this one. */
  | { readonly kind: "loadOlder"; readonly before: string }
  /**
   * A message of this conversation that is named in it was clicked, or, with `topPx`, is where the reader was and is to stay,
   * so far below the top of the view in CSS pixels; `before` is the oldest row that the view has.
   */
  | { readonly kind: "revealMessage"; readonly messageId: number; readonly before: string; readonly topPx?: number }
  /** What to do with an interrupted answer. */
  | { readonly kind: "recover"; readonly stepId: string; readonly choice: RecoveryChoice }
  /** The user's word about a call that waits for it; `rowId` is the answer that holds it. */
  | { readonly kind: "approve"; readonly rowId: string; readonly callId: string; readonly answer: ApprovalAnswer }
  /** What a call was given and what came of it; `whole`: as much as can be shown. */
  | { readonly kind: "openCall"; readonly rowId: string; readonly callId: string; readonly whole: boolean }
  | { readonly kind: "openSummary"; readonly summaryId: number }
  /** Takes a summary back, or brings it back. */
  | { readonly kind: "setSummaryState"; readonly summaryId: number; readonly state: "active" | "undone" }
  /** What else the reader does at a summary. */
  | { readonly kind: "summary"; readonly summaryId: number; readonly ask: SummaryAsk }
  /** What the reader does in the context view. */
  | { readonly kind: "context"; readonly ask: ContextAsk }
  /** An http or https address that the user clicked; the host checks it again. */
  | { readonly kind: "openLink"; readonly href: string }
  | { readonly kind: "copy"; readonly text: string }
  /** What can be added whose name is like `query`; an earlier search that has not been answered is given up. */
  | { readonly kind: "findMentions"; readonly requestId: number; readonly query: string }
  /** Adds something that was found so. */
  | { readonly kind: "attach"; readonly mentionId: string }
  /** Adds files that were dropped or pasted by their address. */
  | { readonly kind: "attachUris"; readonly uris: readonly string[] }
  /** Adds an image or a text that was dropped or pasted with its content. */
  | { readonly kind: "attachData"; readonly name: string; readonly mediaType: string; readonly dataBase64: string }
  /** Adds a long text that was pasted, as it is; `pasteId` is a fresh UUID, by which `detachPaste` takes it back. */
  | { readonly kind: "attachText"; readonly pasteId: string; readonly text: string }
  | { readonly kind: "detach"; readonly attachmentId: string }
  /** The paste is undone. */
  | { readonly kind: "detachPaste"; readonly pasteId: string }
  /** Say the text of what is added, to put it into the composer. */
  | { readonly kind: "attachmentText"; readonly attachmentId: string }
  /** Show what is added, or was sent with a message, in the editor; `messageId` null: of the composer. */
  | { readonly kind: "openAttachment"; readonly messageId: number | null; readonly attachmentId: string }
  /** A command that was typed into the composer, and what stood behind it. */
  | { readonly kind: "slash"; readonly command: SlashCommand; readonly argument: string }
  | { readonly kind: "messageAct"; readonly messageId: number; readonly act: MessageAct }
  /** What the reader has selected in the conversation touches these messages; null: none. */
  | { readonly kind: "selected"; readonly messages: { readonly first: number; readonly last: number } | null }
  /** Where the reader of this conversation is, said when it is another place than before; null: with the newest message. */
  | { readonly kind: "reading"; readonly conversationId: string; readonly place: ReadingPlace | null }
  /** The keyboard came into the page, or left it. */
  | { readonly kind: "keyboard"; readonly isHere: boolean }
  /** Shows the way on that stands `step` before or behind the one by this message. */
  | { readonly kind: "branch"; readonly messageId: number; readonly step: -1 | 1 }
  | { readonly kind: "command"; readonly command: ViewCommand }
  | CodeToHost
  | FindToHost;
