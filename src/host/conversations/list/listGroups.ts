/** Groups of the list: pinned conversations first, then by the number of days since the last use. Pure. */

import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import { localize } from "../../../protocol/localize.ts";

export interface ListGroup {
  readonly label: string;
  readonly listings: readonly ConversationListing[];
}

const DAY_MS = 86_400_000;

/** Upper limits in calendar days before `nowMs`, in the user's time zone; the last group holds the rest. */
const DAYS: readonly (readonly [mostDays: number, label: string])[] = [
  [0, localize("Today")],
  [1, localize("Yesterday")],
  [7, localize("Previous 7 days")],
  [30, localize("Previous 30 days")],
  [Infinity, localize("Older")],
];

/** The groups with their conversations in the order of `listings`; without archived ones and empty groups. */
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

/** Number of midnights between two times; negative after the clock was set back, which counts as today. */
function daysBetween(fromMs: number, toMs: number): number {
  return Math.round((midnight(toMs) - midnight(fromMs)) / DAY_MS); // a day may have 23 or 25 hours
}

function midnight(atMs: number): number {
  const day = new Date(atMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
}
