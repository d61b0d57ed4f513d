/** What a row shows of the history beside the message itself: cost, pin, branch. */

import { branchPlace } from "../../core/history/branches/branches.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { MessageId } from "../../core/ids.ts";
import type { MessageRowOptions } from "./rows.ts";

export function placeInHistory(
  history: FullHistory,
  id: MessageId,
): Pick<MessageRowOptions, "spent" | "pinned" | "branch"> {
  const place = branchPlace(history, id);
  return {
    spent: history.spending.of(id),
    pinned: history.pins.has(id),
    branch: place === undefined ? null : { index: place.index, count: place.siblings.length },
  };
}
