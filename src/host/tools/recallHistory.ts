/**
 * `recall_history`: searches the earlier messages of this conversation, or reads one. Everything that no longer fits
 * the model's window stays reachable this way. Reads nothing but the conversation itself.
 */

import { placeBefore } from "../../core/cutText.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import { storedWithoutExcluded } from "../../core/history/exclusion.ts";
import { messageId, type MessageId, messageNumber, messageIdOfNumber } from "../../core/ids.ts";
import type { StoredMessage } from "../../core/message.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { searchText } from "../../core/search/searchText.ts";
import type { Tool, ToolOutcome } from "../../core/tools/tool.ts";
import { findMessages, type RecalledConversation } from "./recall/findMessages.ts";
import { localize } from "../../protocol/localize.ts";

/** The tool's name; excerpts of long results refer the model to it. */
export const RECALL_HISTORY = "recall_history";

/** Characters of a message in one result; `offset` reads on. */
const PAGE_CHARS = 16_000;

const DESCRIPTION = `Finds earlier messages of this conversation, also those that are only summarized or no longer sent to \
you. Give "query" to search by words or by a whole question; what has the rarer words, in any of \
their forms, comes first, and what you quote before that. Give "message" to read one message by its \
number; when it is long, go on with "offset". Name a message to the user as a link: [message 12](#message-12).`;

const SCHEMA = {
  type: "object",
  properties: {
    query: { type: "string", description: "A question, or words to look for: names, paths, errors, decisions." },
    message: {
      type: "integer",
      minimum: 1,
      description: "The number of a message to read whole; the first is 1.",
    },
    offset: { type: "integer", minimum: 0, description: "With message: the character to begin at. 0 by default." },
  },
  additionalProperties: false,
} as const;

/** The model that gets the result. */
export interface RecallReader {
  /** How it should name a message. */
  readonly nameOf: (id: MessageId) => string;
  /** Who answered in the conversation, from its point of view. */
  readonly assistantName: string;
  /**
   * For a model that calls within the newest turn: the messages that its request holds as they are. Those of the turn
   * need not be found. Absent for a reader outside of the conversation.
   */
  readonly sentWhole?: () => ReadonlySet<MessageId>;
}

/** The model that answers in the conversation; the chat makes links of these names. */
const OWN_MODEL = {
  nameOf: (id) => `[message ${messageNumber(id)}](#message-${messageNumber(id)})`,
  assistantName: "you",
} satisfies RecallReader;

export function recallHistory(conversation: RecalledConversation & Required<Pick<RecallReader, "sentWhole">>): Tool {
  const reader = { ...OWN_MODEL, sentWhole: () => conversation.sentWhole() };
  return {
    effect: "reads",
    definition: { name: RECALL_HISTORY, description: DESCRIPTION, inputSchemaJson: JSON.stringify(SCHEMA) },
    describe: (inputJson) => {
      const request = parseRecallRequest(JSON.parse(inputJson));
      const isThere = request.ok ? checked(request.value, conversation.history) : request;
      return Promise.resolve(isThere.ok ? ok({ title: titleOf(isThere.value), detail: "" }) : isThere);
    },
    run: async (inputJson) => {
      const request = parseRecallRequest(JSON.parse(inputJson));
      if (!request.ok) return { outcome: "error", text: request.error };
      return recall(request.value, conversation, reader);
    },
  };
}

export async function recall(
  asked: RecallRequest,
  conversation: RecalledConversation,
  reader: RecallReader,
): Promise<ToolOutcome> {
  const request = checked(asked, conversation.history);
  if (!request.ok) return { outcome: "error", text: request.error };
  return request.value.kind === "search"
    ? search(request.value.query, conversation, reader)
    : readOne(request.value, conversation, reader);
}

/** A search by words, or one message from an offset in characters on. */
export type RecallRequest =
  | { readonly kind: "search"; readonly query: string }
  | { readonly kind: "read"; readonly id: MessageId; readonly offset: number };

