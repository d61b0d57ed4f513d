/**
 * `recall_history`: searches the earlier messages of this conversation, or reads one. Everything that no longer fits
 * the model's window stays reachable this way. With the user's permission also those of their other conversations.
 */

import { placeBefore } from "../../core/cutText.ts";
import type { FullHistory } from "../../core/history/fullHistory.ts";
import { messageHeading, OWN_MODEL, type HeadingReader } from "../../core/history/messageHeading.ts";
import { storedWithoutExcluded } from "../../core/history/exclusion.ts";
import { isSentWhole, type SentAs } from "../../core/history/sentAs.ts";
import { type ConversationId, messageId, type MessageId, messageNumber, messageIdOfNumber } from "../../core/ids.ts";
import type { StoredMessage } from "../../core/message.ts";
import { err, ok, type Result } from "../../core/result.ts";
import { searchText } from "../../core/search/searchText.ts";
import type { Tool, ToolCallView, ToolOutcome } from "../../core/tools/tool.ts";
import { localize } from "../../protocol/localize.ts";
import { findMessages, type RecalledConversation } from "./recall/findMessages.ts";
import {
  faultOutcome,
  foundText,
  readText,
  type ElsewhereScope,
  type OtherConversations,
} from "./recall/otherConversations.ts";

/** The tool's name; excerpts of long results refer the model to it. */
export const RECALL_HISTORY = "recall_history";

/** Characters of a message in one result; `offset` reads on. */
const PAGE_CHARS = 16_000;

const DESCRIPTION = `Finds earlier messages of this conversation, also those that are only summarized or no longer sent to \
you. Give "query" to search by words or by a whole question; what has the rarer words, in any of \
their forms, comes first, and what you quote before that. Give "message" to read one message by its \
number; when it is long, go on with "offset". Name a message to the user as a link: [message 12](#message-12). \
With "scope" a query searches the user's other conversations instead: those about this project, or all; the user is \
asked first, so do that when they speak of what was said elsewhere or before. Results name each message as a link into \
its conversation, to be repeated to the user as it is; to read one whole, give its number as "message", and as \
"conversation" the id in the link.`;

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

/** For a model that answers in the conversation. */
const OWN_SCHEMA = {
  ...SCHEMA,
  properties: {
    ...SCHEMA.properties,
    scope: {
      enum: ["conversation", "project", "all"],
      description: 'With query: where to look. "conversation", this one, by default.',
    },
    conversation: {
      type: "string",
      description: "With message: the id of another conversation, as a result named it.",
    },
  },
} as const;

/** Name by which the user's answer is stored whether models may look into other conversations. */
export const RECALL_ELSEWHERE = "recall_elsewhere";

/** The model that gets the result. */
export interface RecallReader extends HeadingReader {
  /**
   * For a model that calls within the newest turn: what its request has of a message. Those of the turn that it has as
   * they are need not be found. Absent for a reader outside of the conversation.
   */
  readonly sentAs?: (id: MessageId) => SentAs;
  /** True of messages of which its request has a passage beside a question. */
  readonly isRecalled?: (id: MessageId) => boolean;
}

export interface RecallingConversation
  extends RecalledConversation, Required<Pick<RecallReader, "sentAs" | "isRecalled">> {
  readonly id: ConversationId;
}

