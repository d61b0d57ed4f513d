/** Placeholder entries for lost messages, and the adjustment of surviving entries to the placeholders before them. */

import { continuesBatch } from "../../../core/history/entryRules.ts";
import { messageId, type MessageId } from "../../../core/ids.ts";
import type { HistoryEntry, TokenCounts } from "../../../core/message.ts";

/** Tokens of the placeholder text. */
export const PLACEHOLDER_TOKENS: TokenCounts = { cl100k: 21, o200k: 21 };

/** The known entries around a lost message. */
export interface LostPlace {
  /** The entry directly before it. */
  readonly previous: HistoryEntry | undefined;
  /** The next known entry after it. */
  readonly following: HistoryEntry | undefined;
}

/** Placeholder for the lost message `id`, in the turn and tool batch to which it must have belonged. */
export function placeholderEntry(id: MessageId, { previous, following }: LostPlace): HistoryEntry {
  const base = { id, createdAtMs: previous?.createdAtMs ?? 0, tokens: PLACEHOLDER_TOKENS };
  const turnBefore = previous?.turn ?? messageId(0);
  const known = following !== undefined && following.turn <= id ? following : undefined;
  if (following?.batch !== undefined && following.batch <= id) {
    // It was the message with the tool calls, or one of the results before the known one.
    const role = following.batch === id ? "assistant" : "user";
    const turn = known?.turn === id ? id : turnBefore;
    return { ...base, role, turn, batch: following.batch, state: "complete" };
  }
  const isQuestion = known === undefined ? previous?.role !== "user" : known.turn === id;
  if (isQuestion) return { ...base, role: "user", turn: id, state: "complete" };
  return { ...base, role: "assistant", turn: turnBefore, state: "interrupted" };
}

/** `known`, adjusted to follow `entries`; the same object if no adjustment is needed. */
export function adjustedEntry(known: HistoryEntry, entries: readonly HistoryEntry[]): HistoryEntry {
  const previous = entries.at(-1);
  const turnBefore = previous?.turn ?? messageId(0);
  const isLed = continuesBatch(known, previous);
  const isOfTurn = known.turn === known.id || entries[known.turn]?.turn === known.turn;
  if (isLed && isOfTurn) return known;
  const fitted: { -readonly [Name in keyof HistoryEntry]: HistoryEntry[Name] } = { ...known };
  if (!isLed) delete fitted.batch;
  if (!isOfTurn) fitted.turn = turnBefore;
  return fitted;
}
