/** Messages and their parts: plain, read-only data. */

import type { MessageId, ModelId, StepId, ToolCallId } from "./ids.ts";

/** Tool results are in messages of role `user`, directly after the calls. */
export type Role = "user" | "assistant" | "system";

export interface TextPart {
  readonly kind: "text";
  readonly text: string;
}
/** A model's reasoning. `signature` is the provider's own and is sent back unchanged. */
export interface ThinkingPart {
  readonly kind: "thinking";
  readonly text: string;
  readonly signature?: string;
  /** From its first event to the next part; absent when no time was measured. Never sent. */
  readonly durationMs?: number;
}
/** `inputJson` is exactly what the model wrote, whole or not. */
export interface ToolCallPart {
  readonly kind: "toolCall";
  readonly callId: ToolCallId;
  readonly name: string;
  readonly inputJson: string;
}
export interface ToolResultPart {
  readonly kind: "toolResult";
  readonly callId: ToolCallId;
  /** `denied`: the user did not allow the call, so it was not run. */
  readonly outcome: "ok" | "error" | "denied" | "interrupted";
  readonly text: string;
  /** Description shown to the user: "Read src/app.ts". Never sent. */
  readonly title?: string;
  /** Absent when it was not run, or never ended. */
  readonly durationMs?: number;
  /** Other conversations that it quotes. Never sent. */
  readonly sources?: readonly ResultSource[];
  /** Problems that an edit added. Never sent: `text` says them to the model. */
  readonly problems?: AddedProblems;
}
/** Errors and warnings that the editor found after an edit, and not before it. */
export interface AddedProblems {
  /** Worst first, those of the edited file before others; at least one. */
  readonly listed: readonly FoundProblem[];
  /** Number of those that are not listed. */
  readonly more: number;
}
/** A problem where it was then. */
export interface FoundProblem {
  readonly severity: "error" | "warning";
  /** As tools take it. */
  readonly path: string;
  /** Of a notebook. Counted from 1, as is the line in it, and the column. */
  readonly cell?: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}
/** Another conversation that a tool result quotes, as it was then. */
export interface ResultSource {
  /** A `ConversationId`; an imported one may be nobody's here. */
  readonly conversation: string;
  readonly title: string;
  readonly lastUsedAtMs: number;
  /** Quoted messages, best first; at least one. */
  readonly messages: readonly number[];
}
/** `dataBase64` has no line breaks. */
export interface ImagePart {
  readonly kind: "image";
  readonly mediaType: string;
  readonly dataBase64: string;
  readonly widthPx?: number;
  readonly heightPx?: number;
}
/** A file, selection or diff that the user added; `text` is its content at that time. */
export interface AttachmentPart {
  readonly kind: "attachment";
  readonly label: string;
  readonly uri?: string;
  readonly text: string;
}

export type Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart | ImagePart | AttachmentPart;

export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
}

/** How an assistant's message ended; messages of the user are always `complete`. */
export type MessageState = "complete" | "interrupted" | "cancelled" | "failed";

/** Why a model stopped although its answer was not complete. */
export interface AnswerStop {
  /** `maxTokens`: at the limit of an answer; `contextFull`: the window was full. `pause`: the model wants to go on. */
  readonly reason: "maxTokens" | "contextFull" | "refusal" | "pause";
  /** The limit of an answer, or what the window had left for it. Absent when unknown. */
  readonly tokens?: number;
}

/** Tokens of a message's content in both known encodings, without any framing. */
export interface TokenCounts {
  readonly cl100k: number;
  readonly o200k: number;
}

/** `data` is full of digits, `code` of punctuation; `cjk` is Chinese, Japanese and Korean, `other` any other script. */
export type ContentClass = "prose" | "code" | "data" | "cjk" | "other";

/**
 * A part of an earlier message that is sent again beside a question that names what it says. Names the text and holds
 * none of it, so that erasing the message leaves nothing here.
 */
export interface RecalledPassage {
  readonly id: MessageId;
  /** Index of the part of the message. */
  readonly part: number;
  /** In UTF-16 units of the part's text, from `start` to before `end`. */
  readonly start: number;
  readonly end: number;
  /** Tokens as it is sent, with its heading. */
  readonly tokens: TokenCounts;
}

/** Index entry of a message: everything but its content. */
export interface HistoryEntry {
  readonly id: MessageId;
  readonly role: Role;
  /** The user message that began the turn; for what precedes the first one, message 0. */
  readonly turn: MessageId;
  readonly state: MessageState;
  readonly createdAtMs: number;
  readonly tokens: TokenCounts;
  /** Tokens as sent, where fewer: long tool results are shortened, attachments may be excluded. */
  readonly sentTokens?: TokenCounts;
  /** Indices of the parts that the user excluded from requests, ascending; absent for nearly all. */
  readonly leftOut?: readonly number[];
  /** Predominant kind of text, as providers count kinds differently; absent for prose. */
  readonly textClass?: ContentClass;
  /** The assistant message whose tool batch this belongs to; absent outside a batch. */
  readonly batch?: MessageId;
  /** Only for tool results; missing in records of earlier versions. Not exported, as it is derived. */
  readonly partCount?: number;
  readonly model?: ModelId;
  /** The step that streamed it, or under which it was queued; a second message of the same step is never added. */
  readonly step?: StepId;
  /** When the user erased its content. Absent for nearly all. */
  readonly erasedAtMs?: number;
  /** From the request to the last event. Absent when it was not streamed. */
  readonly durationMs?: number;
  /** Absent when the model ended by itself, and in records of earlier versions. */
  readonly stop?: AnswerStop;
  /** The answer of which this is the rest: both are shown as one. */
  readonly continues?: MessageId;
  /** Passages that were recalled for it, the best one first; absent for nearly all. */
  readonly recalled?: readonly RecalledPassage[];
  /**
   * Of the first message of an imported question or answer: its key in the file that it came from, by which a later import
   * of that file finds it. Not exported.
   */
  readonly imported?: string;
}

/** Text parts only, without thinking, calls, results or attachments. */
export function textOf(message: Message): string {
  return message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("");
}

export function textMessage(role: Role, text: string): Message {
  return { role, parts: [{ kind: "text", text }] };
}

export interface StoredMessage {
  readonly entry: HistoryEntry;
  readonly message: Message;
}
