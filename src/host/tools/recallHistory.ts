/**
 * `recall_history`: finds what was said earlier in this conversation, or gives one message of it. Everything that no longer
 * fits the model's window stays reachable this way. Reads nothing but the conversation itself.
 */

import type { FullHistory } from "../../core/history/fullHistory.ts";
import { messageId, type MessageId } from "../../core/ids.ts";
import type { ConversationStore, StoredMessage } from "../../core/ports.ts";
import { err, ok, type Result } from "../../core/result.ts";
import type { SearchHit } from "../../core/search/bestHits.ts";
import { searchExcerpt } from "../../core/search/searchExcerpt.ts";
import { matchQuery, parseQuery } from "../../core/search/searchQuery.ts";
import { searchText } from "../../core/search/searchText.ts";
import type { Tool, ToolOutcome } from "../../core/tools/tool.ts";

/** The tool's name; excerpts of long results tell the model to ask it. */
export const RECALL_HISTORY = "recall_history";

/** Messages in one answer to a search. */
const MOST_HITS = 10;
/** Some of what is found is hidden, or belongs to the running turn. */
const SEARCHED_HITS = 40;
/** Characters of a message in one answer; the rest is asked for with `offset`. */
const PAGE_CHARS = 16_000;
/** Characters of each of them around the words. */
const EXCERPT_CHARS = 600;
/** Words that are looked for one by one when no message has all of them. */
const MOST_WORDS = 8;

const DESCRIPTION = `Finds earlier messages of this conversation, also those that are only summarized or no longer sent to \
you. Give "query" to search by words: messages that have all of them come first. Give "message" to read one message by its \
number; when it is long, go on with "offset". Name a message to the user as a link: [message 12](#message-12).`;

const SCHEMA = {
  type: "object",
  properties: {
    query: { type: "string", description: "Words to look for: names, paths, errors, decisions." },
    message: { type: "integer", minimum: 0, description: "The number of a message to read whole." },
    offset: { type: "integer", minimum: 0, description: "With message: the character to begin at. 0 by default." },
  },
  additionalProperties: false,
} as const;

/** The conversation that is searched. */
export interface RecalledConversation {
  readonly history: FullHistory;
  readonly store: ConversationStore;
}

/** The tool for one conversation. */
export function recallHistory(conversation: RecalledConversation): Tool {
  return {
    effect: "reads",
    definition: { name: RECALL_HISTORY, description: DESCRIPTION, inputSchemaJson: JSON.stringify(SCHEMA) },
    describe: (inputJson) => {
      const request = readRequest(inputJson, conversation.history);
      return Promise.resolve(request.ok ? ok({ title: titleOf(request.value), detail: "" }) : request);
    },
    run: async (inputJson) => {
      const request = readRequest(inputJson, conversation.history);
      if (!request.ok) return { outcome: "error", text: request.error };
      return request.value.kind === "search"
        ? search(request.value.query, conversation)
        : readOne(request.value, conversation);
    },
  };
}

type RecallRequest =
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "read"; readonly id: MessageId; readonly offset: number };

function readRequest(inputJson: string, history: FullHistory): Result<RecallRequest, string> {
  const input: unknown = JSON.parse(inputJson);
  const field = (name: string): unknown =>
    typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined;
  const [query, message, offset = 0] = ["query", "message", "offset"].map(field);
  if (isNatural(message) && isNatural(offset)) {
    if (message < history.length) return ok({ kind: "read", id: messageId(message), offset });
    return err(`There is no message ${String(message)}: the newest is ${String(history.length - 1)}.`);
  }
  if (typeof query === "string" && query.trim() !== "") return ok({ kind: "search", query: query.trim() });
  return err('Give "query" with some words, or "message" with a number of 0 or more.');
}

