/** Small or summarized turns of long ago become one summary of what was wanted and what came of it. */

import { runsOf, sumOf, turnsOf } from "../itemRuns.ts";
import type { Strategy } from "../strategy.ts";
import type { PlanBudget } from "../compactionPlan.ts";
import type { ViewItem } from "../compactionView.ts";
import { PlanDraft } from "../planDraft.ts";
import { plannedSpan } from "../spanPlanning.ts";

/** Spec §6, `goalBatch`. The oldest three to six turns that qualify; a summary counts as the turns that it covers. */
export const goalBatch: Strategy = {
  name: "goalBatch",
  plan(view, budget) {
    const draft = new PlanDraft(view, budget);
    while (!draft.isEnough() && addOldestBatch(draft, budget)) {
      draft.endStep({ strategy: "goalBatch", kind: "goalBatch", model: "small" }, "all");
    }
    return draft.plan();
  },
};

const MESSAGES_BACK = 20;
const FEWEST_TURNS = 3;
const MOST_TURNS = 6;
const SMALL_TURN_TOKENS = 300;

/** A turn with all of its items, or a summary that covers one or more. */
type Turns = readonly ViewItem[];

/** Whether there was one that pays. */
function addOldestBatch(draft: PlanDraft, budget: PlanBudget): boolean {
  const old = wholeTurnsBack(MESSAGES_BACK, draft.view.items);
  const batches = runsOf(old, (item) => !item.isKept)
    .flatMap((run) => batchesOf(turnsOf(run)))
    .filter((turns) => turns.length > 1 && countTurns(turns) >= FEWEST_TURNS);
  for (const batch of batches) {
    const span = plannedSpan(batch.flat(), budget);
    if (span === undefined) continue;
    draft.addSpan(span, batch.flat());
    return true;
  }
  return false;
}

/** The items of turns that ended before the newest so many messages. */
function wholeTurnsBack(messages: number, items: readonly ViewItem[]): readonly ViewItem[] {
  let newer = 0;
  let end = items.length;
  while (end > 0 && newer < messages) newer += items[--end]?.messages ?? 0;
  const goesOn = items[end]?.firstTurn ?? 0;
  return items.slice(0, end).filter((item) => item.lastTurn < goesOn);
}

/** Neighbours that qualify, the most that stay within the largest batch. */
function batchesOf(turns: readonly Turns[]): readonly (readonly Turns[])[] {
  const batches: Turns[][] = [[]];
  for (const turn of turns) {
    const batch = batches.at(-1);
    if (!qualifies(turn)) batches.push([]);
    else if (batch !== undefined && countTurns([...batch, turn]) <= MOST_TURNS) batch.push(turn);
    else batches.push([turn]);
  }
  return batches;
}

function qualifies(turn: Turns): boolean {
  return turn.every(({ kind }) => kind === "summary") || sumOf(turn, "tokens") <= SMALL_TURN_TOKENS;
}

function countTurns(turns: readonly Turns[]): number {
  return turns.reduce((count, turn) => {
    const first = turn[0]?.firstTurn ?? 0;
    return count + (turn.at(-1)?.lastTurn ?? first) - first + 1;
  }, 0);
}
