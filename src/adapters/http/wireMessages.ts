/** What all providers' encoders share: how a conversation is put where a wire format has no place of its own for something. */

import { tryParseJson } from "../../core/json.ts";
import type { ToolDefinition } from "../../core/context/request/requestOverhead.ts";
import { textMessage, textOf, type AttachmentPart, type Message } from "../../core/message.ts";
import { withWireCallIds, type CallIdRule } from "./callIds.ts";

/**
 * A message of the application (a summary of what came before) as words of the user, for wires that have no system
 * message in mid-conversation. Framed as a record, so that nothing in it is taken for a new order.
 */
export function recordText(text: string): string {
  return `[Record kept by the application, not a new request]\n${text}\n[End of record]`;
}

/** A file, selection or diff as text. */
export function attachmentText(part: AttachmentPart): string {
  return `<attachment name=${JSON.stringify(part.label)}>\n${part.text}\n</attachment>`;
}

/** Stands for a picture where a wire cannot carry one. */
export function imageText(mediaType: string): string {
  return `[A picture of type ${mediaType} that cannot be sent to this model]`;
}

/**
 * The input of a tool call as the object that most wires want. What the model wrote is never replaced by an empty one:
 * where it is no object, or was cut in the middle, it travels as it is under `incompleteInput`.
 */
export function callInput(inputJson: string): object {
  return parsedObject(inputJson) ?? { incompleteInput: inputJson };
}

/**
 * The same as text, for wires that carry it so: what the model wrote where it is a whole object. Servers with a template of
 * their own parse it, so what was cut in the middle must not reach them as it is.
 */
export function callArguments(inputJson: string): string {
  return parsedObject(inputJson) === undefined ? JSON.stringify(callInput(inputJson)) : inputJson;
}

/**
 * The schema of a tool's input as an object, whole enough for every service: OpenAI refuses a request for one tool whose
 * schema names no properties, or a list without its items; both may be left out in a schema of another extension's.
 */
export function schemaObject(tool: ToolDefinition): Record<string, unknown> {
  const whole = Object.entries({ type: "object", properties: {}, ...parsedObject(tool.inputSchemaJson) });
  return Object.fromEntries(whole.flatMap(([name, value]) => (name === "$schema" ? [] : [[name, withItems(value)]])));
}

function withItems(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withItems);
  if (typeof schema !== "object" || schema === null) return schema;
  const fields = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withItems(value)]));
  const isList = fields["type"] === "array" && fields["items"] === undefined && fields["prefixItems"] === undefined;
  return isList ? { ...fields, items: {} } : fields;
}

function parsedObject(json: string): object | undefined {
  const value = tryParseJson(json);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Ends a request that would otherwise end with the model's own words, which most services refuse. */
export const CONTINUE_TEXT = "Go on exactly where your answer above stops. Do not repeat any of it.";

/** Begins a request whose first message would otherwise be the model's own. */
export const EARLIER_TEXT = "[The conversation began earlier; what came before is not included.]";

/** Joins neighbours of the same role. The order of everything stays; `merge` makes one of two. */
export function joinSameRole<M extends { readonly role: string }>(
  messages: readonly M[],
  merge: (first: M, second: M) => M,
): readonly M[] {
  const joined: M[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === message.role) joined[joined.length - 1] = merge(last, message);
    else joined.push(message);
  }
  return joined;
}

/**
 * The messages in turns, the user's last: neighbours of a role are joined, and what `says` nothing goes first, for only
 * then its neighbours are that. Call ids are those of the wire.
 */
export function turnsOf(
  messages: readonly Message[],
  says: (message: Message) => boolean,
  callIds?: CallIdRule,
): readonly Message[] {
  const said = withWireCallIds(messages, callIds).filter(says);
  const turns = joinSameRole(said, (first, second) => ({ ...first, parts: [...first.parts, ...second.parts] }));
  return [
    ...(turns.at(0)?.role === "assistant" ? [textMessage("user", EARLIER_TEXT)] : []),
    ...turns,
    ...(turns.at(-1)?.role === "assistant" ? [textMessage("user", CONTINUE_TEXT)] : []),
  ];
}

/** The same for wires that know only the roles of user and assistant: summaries are the user's record. */
export function strictTurnsOf(
  messages: readonly Message[],
  says: (message: Message) => boolean,
  callIds?: CallIdRule,
): readonly Message[] {
  return turnsOf(messages.map(asRecord), says, callIds);
}

function asRecord(message: Message): Message {
  return message.role === "system" ? textMessage("user", recordText(textOf(message))) : message;
}