function isNatural(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function titleOf(request: RecallRequest): string {
  return request.kind === "search" ? `Search history: ${request.query}` : `Read message ${String(request.id)}`;
}

async function search(query: string, conversation: RecalledConversation): Promise<ToolOutcome> {
  const { store, history } = conversation;
  // The running turn asks for it in the same words, and the model has that turn anyway.
  const before = history.entries.at(-1)?.turn ?? messageId(0);
  const lookFor = async (words: string): Promise<Result<readonly SearchHit[], string>> => {
    const found = await store.search(words, { limit: SEARCHED_HITS, before });
    if (!found.ok) return err(`The history could not be searched: ${found.error.detail}`);
    return ok(found.value.filter(({ id }) => history.isVisible(history.entry(id))));
  };
  const all = await lookFor(query);
  if (!all.ok) return { outcome: "error", text: all.error };
  const words = query.split(/\s+/u).slice(0, MOST_WORDS);
  const someOf = all.value.length > 0 || words.length < 2 ? ok([]) : await withMostWords(words, lookFor);
  if (!someOf.ok) return { outcome: "error", text: someOf.error };
  const hits = [...all.value, ...someOf.value].slice(0, MOST_HITS);
  if (hits.length === 0) return { outcome: "ok", text: "Nothing of that was said before this turn. Try other words." };
  const stored = await store.readMessages(hits.map(({ id }) => id));
  if (!stored.ok) return { outcome: "error", text: `The messages could not be read: ${stored.error.detail}` };
  const lines = stored.value.map((message, index) => `${headOf(message)}\n${wordsAround(query, message, hits[index])}`);
  const count = hits.length === 1 ? "1 message" : `${String(hits.length)} messages`;
  const how = all.value.length > 0 ? "" : " No message has all of the words; these have some.";
  return { outcome: "ok", text: [`${count} found.${how}`, ...lines].join("\n\n") };
}

/** More than a list of results shows: what is looked for stands near the words, and is to be had without another call. */
function wordsAround(query: string, { message }: StoredMessage, hit: SearchHit | undefined): string {
  const text = searchText(message);
  const parsed = parseQuery(query);
  const match = parsed === undefined ? undefined : matchQuery(parsed, text);
  return match === undefined ? (hit?.excerpt ?? "") : searchExcerpt(text, match, EXCERPT_CHARS);
}

/** Where no message has all words: those that have the most of them. */
async function withMostWords(
  words: readonly string[],
  lookFor: (words: string) => Promise<Result<readonly SearchHit[], string>>,
): Promise<Result<readonly SearchHit[], string>> {
  const found = new Map<MessageId, { readonly hit: SearchHit; times: number }>();
  for (const word of words) {
    const hits = await lookFor(word);
    if (!hits.ok) return hits;
    for (const hit of hits.value) {
      const known = found.get(hit.id);
      if (known === undefined) found.set(hit.id, { hit, times: 1 });
      else known.times++;
    }
  }
  const best = [...found.values()].sort((one, other) => other.times - one.times || other.hit.id - one.hit.id);
  return ok(best.map(({ hit }) => hit));
}

async function readOne(
  { id, offset }: Extract<RecallRequest, { kind: "read" }>,
  { store }: RecalledConversation,
): Promise<ToolOutcome> {
  const stored = await store.readMessages([id]);
  const [found] = stored.ok ? stored.value : [];
  if (found === undefined) return { outcome: "error", text: "The message could not be read." };
  const text = searchText(found.message);
  const end = Math.min(text.length, offset + PAGE_CHARS);
  const rest = text.length - end;
  const more = rest > 0 ? `\n\n[${String(rest)} more characters: go on with "offset": ${String(end)}]` : "";
  return { outcome: "ok", text: `${headOf(found)}\n${text.slice(offset, end)}${more}` };
}

/** "[message 118](#message-118), you, 2026-11-12 10:15 UTC:" */
function headOf({ entry: { id, role, createdAtMs, batch } }: StoredMessage): string {
  const name = `message ${String(id)}`;
  const speaker = role === "user" ? (batch === undefined ? "the user" : "a tool") : "you";
  const date = new Date(createdAtMs);
  const time = Number.isNaN(date.getTime()) ? [] : [`${date.toISOString().slice(0, 16).replace("T", " ")} UTC`];
  return `${[`[${name}](#message-${String(id)})`, speaker, ...time].join(", ")}:`;
}
