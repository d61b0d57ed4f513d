/** Messages that the user took out of the view, as opposed to those that another way on has taken the place of. */

import type { MessageId } from "../ids.ts";
import type { FullHistory } from "./fullHistory.ts";

/** The hidden messages from `start` on that what is shown goes on from, or that stand at its end with nothing beside them. */
export function takenOut(history: FullHistory, start: number): ReadonlySet<MessageId> {
  const found = new Set<MessageId>();
  const last = history.entries.findLast((entry) => history.isVisible(entry))?.id;
  if (last === undefined) return found;
  const [, ...behind] = history.branches.newestFrom(last);
  const next = behind[0];
  // An answer at the end that is hidden is being given anew.
  if (next !== undefined && history.entry(next).role === "user") for (const id of behind) found.add(id);
  for (let id: MessageId | undefined = last; id !== undefined && id >= start; id = history.branches.before(id)) {
    if (!history.isVisible(history.entry(id))) found.add(id);
  }
  return found;
}
