/** The groups of the list: what is pinned first, then by the days since it was last used. Pure. */

import type { ConversationListing } from "../../adapters/node/conversationFolders.ts";

/** Conversations under one heading. */
export interface ListGroup {
  readonly label: string;
  readonly listings: readonly ConversationListing[];
}

const DAY_MS = 86_400_000;

/** Whole days of the user's calendar before `nowMs`, and what they are called; the last one holds the rest. */
const DAYS: readonly (readonly [mostDays: number, label: string])[] = [
  [0, "Today"],
  [1, "Yesterday"],
  [7, "Previous 7 days"],
  [30, "Previous 30 days"],
  [Infinity, "Older"],
];

/** `listings` under their headings, in their order; those that are archived are left out, empty groups too. */
export function listGroups(listings: readonly ConversationListing[], nowMs: number): readonly ListGroup[] {
  const groups = new Map<string, ConversationListing[]>([["Pinned", []], ...DAYS.map(([, label]) => groupOf(label))]);
  for (const listing of listings) {
    if (listing.meta?.isArchived === true) continue;
    const label = listing.meta?.isPinned === true ? "Pinned" : labelOf(daysBetween(listing.lastUsedAtMs, nowMs));
    groups.get(label)?.push(listing);
  }
  return [...groups].flatMap(([label, some]) => (some.length === 0 ? [] : [{ label, listings: some }]));
}

function groupOf(label: string): [string, ConversationListing[]] {
  return [label, []];
}

function labelOf(days: number): string {
  return DAYS.find(([mostDays]) => days <= mostDays)?.[1] ?? "Older";
}

/** Midnights between two moments; negative where the clock was set back, which counts as today. */
function daysBetween(fromMs: number, toMs: number): number {
  return Math.round((midnight(toMs) - midnight(fromMs)) / DAY_MS); // a day may have 23 or 25 hours
}

function midnight(atMs: number): number {
  const day = new Date(atMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
}
