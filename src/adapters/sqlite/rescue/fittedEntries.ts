/** What stands in the place of a lost message, and how one that was kept is fitted to what stands before it. */

import { continuesBatch } from "../../../core/history/entryRules.ts";
import { messageId, type MessageId } from "../../../core/ids.ts";
import type { HistoryEntry, TokenCounts } from "../../../core/message.ts";

/** Of the words that say that something is lost. */
export const LOST_TOKENS: TokenCounts = { cl100k: 21, o200k: 21 };

/** The entry of a message of which nothing is known. */
export interface LostPlace {
  /** What stands right before it. */
  readonly previous: HistoryEntry | undefined;
  /** The first message behind it of which anything is known. */
  readonly behind: HistoryEntry | undefined;
}

/** What stands in the place of lost message `id`: of the turn and the tool batch that it must have been of. */
export function lostEntry(id: MessageId, { previous, behind }: LostPlace): HistoryEntry {
  const base = { id, createdAtMs: previous?.createdAtMs ?? 0, tokens: LOST_TOKENS };
  const turnBefore = previous?.turn ?? messageId(0);
  const known = behind !== undefined && behind.turn <= id ? behind : undefined;
  if (behind?.batch !== undefined && behind.batch <= id) {
    // It was the call, or a result, of the tools whose results follow.
    const role = behind.batch === id ? "assistant" : "user";
    const turn = known?.turn === id ? id : turnBefore;
    return { ...base, role, turn, batch: behind.batch, state: "complete" };
  }
  const isQuestion = known === undefined ? previous?.role !== "user" : known.turn === id;
  if (isQuestion) return { ...base, role: "user", turn: id, state: "complete" };
  return { ...base, role: "assistant", turn: turnBefore, state: "interrupted" };
}

/** `known` in its place behind `previous`; the same object where nothing that is lost contradicts it. */
export function fittedEntry(known: HistoryEntry, previous: HistoryEntry | undefined): HistoryEntry {
  const turnBefore = previous?.turn ?? messageId(0);
  const isLed = continuesBatch(known, previous);
  const isOfTurn = known.turn === known.id || known.turn === turnBefore;
  if (isLed && isOfTurn) return known;
  const fitted: { -readonly [Name in keyof HistoryEntry]: HistoryEntry[Name] } = { ...known };
  if (!isLed) delete fitted.batch;
  if (!isOfTurn) fitted.turn = turnBefore;
  return fitted;
}
