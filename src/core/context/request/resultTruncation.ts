/**
 * Truncates large tool results to head and tail. The whole result stays in the history, where `recall_history` finds
 * it.
 */

import { type MessageId, messageNumber } from "../../ids.ts";
import type { Message, Part, ToolResultPart } from "../../message.ts";
import { excerptText, fairLimitPerText, boundedUtf8Length } from "./excerpts.ts";

/** Maximum UTF-8 bytes of one result: some hundred lines of code. */
export const MAX_RESULT_BYTES = 32_768;
/** Maximum UTF-8 bytes of all results of one message together. */
export const MAX_MESSAGE_RESULTS_BYTES = 131_072;

/** `message` as sent if the budget requires nothing shorter; the same object if nothing is truncated. */
export function withTruncatedResults(message: Message, id: MessageId): Message {
  const results = message.parts.filter((part): part is ToolResultPart => part.kind === "toolResult");
  if (results.length === 0) return message;
  const sizes = results.map(({ text }) => boundedUtf8Length(text, MAX_RESULT_BYTES + 1));
  const bytes = Math.min(fairLimitPerText(sizes, MAX_MESSAGE_RESULTS_BYTES), MAX_RESULT_BYTES);
  if (results.every(({ text }) => boundedUtf8Length(text, bytes + 1) <= bytes)) return message;
  const truncatePart = (part: Part): Part =>
    part.kind === "toolResult" ? { ...part, text: excerptText(part.text, bytes, truncationNote(part.text, id)) } : part;
  return { ...message, parts: message.parts.map(truncatePart) };
}

function truncationNote(text: string, id: MessageId): string {
  const length = text.length.toLocaleString("en-US");
  return `\n\n[… cut here: the whole result has ${length} characters. Ask \`recall_history\` for message ${messageNumber(id)} …]\n\n`;
}
