/**
 * Long messages of the user that are sent unchanged for as long as the work is likely to be about them: a summary would
 * keep a part of each, and the model would answer about the rest as if it had never been said.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import { isSaidByUser } from "../../history/saidByUser.ts";
import { messageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import type { TokenCosts } from "../tokenCosts.ts";

export interface PasteRoom {
  readonly costs: TokenCosts;
  readonly budgetTokens: number;
}

/** Messages of the user for which a paste is recent, itself included. */
const RECENT_MESSAGES = 5;
/** Smaller budgets need the room for what was found and decided. */
const SMALLEST_BUDGET = 16_000;
/** Of the budget: from which a message is a paste, and the most for all of them. */
const SHARE_OF_ONE = 1 / 8;
const SHARE_OF_ALL = 0.45;

/** The largest first, as long as there is room: one that is larger than what is left is summarized like any other. */
export function recentPastes(
  history: FullHistory,
  end: number,
  { costs, budgetTokens }: PasteRoom,
): readonly HistoryEntry[] {
  if (budgetTokens < SMALLEST_BUDGET) return [];
  const newest: HistoryEntry[] = [];
  for (let id = end - 1; id >= 0 && newest.length < RECENT_MESSAGES; id--) {
    const begin = history.entry(history.entry(messageId(id)).turn);
    if (isSaidByUser(begin) && history.isVisible(begin)) newest.push(begin);
    id = begin.id; // nothing that the user said stands between a message and the one that began its turn
  }
  let left = Math.floor(budgetTokens * SHARE_OF_ALL);
  const pastes: HistoryEntry[] = [];
  for (const entry of newest.toSorted((one, other) => costs.ofEntry(other) - costs.ofEntry(one) || other.id - one.id)) {
    const tokens = costs.ofEntry(entry);
    if (tokens < budgetTokens * SHARE_OF_ONE) break;
    if (tokens > left) continue;
    pastes.push(entry);
    left -= tokens;
  }
  return pastes;
}
