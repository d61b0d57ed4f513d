/** Text about stale summaries, in the status bar and in the context view. */

import type { FullHistory } from "../../core/history/fullHistory.ts";
import { plural } from "../../protocol/localize.ts";
import { staleSummaries } from "./summaryVersions.ts";

/** One line; none when no summary is stale. */
export function staleSummaryLines(history: FullHistory): readonly string[] {
  const { length } = staleSummaries(history);
  if (length === 0) return [];
  return [
    plural(
      length,
      "1 summary not in use: a message in it has changed, so the originals are sent",
      "{0} summaries not in use: messages in them have changed, so the originals are sent",
    ),
  ];
}
