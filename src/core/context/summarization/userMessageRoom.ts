/**
 * Room for the user's messages in summaries, word for word. They are few (2 to 6 % of the tokens of recorded work with
 * tools), no tool can read them again, and everything else follows from them.
 */

import type { FullHistory } from "../../history/fullHistory.ts";
import { lowerBound } from "../../history/lowerBound.ts";
import type { MessageRange } from "../../history/summaries/summary.ts";
import { isSaidByUser } from "../../history/saidByUser.ts";
import { messageId } from "../../ids.ts";
import type { HistoryEntry } from "../../message.ts";
import type { ContextPolicy } from "../contextSettings.ts";
import { recentPastes } from "../cut/recentPastes.ts";
import type { TokenCosts } from "../tokenCosts.ts";

/**
 * Of the budget: for the newest messages, a quarter from 32,000 tokens on; less of a smaller one, where what was decided
 * and found needs the room more; and for the first message, which sets the task.
 */
const SHARE_OF_NEWEST = { least: 1 / 16, most: 1 / 4 };
const BUDGET_OF_LARGEST_SHARE = 32_000;
const SHARE_OF_FIRST = 1 / 8;
/** Of the room for the newest, for one message: what was pasted into it leaves room for older words of the user. */
const LARGEST_SHARE_OF_ONE = 7 / 8;
/** Number and line break of a message in a summary. */
const TOKENS_OF_A_MARK = 8;

/** Room by message: for the newest that together take a quarter of the budget, and for the first; none for recent pastes. */
export class UserMessageRoom {
  /** Ascending. */
  readonly #ids: readonly number[];
  /** Of the messages before each one, and of all. */
  readonly #sums: readonly number[];

  constructor(history: FullHistory, costs: TokenCosts, budgetTokens: number) {
    const share = SHARE_OF_NEWEST.most * Math.min(1, budgetTokens / BUDGET_OF_LARGEST_SHARE);
    const newest = Math.floor(budgetTokens * Math.max(SHARE_OF_NEWEST.least, share));
    const sentWhole = new Set(recentPastes(history, history.length, { costs, budgetTokens }));
    const ids: number[] = [];
    const rooms: number[] = [];
    let left = newest;
    for (let id = history.length - 1; id >= 0 && left > 0; id--) {
      const entry = history.entry(messageId(id));
      if (!isSaidByUser(entry) || !history.isVisible(entry) || sentWhole.has(entry)) continue;
      const tokens = Math.min(left, costs.ofEntry(entry) + TOKENS_OF_A_MARK, Math.floor(newest * LARGEST_SHARE_OF_ONE));
      ids.push(id);
      rooms.push(tokens);
      left -= tokens;
    }
    const first = firstUserMessage(history);
    if (first !== undefined && !sentWhole.has(first)) {
      const tokens = Math.min(costs.ofEntry(first) + TOKENS_OF_A_MARK, Math.floor(budgetTokens * SHARE_OF_FIRST));
      const own = ids.at(-1) === first.id ? Math.max(tokens, rooms.pop() ?? 0) : tokens;
      if (ids.at(-1) !== first.id) ids.push(first.id);
      rooms.push(own);
    }
    this.#ids = ids.reverse();
    const sums = [0];
    let sum = 0;
    for (const room of rooms.reverse()) sums.push((sum += room));
    this.#sums = sums;
  }

  tokensIn({ start, end }: MessageRange): number {
    const before = (id: number): number => this.#sums[lowerBound(this.#ids, (each) => each < id)] ?? 0;
    return before(end) - before(start);
  }
}

/** None with `tree`, which fills the budget: what its summaries take beside their targets would have them merged. */
export function userMessageRoom({
  history,
  model: { costs, budgetTokens },
  policy,
}: {
  readonly history: FullHistory;
  readonly model: { readonly costs: TokenCosts; readonly budgetTokens: number };
  readonly policy: ContextPolicy;
}): UserMessageRoom {
  return new UserMessageRoom(history, costs, policy === "tree" ? 0 : budgetTokens);
}

/** The first visible one; usually message 0. */
export function firstUserMessage(history: FullHistory): HistoryEntry | undefined {
  return history.entries.find((entry) => isSaidByUser(entry) && history.isVisible(entry));
}
