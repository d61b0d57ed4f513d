/**
 * Attachments that the user took out of what is sent, after they were sent: the history keeps them, requests have a line in
 * their place. Which ones is known of the entry, so it holds for every request, model and summary from then on.
 */

import { validationError, type ValidationError } from "../errors.ts";
import type { HistoryEntry, Message, Part, TokenCounts, StoredMessage } from "../message.ts";
import { err, ok, type Result } from "../result.ts";
import type { LeftOutRecord } from "./records.ts";

/** Whether a part is one that the user added to a message and may leave out: a file, a selection, a diff, a picture. */
export function mayBeLeftOut(part: Part): boolean {
  return part.kind === "attachment" || part.kind === "image";
}

/**
 * The record after which the parts `leftOut` of a message are not sent, and all others are. `sentTokens` are those of the
 * message as `withoutLeftOut` makes it; not needed where nothing is left out.
 */
export function leftOutRecord(
  { entry, message }: StoredMessage,
  change: { readonly leftOut: readonly number[]; readonly sentTokens: TokenCounts; readonly atMs: number },
): Result<LeftOutRecord, ValidationError> {
  const leftOut = [...new Set(change.leftOut)].sort((one, other) => one - other);
  for (const index of leftOut) {
    const part = message.parts[index];
    if (entry.batch !== undefined || part === undefined || !mayBeLeftOut(part)) {
      return err(validationError("part", String(index), "something that was added to a message"));
    }
  }
  const tokens = leftOut.length === 0 ? {} : { sentTokens: change.sentTokens };
  return ok({ kind: "leftOut", id: entry.id, leftOut, ...tokens, atMs: change.atMs });
}

/** What is known of a message after `record`. */
export function entryAfter(entry: HistoryEntry, { leftOut, sentTokens }: LeftOutRecord): HistoryEntry {
  const sent: { -readonly [Name in keyof HistoryEntry]: HistoryEntry[Name] } = { ...entry };
  delete sent.leftOut;
  delete sent.sentTokens;
  if (leftOut.length > 0) sent.leftOut = leftOut;
  if (sentTokens !== undefined) sent.sentTokens = sentTokens;
  return sent;
}

/** The message with a line in the place of each part that is left out; the same object where none is. */
export function withoutLeftOut(message: Message, leftOut: readonly number[] | undefined): Message {
  if (leftOut === undefined || leftOut.length === 0) return message;
  const left = new Set(leftOut);
  return { ...message, parts: message.parts.map((part, index) => (left.has(index) ? placeholder(part) : part)) };
}

/** The same of a message of the store, with the tokens of what is sent. */
export function storedWithoutLeftOut({ entry, message }: StoredMessage, now: HistoryEntry): StoredMessage {
  if (now.leftOut === undefined) return { entry, message };
  const { tokens, sentTokens = tokens } = now;
  return { entry: { ...now, tokens: sentTokens }, message: withoutLeftOut(message, now.leftOut) };
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
