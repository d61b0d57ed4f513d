/**
 * Lines of "Find in All Conversations". The editor sorts lines whose label matches what is typed to the top, which would
 * part a hit from its conversation. So labels are icons only; the words stand in the descriptions, where the editor marks
 * what is typed, too. Pure but for the editor's types.
 */

import type * as vscode from "vscode";
import type { ConversationListing } from "../../../adapters/node/conversationFolders.ts";
import type { ConversationId } from "../../../core/ids.ts";
import { localize, plural } from "../../../protocol/localize.ts";
import type { IndexHit } from "../../search/searchIndexProtocol.ts";
import { proseInList, withoutIcons } from "../../tools/hiddenText.ts";
import { formatAge, formatDateTime } from "../../words/formatting.ts";
import { titleOf } from "./listedConversations.ts";
import { moreThanShown } from "./listLines.ts";
import { HITS_PER_CONVERSATION, isSearchable, type SearchGaps } from "./searchConversations.ts";

/** A line that opens a conversation at a hit. */
export interface HitLine extends vscode.QuickPickItem {
  readonly id: ConversationId;
  readonly hit: IndexHit;
  /** `conversation`: the line above its hits. */
  readonly shows: "conversation" | "hit" | "more";
}

export type EverywhereLine = HitLine | vscode.QuickPickItem;

export interface EverywhereContent {
  readonly listings: readonly ConversationListing[];
  readonly current: ConversationId | undefined;
  /** As typed, and that of the hits. */
  readonly typed: string;
  readonly query: string;
  readonly hits: ReadonlyMap<ConversationId, readonly IndexHit[]>;
  /** `undefined` until a search of what is typed has finished. */
  readonly gaps: SearchGaps | undefined;
}

/** More lines of one conversation would hide the others; its own search shows all. */
const HITS_SHOWN = 5;

/** The conversation with the best hit first, the last used one of equals. */
export function everywhereLines(content: EverywhereContent, nowMs: number): readonly EverywhereLine[] {
  const { listings, hits } = content;
  const found = listings
    .flatMap((listing) => {
      const own = hits.get(listing.id) ?? [];
      const [best] = own;
      return best === undefined ? [] : [{ listing, best, own }];
    })
    .toSorted(
      (one, other) => compareHits(one.best, other.best) || other.listing.lastUsedAtMs - one.listing.lastUsedAtMs,
    );
  return [
    ...found.flatMap(({ listing, best, own }) => [
      conversationLine(listing, best, own.length, content, nowMs),
      ...own.slice(0, HITS_SHOWN).map((hit) => hitLine(listing.id, hit, content.query)),
      ...moreLine(listing.id, own),
    ]),
    ...notes(content, found.length).map((text) => ({ label: "$(info) ", description: text, alwaysShow: true })),
  ];
}

function compareHits(one: IndexHit, other: IndexHit): number {
  return other.exact - one.exact || Number(other.hasAll) - Number(one.hasAll) || other.score - one.score;
}

function conversationLine(
  listing: ConversationListing,
  hit: IndexHit,
  count: number,
  { current }: EverywhereContent,
  nowMs: number,
): HitLine {
  const isCurrent = listing.id === current;
  const facts = [
    proseInList(titleOf(listing)),
    formatAge(nowMs - listing.lastUsedAtMs),
    countOf(count),
    ...(isCurrent ? [localize("open here")] : []),
    ...(listing.meta?.isArchived === true ? [localize("archived")] : []),
  ];
  const label = isCurrent ? "$(comment-discussion) " : "$(comment) ";
  return { label, description: facts.join(" · "), alwaysShow: true, id: listing.id, hit, shows: "conversation" };
}

function countOf(count: number): string {
  return count >= HITS_PER_CONVERSATION
    ? localize("{0} or more messages", HITS_PER_CONVERSATION)
    : plural(count, "1 message", "{0} messages");
}

function hitLine(id: ConversationId, hit: IndexHit, query: string): HitLine {
  const { entry } = hit;
  const [icon, speaker] = speakerOf(entry);
  const before = `${speaker}, ${formatDateTime(entry.createdAtMs)}: `;
  const excerpt = markedExcerpt(before, hit, query);
  return { label: icon, description: before + excerpt, alwaysShow: true, id, hit, shows: "hit" };
}

function speakerOf({ role, batch }: IndexHit["entry"]): readonly [icon: string, name: string] {
  if (role === "assistant") return ["$(sparkle) ", localize("Model")];
  if (batch !== undefined) return ["$(tools) ", localize("Tool")];
  return ["$(account) ", localize("You")];
}

function moreLine(id: ConversationId, hits: readonly IndexHit[]): readonly HitLine[] {
  const next = hits[HITS_SHOWN];
  if (next === undefined) return [];
  const description =
    hits.length >= HITS_PER_CONVERSATION
      ? localize("{0} or more further messages", hits.length - HITS_SHOWN)
      : plural(hits.length - HITS_SHOWN, "1 further message", "{0} further messages");
  return [{ label: "$(ellipsis) ", description, alwaysShow: true, id, hit: next, shows: "more" }];
}

const LETTER = String.raw`[\p{L}\p{N}\p{M}_]`;

/** The editor marks the first place of a line that has all of what is typed; the words of other excerpts are put in ‹ ›. */
function markedExcerpt(before: string, { excerpt, words }: IndexHit, query: string): string {
  const text = proseInList(excerpt);
  const at = (before + text).toLowerCase().indexOf(query.trim().toLowerCase());
  if (at >= before.length) return text;
  const patterns = words.map((word) => {
    const alone = `(?<!${LETTER})${word}(?!${LETTER})`; // words are letters and digits only
    return new RegExp(alone, "u").test(text) ? alone : word;
  });
  return patterns.length === 0 ? text : text.replace(new RegExp(patterns.join("|"), "gu"), "‹$&›");
}

function notes({ typed, gaps }: EverywhereContent, foundCount: number): readonly string[] {
  const wanted = typed.trim();
  if (wanted === "") return [localize("Type words, a sentence or code that was said in any conversation")];
  if (!isSearchable(typed)) return [localize("Type more: this is too short to search for")];
  if (gaps === undefined) return foundCount === 0 ? [localize("Searching…")] : [];
  const { elsewhere, unreadable, isMore } = gaps;
  return [
    ...(foundCount === 0 ? [localize("No conversation holds “{0}”", withoutIcons(wanted))] : []),
    ...(isMore ? [moreThanShown()] : []),
    ...(elsewhere === 0
      ? []
      : [
          plural(
            elsewhere,
            "1 conversation was not searched: it is open in another window",
            "{0} conversations were not searched: they are open in other windows",
          ),
        ]),
    ...(unreadable === 0
      ? []
      : [
          plural(
            unreadable,
            "1 conversation was not searched: it cannot be read",
            "{0} conversations were not searched: they cannot be read",
          ),
        ]),
  ];
}
