/**
 * What of the results of tools is sent: all of a result of ordinary size, head and tail of a larger one. The whole result
 * stays in the history, where `recall_history` finds it. The form that is sent depends on the message alone, so it is the
 * same in every request and for every model, and its tokens are counted once, when the message enters the history.
 */

import { type MessageId, messageNumber } from "../../ids.ts";
import type { Message, Part, ToolResultPart } from "../../message.ts";
import { excerptText, limitOfEach, sizeUpTo } from "./excerpts.ts";

/** The most of one result, in bytes of UTF-8: some hundred lines of code. */
export const MOST_OF_A_RESULT = 32_768;
/** The most of all results of one message together. */
export const MOST_OF_ALL_RESULTS = 131_072;

/** The message as it is sent when nothing forces it to be shorter; the same object when that is all of it. */
export function sentForm(message: Message, id: MessageId): Message {
  const results = message.parts.filter((part): part is ToolResultPart => part.kind === "toolResult");
  if (results.length === 0) return message;
  const sizes = results.map(({ text }) => sizeUpTo(text, MOST_OF_A_RESULT + 1));
  const bytes = Math.min(limitOfEach(sizes, MOST_OF_ALL_RESULTS), MOST_OF_A_RESULT);
  if (results.every(({ text }) => sizeUpTo(text, bytes + 1) <= bytes)) return message;
  const cut = (part: Part): Part =>
    part.kind === "toolResult" ? { ...part, text: excerptText(part.text, bytes, leftOutNote(part.text, id)) } : part;
  return { ...message, parts: message.parts.map(cut) };
}

function leftOutNote(text: string, id: MessageId): string {
  const length = text.length.toLocaleString("en-US");
  return `\n\n[… cut here: the whole result has ${length} characters. Ask \`recall_history\` for message ${messageNumber(id)} …]\n\n`;
}
