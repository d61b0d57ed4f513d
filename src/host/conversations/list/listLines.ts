/** Lines of the list of conversations, and their buttons. */

import * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { SearchHit } from "../../../core/search/bestHits.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import { withoutIcons } from "../../tools/hiddenText.ts";
import { listGroups } from "./listGroups.ts";
import { listingItem, separator, type ListingItem } from "./listingItem.ts";
import { HITS_PER_CONVERSATION, isSearchable, MOST_CONVERSATIONS, type SearchGaps } from "./searchConversations.ts";

/** A line that is no conversation. */
export interface FixedItem extends vscode.QuickPickItem {
  readonly fixed: "new" | "trash" | "archive" | "note";
}

export type ListLine = ListingItem | FixedItem | vscode.QuickPickItem;

const button = (icon: string, tooltip: string): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
});

export const BUTTONS = {
  pin: button("pin", localize("Pin")),
  unpin: button("pinned", localize("Unpin")),
  rename: button("edit", localize("Rename…")),
  archive: button("archive", localize("Move to the archive")),
  unarchive: button("inbox", localize("Move out of the archive")),
  recall: button("eye", localize("Let models find it from other conversations again")),
  rescue: button("tools", localize("Rescue what can be read")),
  delete: button("trash", localize("Delete")),
} as const;

export interface ListContent {
  readonly listings: readonly ConversationListing[];
  readonly trashedCount: number;
  readonly current: ConversationId | undefined;
  /** The archive is expanded. */
  readonly showsArchive: boolean;
  readonly query: string;
  /** Hits so far by conversation, best first. */
  readonly hits: ReadonlyMap<ConversationId, readonly SearchHit[]>;
  /** Of a finished search; `undefined` until one has finished. */
  readonly gaps: SearchGaps | undefined;
}

/**
 * Conversations of the list, and of its archive, that have lines without being asked for. The editor is given all lines
 * at each change, and takes half a second for 5,000.
 */
export const MOST_LINES = 250;

/**
 * The lines: of the pinned conversations and the newest, and of those that the query names or that have hits. A query
 * expands the archive.
 */
export function listLines(content: ListContent, nowMs: number): readonly ListLine[] {
  const { trashedCount, query, gaps } = content;
  const beginNew: FixedItem = { label: `$(add) ${localize("New conversation")}`, fixed: "new" };
  const all = content.listings.filter((listing) => !isArchived(listing));
  const allArchived = content.listings.filter(isArchived);
  const listings = withLines(all, content);
  const archived = withLines(allArchived, content);
  const groups = listGroups(listings, nowMs).flatMap(({ label, listings: some }) => [
    separator(label),
    ...some.map((listing) => lineOf(listing, content)),
  ]);
  const isOpen = content.showsArchive || query !== "";
  const archive: readonly ListLine[] = isOpen
    ? [separator(localize("Archive")), ...archived.map((listing) => lineOf(listing, content))]
    : [separator(), fixed("archive", `$(archive) ${localize("Archive")}`, allArchived.length)];
  const omitted = all.length - listings.length + (isOpen ? allArchived.length - archived.length : 0);
  const trash = [
    ...(isOpen || archived.length === 0 ? [separator()] : []),
    fixed("trash", `$(trash) ${localize("Trash")}`, trashedCount),
  ];
  return [
    beginNew,
    ...groups,
    ...(archived.length === 0 ? [] : archive),
    ...(omitted === 0 ? [] : [omittedNote(omitted)]),
    ...(trashedCount === 0 ? [] : trash),
    ...nothingFound(content, [...groups, ...archived.map((listing) => lineOf(listing, content))]),
    ...(gaps === undefined ? [] : gapNotes(gaps)),
  ];
}

function isArchived({ meta }: ConversationListing): boolean {
  return meta?.isArchived === true;
}

