/** Old turns that are small or summarized become one summary of goals and outcomes. */

import { MESSAGES_PER_SLICE, Slice, type CooperativeTask } from "../../../cooperativeTask.ts";
import { runsOf, sumOf, turnsOf } from "../itemRuns.ts";
import type { Strategy } from "./strategy.ts";
import type { ViewItem } from "../compactionView.ts";
import { PlanDraft } from "../planDraft.ts";

/** Spec §6, `goalBatch`. The oldest three to six turns that qualify; a summary counts as the turns it covers. */
export const goalBatch: Strategy = {
  name: "goalBatch",
  *plan(view, budget) {
    const draft = new PlanDraft(view, budget);
    // A summarized batch counts as many turns as before, so the other batches stay the same.
    const slice = new Slice(MESSAGES_PER_SLICE);
    for (const batch of yield* batchesIn(view.items)) {
      if (slice.isOver(batch.length)) yield;
      if (draft.reachesTarget()) break;
      draft.add(batch.flat());
      draft.endStep({ strategy: "goalBatch", kind: "goalBatch", model: "small" }, "all");
    }
    return draft.plan();
  },
};

const MESSAGES_BACK = 20;
const FEWEST_TURNS = 3;
const MOST_TURNS = 6;
const SMALL_TURN_TOKENS = 300;

/** All items of a turn, or a summary of one or more turns. */
type Turns = readonly ViewItem[];

/** Oldest first. */
function* batchesIn(items: readonly ViewItem[]): CooperativeTask<readonly (readonly Turns[])[]> {
  const runs = runsOf(turnsBeforeNewest(MESSAGES_BACK, items), (item) => !item.isPreserved);
  yield;
  const turns = runs.map(turnsOf);
  yield;
  const batches = turns.flatMap(batchesOf);
  yield;
  return batches.filter((batch) => batch.length > 1 && countTurns(batch) >= FEWEST_TURNS);
}

/** Items of turns that ended before the newest `messages` messages. */
function turnsBeforeNewest(messages: number, items: readonly ViewItem[]): readonly ViewItem[] {
  let newer = 0;
  let end = items.length;
  while (end > 0 && newer < messages) newer += items[--end]?.messages ?? 0;
  const firstNewerTurn = items[end]?.firstTurn ?? 0;
  return items.slice(0, end).filter((item) => item.lastTurn < firstNewerTurn);
}

/** Adjacent turns that qualify, as many as the largest batch allows. */
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
