/** What a conversation is made of. All of it is plain, read-only data. */

import type { MessageId, ModelId, StepId, ToolCallId } from "./ids.ts";

/** Who speaks. The results of tools travel in messages of role `user`, right behind the calls. */
export type Role = "user" | "assistant" | "system";

/** Words. */
export interface TextPart {
  readonly kind: "text";
  readonly text: string;
}
/** A model's reasoning. `signature` is the provider's own and goes back to it unchanged. */
export interface ThinkingPart {
  readonly kind: "thinking";
  readonly text: string;
  readonly signature?: string;
  /** From its first piece to what came behind it; absent where that took no time that was seen. Never sent. */
  readonly durationMs?: number;
}
/** A model asks for a tool. `inputJson` is exactly what the model wrote, whole or not. */
export interface ToolCallPart {
  readonly kind: "toolCall";
  readonly callId: ToolCallId;
  readonly name: string;
  readonly inputJson: string;
}
/** What a tool answered, or why there is no answer. */
export interface ToolResultPart {
  readonly kind: "toolResult";
  readonly callId: ToolCallId;
  /** `denied`: the user did not allow the call, so it was not run. */
  readonly outcome: "ok" | "error" | "denied" | "interrupted";
  readonly text: string;
  /** What the user was shown that the call does: "Read src/app.ts". Never sent. */
  readonly title?: string;
  /** From its start to its end; absent where it was not run, or never ended. */
  readonly durationMs?: number;
}
/** A picture, base64 without line breaks. */
export interface ImagePart {
  readonly kind: "image";
  readonly mediaType: string;
  readonly dataBase64: string;
  readonly widthPx?: number;
  readonly heightPx?: number;
}
/** A file, selection or diff that the user added; `text` is its content at that moment. */
export interface AttachmentPart {
  readonly kind: "attachment";
  readonly label: string;
  readonly uri?: string;
  readonly text: string;
}

/** One piece of a message. */
export type Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart | ImagePart | AttachmentPart;

/** A role and what it said, in order. */
export interface Message {
  readonly role: Role;
  readonly parts: readonly Part[];
}

/** How an assistant's message ended; messages of the user are always `complete`. */
export type MessageState = "complete" | "interrupted" | "cancelled" | "failed";

/** Tokens of a message's content in both known encodings, without any framing. */
export interface TokenCounts {
  readonly cl100k: number;
  readonly o200k: number;
}

/** `data` is full of digits, `code` of punctuation; `cjk` is Chinese, Japanese and Korean, `other` any other script. */
export type ContentClass = "prose" | "code" | "data" | "cjk" | "other";

/** What the index knows of a message: everything but its content. */
export interface HistoryEntry {
  readonly id: MessageId;
  readonly role: Role;
  /** The user message that began the turn; for what precedes the first one, message 0. */
  readonly turn: MessageId;
  readonly state: MessageState;
  readonly createdAtMs: number;
  readonly tokens: TokenCounts;
  /** Tokens of what is sent of it, where that is less: results of tools may be too long, attachments left out. */
  readonly sentTokens?: TokenCounts;
  /** Parts that the user took out of what is sent, lowest index first; absent for nearly all. */
  readonly leftOut?: readonly number[];
  /** What most of it is, as providers count kinds of text differently; absent for prose. */
  readonly textClass?: ContentClass;
  /** The assistant message whose tool batch this belongs to; absent outside a batch. */
  readonly batch?: MessageId;
  /** How many parts results of tools have; earlier versions did not say it. Not saved: it follows from them. */
  readonly partCount?: number;
  /** The model that wrote it. */
  readonly model?: ModelId;
  /** The step that streamed it, or in which it waited to be sent; a second message of the same step is never added. */
  readonly step?: StepId;
  /** When the user erased its words for good. Absent for nearly all. */
  readonly erasedAtMs?: number;
  /** From the request to its last piece. Absent for what was not streamed. */
  readonly durationMs?: number;
}

/** The words of a message, without thinking, calls, results or attachments. */
export function textOf(message: Message): string {
  return message.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("");
}

/** A message of one text part. */
export function textMessage(role: Role, text: string): Message {
  return { role, parts: [{ kind: "text", text }] };
}

/** A message with what the index knows of it. */
export interface StoredMessage {
  readonly entry: HistoryEntry;
  readonly message: Message;
}
