/** Which of the passages that were recalled for a question its request has. */

import type { FullHistory } from "../../history/fullHistory.ts";
import { isSentWhole } from "../../history/sentAs.ts";
import { messageId, type MessageId } from "../../ids.ts";
import type { HistoryEntry, RecalledPassage } from "../../message.ts";
import { shareOfBudget } from "../budgetShare.ts";
import type { TokenCosts } from "../tokenCosts.ts";
import type { ContextSegment, WorkingContext } from "../cut/workingContext.ts";

/** Of the budget; the attachment that holds the passages is included. */
const MOST_PERCENT = 5;

type RecalledSegment = Extract<ContextSegment, { kind: "recalled" }>;

export interface RecalledRequest {
  readonly history: FullHistory;
  readonly costs: TokenCosts;
  readonly budgetTokens: number;
}

/** Most tokens of one excerpt. */
export function mostRecalledTokens(budgetTokens: number): number {
  return shareOfBudget(budgetTokens, MOST_PERCENT);
}

/**
 * The best of the passages of `entry` that fit into `roomTokens`, in the order of their places. Not those of messages that are
 * sent as they are, nor what the user has hidden, excluded or erased since.
 */
export function recalledSegment(
  { id, recalled }: Pick<HistoryEntry, "id" | "recalled">,
  { history, costs, budgetTokens }: RecalledRequest,
  { isSent, roomTokens }: { readonly isSent: (id: MessageId) => boolean; readonly roomTokens: number },
): RecalledSegment | undefined {
  if (recalled === undefined) return undefined;
  const mostTokens = Math.min(mostRecalledTokens(budgetTokens), roomTokens);
  const passages: RecalledPassage[] = [];
  for (const passage of recalled) {
    if (passage.id >= id || isSent(passage.id) || !mayBeSent(passage, history)) continue;
    if (costs.ofRecalled([...passages, passage]) <= mostTokens) passages.push(passage);
  }
  if (passages.length === 0) return undefined;
  passages.sort((one, other) => one.id - other.id || one.part - other.part || one.start - other.start);
  return { kind: "recalled", beside: id, passages, tokens: costs.ofRecalled(passages) };
}

/** Not what the user has hidden, excluded or erased. */
export function mayBeSent({ id, part }: RecalledPassage, history: FullHistory): boolean {
  const entry = history.entry(id);
  return history.isVisible(entry) && entry.erasedAtMs === undefined && entry.leftOut?.includes(part) !== true;
}

/** Passages recalled for the question that is answered now, in a cut that is built anew; earlier excerpts end there. */
export interface RecalledBeside {
  readonly question: HistoryEntry;
  readonly mostTokens: number;
  /** Of the messages that `context` has so far as they are, nothing is sent twice. */
  readonly segmentIn: (context: WorkingContext) => RecalledSegment | undefined;
}

/** `undefined` when the newest visible one of the first `end` messages belongs to no question with passages that fit. */
export function recalledBeside(request: RecalledRequest, end: number, roomTokens: number): RecalledBeside | undefined {
  const question = newestQuestion(request.history, end);
  if (question?.recalled === undefined) return undefined;
  const most = recalledSegment(question, request, { isSent: () => false, roomTokens });
  if (most === undefined) return undefined;
  const segmentIn = (context: WorkingContext): RecalledSegment | undefined =>
    recalledSegment(question, request, { isSent: (id) => isSentWhole(context.sentAs(id)), roomTokens: most.tokens });
  return { question, mostTokens: most.tokens, segmentIn };
}

function newestQuestion(history: FullHistory, end: number): HistoryEntry | undefined {
  let at = Math.min(end, history.length) - 1;
  for (; at >= 0; at--) {
    const entry = history.entry(messageId(at));
    if (history.isVisible(entry)) break;
  }
  const asked = at < 0 ? undefined : history.entry(history.entry(messageId(at)).turn);
  return asked?.role === "user" && history.isVisible(asked) ? asked : undefined;
}
