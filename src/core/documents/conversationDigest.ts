/**
 * Digest of a conversation for another one, within a bound of tokens: its summaries and the newest messages that none of
 * them covers, or the messages that matched a search with those beside them. Hidden messages and excluded attachments
 * are in none of it.
 */

import type { CooperativeTask } from "../cooperativeTask.ts";
import { beginningOf } from "../cutText.ts";
import { storedWithoutExcluded } from "../history/exclusion.ts";
import type { FullHistory } from "../history/fullHistory.ts";
import { messageId, type MessageId } from "../ids.ts";
import { textOf, type HistoryEntry, type Message, type StoredMessage } from "../message.ts";
import { searchText } from "../search/searchText.ts";

export interface DigestedMessage {
  readonly kind: "message";
  readonly entry: Pick<HistoryEntry, "id" | "role" | "batch" | "createdAtMs">;
  readonly text: string;
  /** Only the beginning fitted. */
  readonly isCut: boolean;
}

export interface DigestedSummary {
  readonly kind: "summary";
  readonly first: MessageId;
  readonly last: MessageId;
  readonly text: string;
  readonly isCut: boolean;
}

export interface ConversationDigest {
  /** Oldest first. */
  readonly items: readonly (DigestedMessage | DigestedSummary)[];
  /** Number of messages and summaries that did not fit. */
  readonly omitted: number;
}

/** `undefined` for one that cannot be read. */
export type ReadStored = (id: MessageId) => StoredMessage | undefined;

/** A piece smaller than this says nothing. */
const LEAST_CUT_TOKENS = 60;

/** `matches`, best first: only these and the messages beside them. Pauses after each text that is read. */
export function* conversationDigest(
  history: FullHistory,
  read: ReadStored,
  budgetTokens: number,
  matches?: readonly MessageId[],
): CooperativeTask<ConversationDigest> {
  const items: (DigestedMessage | DigestedSummary)[] = [];
  let left = budgetTokens;
  let omitted = 0;
  /** The text as far as it fits; `undefined` when nothing of it does. */
  const fit = (text: string, tokens: number): Pick<DigestedMessage, "text" | "isCut"> | undefined => {
    const share = Math.min(1, left / Math.max(1, tokens));
    if (share < 1 && left < LEAST_CUT_TOKENS) {
      omitted++;
      return undefined;
    }
    left -= Math.min(left, tokens);
    return share === 1
      ? { text, isCut: false }
      : { text: beginningOf(text, Math.floor(text.length * share)), isCut: true };
  };
  const summaries = matches === undefined ? history.usableSummaries().map(({ summary }) => summary) : [];
  for (const { covers, content, tokenCount } of summaries.toReversed()) {
    const shown = fit(content, tokenCount.cl100k);
    if (shown !== undefined)
      items.push({ kind: "summary", first: covers.start, last: messageId(covers.end - 1), ...shown });
  }
  const isCovered = (id: MessageId): boolean => summaries.some(({ covers }) => covers.start <= id && id < covers.end);
  for (const id of matches === undefined ? newestFirst(history) : withNeighbours(matches, history)) {
    const entry = history.entry(id);
    if (!history.isVisible(entry) || entry.role === "system" || isCovered(id)) continue;
    if (left < LEAST_CUT_TOKENS) {
      omitted++;
      continue;
    }
    const stored = read(id);
    yield;
    const message = stored && storedWithoutExcluded(stored, entry).message;
    const text = message === undefined ? "" : toldText(message, matches?.includes(id) === true);
    if (text === "") continue;
    const tokens = Math.ceil(
      (entry.tokens.cl100k * text.length) / Math.max(text.length, searchText(message ?? NONE).length),
    );
    const shown = fit(text, tokens);
    const { role, batch, createdAtMs } = entry;
    const told = { id, role, createdAtMs, ...(batch === undefined ? {} : { batch }) };
    if (shown !== undefined) items.push({ kind: "message", entry: told, ...shown });
  }
  return { items: items.toSorted((one, other) => firstOf(one) - firstOf(other)), omitted };
}

const NONE: Message = { role: "user", parts: [] };

/** Words of a message; of a match without any, such as the result of a tool, its content. */
function toldText(message: Message, isMatch: boolean): string {
  const said = textOf(message).trim();
  return said === "" && isMatch ? searchText(message).trim() : said;
}

function* newestFirst(history: FullHistory): Generator<MessageId> {
  for (let id = history.length - 1; id >= 0; id--) yield messageId(id);
}

function withNeighbours(matches: readonly MessageId[], history: FullHistory): ReadonlySet<MessageId> {
  const near = matches.flatMap((id) => [id, id - 1, id + 1]);
  return new Set(near.filter((id) => id >= 0 && id < history.length).map((id) => messageId(id)));
}

function firstOf(item: DigestedMessage | DigestedSummary): number {
  return item.kind === "summary" ? item.first : item.entry.id;
}
