import type { FullHistory } from "../../core/history/fullHistory.ts";
import type { ModelId } from "../../core/ids.ts";

/** Newest language model that answered in a conversation, not counting the offline mode. */
export function lastModelIn({ entries }: FullHistory): ModelId | undefined {
  return entries.findLast(({ model }) => model !== undefined && model !== OFFLINE)?.model;
}

const OFFLINE = "offline";
