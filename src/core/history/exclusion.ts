/**
 * Attachments that the user excluded from requests after they were sent: the history retains them, requests contain a
 * placeholder line. The exclusion is part of the entry, so it applies to every later request, model and summary.
 */

import { validationError, type ValidationError } from "../errors.ts";
import type { HistoryEntry, Message, Part, TokenCounts, StoredMessage } from "../message.ts";
import { err, ok, type Result } from "../result.ts";
import type { ExclusionRecord } from "./records.ts";

/** Whether the user added a part to the message and may exclude it: a file, a selection, a diff, an image. */
export function canBeExcluded(part: Part): boolean {
  return part.kind === "attachment" || part.kind === "image";
}

/**
 * The record that excludes exactly the parts `isExcluded`. `sentTokens` are those of the message as `withoutExcluded` makes
 * it; ignored if nothing is excluded.
 */
export function exclusionRecord(
  { entry, message }: StoredMessage,
  change: { readonly leftOut: readonly number[]; readonly sentTokens: TokenCounts; readonly atMs: number },
): Result<ExclusionRecord, ValidationError> {
  const leftOut = [...new Set(change.leftOut)].sort((one, other) => one - other);
  for (const index of leftOut) {
    const part = message.parts[index];
    if (entry.batch !== undefined || part === undefined || !canBeExcluded(part)) {
      return err(validationError("part", String(index), "something that was added to a message"));
    }
  }
  const tokens = leftOut.length === 0 ? {} : { sentTokens: change.sentTokens };
  return ok({ kind: "leftOut", id: entry.id, leftOut, ...tokens, atMs: change.atMs });
}

export function entryWithExclusion(entry: HistoryEntry, { leftOut, sentTokens }: ExclusionRecord): HistoryEntry {
  const sent: { -readonly [Name in keyof HistoryEntry]: HistoryEntry[Name] } = { ...entry };
  delete sent.leftOut;
  delete sent.sentTokens;
  if (leftOut.length > 0) sent.leftOut = leftOut;
  if (sentTokens !== undefined) sent.sentTokens = sentTokens;
  return sent;
}

/** `message` with a placeholder line for each excluded part; the same object if there is none. */
export function withoutExcluded(message: Message, leftOut: readonly number[] | undefined): Message {
  if (leftOut === undefined || leftOut.length === 0) return message;
  const excluded = new Set(leftOut);
  return { ...message, parts: message.parts.map((part, index) => (excluded.has(index) ? placeholder(part) : part)) };
}

/** Like `withoutExcluded` for a stored message, with the tokens of what is sent. */
export function storedWithoutExcluded({ entry, message }: StoredMessage, now: HistoryEntry): StoredMessage {
  if (now.leftOut === undefined) return { entry, message };
  const { tokens, sentTokens = tokens } = now;
  return { entry: { ...now, tokens: sentTokens }, message: withoutExcluded(message, now.leftOut) };
}

function placeholder(part: Part): Part {
  if (part.kind === "image")
    return { kind: "text", text: "[The user has taken this picture out of the conversation.]" };
  if (part.kind !== "attachment") return part;
  return {
    kind: "text",
    text: `[The user has taken the attachment ${JSON.stringify(part.label)} out of the conversation.]`,
  };
}