export function recallHistory(conversation: RecallingConversation, others: OtherConversations): Tool {
  const reader = { ...OWN_MODEL, sentAs: conversation.sentAs, isRecalled: conversation.isRecalled };
  const parse = (inputJson: string): Result<OwnRequest, string> => {
    const request = parseOwnRequest(JSON.parse(inputJson), conversation.id);
    if (!request.ok || request.value.kind !== "own") return request;
    const isThere = checked(request.value.request, conversation.history);
    return isThere.ok ? request : isThere;
  };
  return {
    effect: "reads",
    permission: RECALL_ELSEWHERE,
    definition: { name: RECALL_HISTORY, description: DESCRIPTION, inputSchemaJson: JSON.stringify(OWN_SCHEMA) },
    describe: (inputJson) => {
      const request = parse(inputJson);
      return Promise.resolve(request.ok ? ok(viewOf(request.value)) : request);
    },
    run: async (inputJson, cancel) => {
      const parsed = parse(inputJson);
      if (!parsed.ok) return { outcome: "error", text: parsed.error };
      const request = parsed.value;
      if (request.kind === "own") return recall(request.request, conversation, reader);
      if (request.kind === "search") {
        const found = await others.search(request.query, request.scope, cancel);
        return found.ok ? foundText(found.value) : faultOutcome(found.error);
      }
      const read = await others.read(request.conversation, request.id, cancel);
      return read.ok ? readText(read.value, request.offset) : faultOutcome(read.error);
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

/** In the conversation itself, or in others. */
type OwnRequest =
  | { readonly kind: "own"; readonly request: RecallRequest }
  | { readonly kind: "search"; readonly query: string; readonly scope: ElsewhereScope }
  | { readonly kind: "read"; readonly conversation: string; readonly id: MessageId; readonly offset: number };

function parseOwnRequest(input: unknown, own: ConversationId): Result<OwnRequest, string> {
  const parsed = parseRecallRequest(input);
  if (!parsed.ok) return parsed;
  const request = parsed.value;
  const field = (name: string): unknown =>
    typeof input === "object" && input !== null ? Reflect.get(input, name) : undefined;
  if (request.kind === "read") {
    const conversation = field("conversation") ?? "";
    if (typeof conversation !== "string") return err('"conversation" is the id of a conversation.');
    const isOwn = conversation === "" || conversation === own;
    return ok(isOwn ? { kind: "own", request } : { ...request, conversation });
  }
  const scope = field("scope") ?? "conversation";
  if (scope === "conversation") return ok({ kind: "own", request });
  if (scope !== "project" && scope !== "all") return err('"scope" is "conversation", "project" or "all".');
  return ok({ ...request, scope });
}

/** Fails where the history has no such message. */
function checked(request: RecallRequest, { length }: FullHistory): Result<RecallRequest, string> {
  if (request.kind === "search" || request.id < length) return ok(request);
  return err(`There is no message ${messageNumber(request.id)}: the newest is ${length}.`);
}

function isNatural(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function viewOf(request: OwnRequest): ToolCallView {
  if (request.kind === "own") {
    const { request: own } = request;
    const title =
      own.kind === "search"
        ? localize("Search history: {0}", own.query)
        : localize("Read message {0}", messageNumber(own.id));
    return { title, detail: "" };
  }
  const care = localize(
    "Keys and passwords that Forge recognizes are taken out. You see where it came from, and can leave conversations out.",
  );
  const elsewhere = { look: "words", needsPermission: true } as const;
  if (request.kind === "read") {
    const detail = localize("The model would get the text of that message.");
    const title = localize("Read message {0} of another conversation", messageNumber(request.id));
    return { title, detail: `${detail} ${care}`, ...elsewhere };
  }
  const detail = localize("The model would get up to ten passages of your other conversations.");
  const title =
    request.scope === "project"
      ? localize("Search the other conversations of this project: {0}", request.query)
      : localize("Search all other conversations: {0}", request.query);
  return { title, detail: `${detail} ${care}`, ...elsewhere };
}

async function search(query: string, conversation: RecalledConversation, reader: RecallReader): Promise<ToolOutcome> {
  const { entries } = conversation.history;
  const turn = entries.at(-1)?.turn ?? messageId(0);
  const { sentAs } = reader;
  const ofTurn = sentAs === undefined ? [] : entries.slice(turn).filter(({ id }) => isSentWhole(sentAs(id)));
  const known = new Set(ofTurn.map(({ id }) => id));
  const searched = await findMessages({ query, known }, conversation);
  if (!searched.ok) return { outcome: "error", text: searched.error };
  const { found, haveAllWords } = searched.value;
  const besides = sentAs === undefined ? "" : " beyond what you are sent of this turn";
  if (found.length === 0) return { outcome: "ok", text: `Nothing of that was said${besides}. Try other words.` };
  const notesOf = ({ entry: { id } }: StoredMessage): readonly string[] => [
    ...(sentAs !== undefined && id >= turn ? ["this turn"] : []),
    ...(reader.isRecalled?.(id) === true ? ["a passage of it stands beside a question"] : []),
  ];
  const lines = found.map(({ stored, excerpt }) => {
    return `${messageHeading(stored.entry, reader, notesOf(stored))}\n${excerpt}`;
  });
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
  return { outcome: "ok", text: `${messageHeading(found.entry, reader)}\n${text.slice(start, end)}${more}` };
}
