/** Messages that the user took out of the view, as opposed to those that another way on has taken the place of. */

import type { MessageId } from "../ids.ts";
import type { FullHistory } from "./fullHistory.ts";

/**
 * The hidden messages from `start` on that what is shown goes on from, that it went on without, or that stand at its end with
 * nothing beside them.
 */
export function takenOut(history: FullHistory, start: number): ReadonlySet<MessageId> {
  const found = new Set<MessageId>();
  const last = history.entries.findLast((entry) => history.isVisible(entry))?.id;
  if (last === undefined) return found;
  const [, ...behind] = history.branches.newestFrom(last);
  // An answer at the end that was cut and is hidden was given up, or is being given anew.
  const isGivenUp = behind[0] !== undefined && history.entry(behind[0]).state === "interrupted";
  if (!isGivenUp) for (const id of behind) found.add(id);
  for (let id: MessageId | undefined = last; id !== undefined && id >= start; id = history.branches.before(id)) {
    if (!history.isVisible(history.entry(id))) found.add(id);
    for (const passed of passedBy(history, id)) found.add(passed);
  }
  return found;
}

/** What was asked and answered where answer `id` was given later: no other version of a message leads there. */
function passedBy(history: FullHistory, id: MessageId): readonly MessageId[] {
  if (history.entry(id).role !== "assistant") return [];
  const beside = history.branches.beside(id);
  const question = beside.findLast((other) => history.entry(other).role === "user");
  return question === undefined || history.isVisible(history.entry(question))
    ? []
    : history.branches.newestFrom(question);
}
