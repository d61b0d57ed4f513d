/** What the history says of a message beside its content, as its row shows it. */

import { branchPlace } from "../../core/history/branches/branches.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { MessageId } from "../../core/ids.ts";
import type { MessageRowOptions } from "./rows.ts";

/** What it has cost, whether it is pinned, and which of several ways on it begins. */
export function placeInHistory(
  history: FullHistory,
  id: MessageId,
): Pick<MessageRowOptions, "spent" | "pinned" | "branch"> {
  const place = branchPlace(history, id);
  return {
    spent: history.spending.of(id),
    pinned: history.pins.has(id),
    branch: place === undefined ? null : { index: place.index, count: place.ways.length },
  };
}