/** In their order, newest first. */
function withLines(
  listings: readonly ConversationListing[],
  { query, hits, current }: ListContent,
): readonly ConversationListing[] {
  if (listings.length <= MOST_LINES) return listings;
  const wanted = query.trim().toLowerCase();
  let named = 0;
  return listings.filter(({ id, meta, broken }, index) => {
    if (index < MOST_LINES || meta?.isPinned === true || broken !== undefined) return true;
    if (id === current || hits.has(id)) return true;
    return wanted !== "" && named < MOST_LINES && meta?.title.toLowerCase().includes(wanted) === true && ++named > 0;
  });
}

function omittedNote(count: number): FixedItem {
  const label = `$(info) ${plural(count, "1 older conversation", "{0} older conversations")}`;
  return { label, description: localize("type words of a title, or of what was said, to find one"), fixed: "note" };
}

/** A note when no line matches the query: an empty list would look broken. */
function nothingFound({ query, hits, gaps }: ListContent, lines: readonly ListLine[]): readonly FixedItem[] {
  const wanted = query.trim().toLowerCase();
  const isSearched = gaps !== undefined || !isSearchable(query);
  if (wanted === "" || !isSearched || hits.size > 0) return [];
  const holds = ({ label, description = "" }: ListLine): boolean =>
    `${label}\n${description}`.toLowerCase().includes(wanted);
  if (lines.some(holds)) return [];
  const words = withoutIcons(query.trim());
  const label = isSearchable(query)
    ? localize("No conversation holds “{0}”", words)
    : localize("No title holds “{0}”", words);
  const description = isSearchable(query) ? "" : localize("type more to search everything that was said");
  return [{ label: `$(info) ${label}`, description, alwaysShow: true, fixed: "note" }];
}

function lineOf(listing: ConversationListing, { current, hits }: ListContent): ListingItem {
  const { meta, broken, sizeBytes, id } = listing;
  const isRescuable = broken !== undefined && sizeBytes > 0;
  const buttons = [
    ...(isRescuable ? [BUTTONS.rescue] : []),
    ...(broken !== undefined
      ? []
      : [
          meta?.isPinned === true ? BUTTONS.unpin : BUTTONS.pin,
          BUTTONS.rename,
          meta?.isArchived === true ? BUTTONS.unarchive : BUTTONS.archive,
          ...(meta?.isLeftOut === true ? [BUTTONS.recall] : []),
        ]),
    BUTTONS.delete,
  ];
  const found = hits.get(id) ?? [];
  const [best] = found;
  const line = { ...listingItem(listing, id === current), buttons };
  return best === undefined ? line : { ...line, detail: detailOf(best.excerpt, found.length), alwaysShow: true };
}

function detailOf(excerpt: string, count: number): string {
  const places =
    count >= HITS_PER_CONVERSATION
      ? localize("{0} or more messages", HITS_PER_CONVERSATION)
      : plural(count, "1 message", "{0} messages");
  return count === 1 ? `$(quote) ${withoutIcons(excerpt)}` : `$(quote) ${withoutIcons(excerpt)} · ${places}`;
}

function fixed(name: FixedItem["fixed"], label: string, count: number): FixedItem {
  return { label, description: plural(count, "1 conversation", "{0} conversations"), fixed: name };
}

function gapNotes({ elsewhere, unreadable, isMore }: SearchGaps): readonly FixedItem[] {
  const note = (label: string, description = ""): FixedItem => ({
    label: `$(info) ${label}`,
    description,
    alwaysShow: true,
    fixed: "note",
  });
  const byTitle = (count: number, why: string): FixedItem =>
    note(
      plural(count, "1 conversation was searched by title only", "{0} conversations were searched by title only"),
      why,
    );
  return [
    ...(isMore ? [note(moreThanShown())] : []),
    ...(elsewhere === 0 ? [] : [byTitle(elsewhere, localize("open in another window"))]),
    ...(unreadable === 0 ? [] : [byTitle(unreadable, localize("cannot be read"))]),
  ];
}

export function moreThanShown(): string {
  return localize("More than {0} conversations match: add a word to find the others", MOST_CONVERSATIONS);
}
