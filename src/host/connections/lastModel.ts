/** Which language model answered last. */

import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { ModelId } from "../../core/ids.ts";

/** The newest language model that answered in a conversation; `undefined` when none ever did. */
export function lastModelIn({ entries }: FullHistory): ModelId | undefined {
  return entries.findLast(({ model }) => model !== undefined && model !== OFFLINE)?.model;
}

/** What the offline mode signs with. */
const OFFLINE = "offline";