/** Validates an input of the tool's schema, but not whether the message exists. */
export function parseRecallRequest(input: unknown): Result<RecallRequest, string> {
  const field = (name: string): unknown =>
    typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined;
  const [query, message, offset = 0] = ["query", "message", "offset"].map(field);
  if (isNatural(message) && message > 0 && isNatural(offset)) {
    return ok({ kind: "read", id: messageIdOfNumber(message), offset });
  }
  if (typeof query === "string" && query.trim() !== "") return ok({ kind: "search", query: query.trim() });
  return err('Give "query" with some words, or "message" with a number of 1 or more.');
}

/** Fails where the history has no such message. */
function checked(request: RecallRequest, { length }: FullHistory): Result<RecallRequest, string> {
  if (request.kind === "search" || request.id < length) return ok(request);
  return err(`There is no message ${messageNumber(request.id)}: the newest is ${length}.`);
}

function isNatural(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function titleOf(request: RecallRequest): string {
  return request.kind === "search"
    ? localize("Search history: {0}", request.query)
    : localize("Read message {0}", messageNumber(request.id));
}

async function search(query: string, conversation: RecalledConversation, reader: RecallReader): Promise<ToolOutcome> {
  const turn = conversation.history.entries.at(-1)?.turn ?? messageId(0);
  const sentWhole = reader.sentWhole?.();
  const known = new Set([...(sentWhole ?? [])].filter((id) => id >= turn));
  const searched = await findMessages({ query, known }, conversation);
  if (!searched.ok) return { outcome: "error", text: searched.error };
  const { found, haveAllWords } = searched.value;
  const besides = sentWhole === undefined ? "" : " beyond what you are sent of this turn";
  if (found.length === 0) return { outcome: "ok", text: `Nothing of that was said${besides}. Try other words.` };
  const isOfTurn = ({ entry }: StoredMessage): boolean => sentWhole !== undefined && entry.id >= turn;
  const lines = found.map(({ stored, excerpt }) => `${headOf(stored, reader, isOfTurn(stored))}\n${excerpt}`);
  const count = found.length === 1 ? "1 message" : `${String(found.length)} messages`;
  const how = haveAllWords ? "" : " None of these has all of the words.";
  return { outcome: "ok", text: [`${count} found.${how}`, ...lines].join("\n\n") };
}

async function readOne(
  { id, offset }: Extract<RecallRequest, { kind: "read" }>,
  { store, history }: RecalledConversation,
  reader: RecallReader,
): Promise<ToolOutcome> {
  const stored = await store.readMessages([id]);
  const [whole] = stored.ok ? stored.value : [];
  if (whole === undefined) return { outcome: "error", text: "The message could not be read." };
  const found = storedWithoutExcluded(whole, history.entry(id));
  const text = searchText(found.message);
  const start = placeBefore(text, offset);
  const end = placeBefore(text, start + PAGE_CHARS);
  const rest = text.length - end;
  const more = rest > 0 ? `\n\n[${String(rest)} more characters: go on with "offset": ${String(end)}]` : "";
  return { outcome: "ok", text: `${headOf(found, reader)}\n${text.slice(start, end)}${more}` };
}

/** "[message 118](#message-118), you, 2026-11-12 10:15 UTC:" */
function headOf(
  { entry: { id, role, createdAtMs, batch } }: StoredMessage,
  reader: RecallReader,
  isOfTurn = false,
): string {
  const speaker = role === "user" ? (batch === undefined ? "the user" : "a tool") : reader.assistantName;
  const date = new Date(createdAtMs);
  const time = Number.isNaN(date.getTime()) ? [] : [`${date.toISOString().slice(0, 16).replace("T", " ")} UTC`];
  const turn = isOfTurn ? ["this turn"] : [];
  return `${[reader.nameOf(id), speaker, ...time, ...turn].join(", ")}:`;
}
