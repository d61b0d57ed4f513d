/** The groups of the list: what is pinned first, then by the days since it was last used. Pure. */

import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { localize } from "../../../protocol/localize.ts";

/** Conversations under one heading. */
export interface ListGroup {
  readonly label: string;
  readonly listings: readonly ConversationListing[];
}

const DAY_MS = 86_400_000;

/** Whole days of the user's calendar before `nowMs`, and what they are called; the last one holds the rest. */
const DAYS: readonly (readonly [mostDays: number, label: string])[] = [
  [0, localize("Today")],
  [1, localize("Yesterday")],
  [7, localize("Previous 7 days")],
  [30, localize("Previous 30 days")],
  [Infinity, localize("Older")],
];

/** `listings` under their headings, in their order; those that are archived are left out, empty groups too. */
export function listGroups(listings: readonly ConversationListing[], nowMs: number): readonly ListGroup[] {
  const groups = new Map<string, ConversationListing[]>([
    [localize("Pinned"), []],
    ...DAYS.map(([, label]) => groupOf(label)),
  ]);
  for (const listing of listings) {
    if (listing.meta?.isArchived === true) continue;
    const label =
      listing.meta?.isPinned === true ? localize("Pinned") : labelOf(daysBetween(listing.lastUsedAtMs, nowMs));
    groups.get(label)?.push(listing);
  }
  return [...groups].flatMap(([label, some]) => (some.length === 0 ? [] : [{ label, listings: some }]));
}

function groupOf(label: string): [string, ConversationListing[]] {
  return [label, []];
}

function labelOf(days: number): string {
  return DAYS.find(([mostDays]) => days <= mostDays)?.[1] ?? localize("Older");
}

/** Midnights between two moments; negative where the clock was set back, which counts as today. */
function daysBetween(fromMs: number, toMs: number): number {
  return Math.round((midnight(toMs) - midnight(fromMs)) / DAY_MS); // a day may have 23 or 25 hours
}

function midnight(atMs: number): number {
  const day = new Date(atMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
}
