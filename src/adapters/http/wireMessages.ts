/** Shared by all encoders: conversation content for which a wire format has no place of its own. */

import { parseShallowJson } from "../../core/json.ts";
import type { ToolDefinition } from "../../core/context/request/requestOverhead.ts";
import { textMessage, textOf, type AttachmentPart, type Message } from "../../core/message.ts";
import { withWireCallIds, type CallIdRule } from "./callIds.ts";

/**
 * An application message (a summary) as user text, for wires without system messages in mid-conversation. Framed as a
 * record, so that the model does not take its content for a new instruction.
 */
export function recordText(text: string): string {
  return `[Record kept by the application, not a new request]\n${text}\n[End of record]`;
}

export function attachmentText(part: AttachmentPart): string {
  return `<attachment name=${JSON.stringify(part.label)}>\n${part.text}\n</attachment>`;
}

/**
 * Input of a tool call as an object. What the model wrote is never replaced by an empty object: if it is not an object,
 * or was cut off, it is sent unchanged under `incompleteInput`.
 */
export function callInputObject(inputJson: string): object {
  return parsedObject(inputJson) ?? { incompleteInput: inputJson };
}

/** Input of a tool call as JSON text. Servers with chat templates parse it, so it is always a complete object. */
export function callInputJson(inputJson: string): string {
  return parsedObject(inputJson) === undefined ? JSON.stringify(callInputObject(inputJson)) : inputJson;
}

/**
 * JSON Schema of a tool's input, completed: OpenAI refuses the request if a schema has no properties or an array no
 * items, and schemas of other extensions may omit both.
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
  const parsed = parseShallowJson(json);
  if (!parsed.ok) return undefined;
  const { value } = parsed;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

/** Ends a request that would end with the model's own text, which most services refuse. */
export const CONTINUE_TEXT = "Go on exactly where your answer above stops. Do not repeat any of it.";

/** Begins a request whose first message would be the model's. */
export const EARLIER_TEXT = "[The conversation began earlier; what came before is not included.]";

/** Ends an exported request whose last message would be the model's. */
export const ENDED_TEXT = "[The conversation ends here. Write your next message in the place of this one.]";

/** Merges consecutive messages of the same role; keeps the order. */
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

export interface TurnRules {
  readonly callIds?: CallIdRule;
  /** The answer at the end is sent as it is, to be continued. */
  readonly givesLast?: boolean;
}

/** Alternating turns, the user's last. Removes messages without content first: their neighbours may merge. */
export function alternatingTurns(
  messages: readonly Message[],
  hasContent: (message: Message) => boolean,
  { callIds, givesLast = false }: TurnRules = {},
): readonly Message[] {
  const nonEmpty = withWireCallIds(messages, callIds).filter(hasContent);
  const turns = joinSameRole(nonEmpty, (first, second) => ({ ...first, parts: [...first.parts, ...second.parts] }));
  return [
    ...(turns.at(0)?.role === "assistant" ? [textMessage("user", EARLIER_TEXT)] : []),
    ...(givesLast ? turns.with(-1, givenLast(turns.at(-1))) : turns),
    ...(turns.at(-1)?.role === "assistant" && !givesLast ? [textMessage("user", CONTINUE_TEXT)] : []),
  ];
}

/**
 * An answer to be continued, without white space at its end: Anthropic refuses it, and models go on worse after it, since
 * their next word begins with it.
 */
export function givenLast(answer: Message | undefined): Message {
  const text = answer === undefined ? "" : textOf(answer).trimEnd();
  return textMessage("assistant", text);
}

/** For wires with only the roles user and assistant: summaries become records of the user's. */
export function strictAlternatingTurns(
  messages: readonly Message[],
  hasContent: (message: Message) => boolean,
  rules?: TurnRules,
): readonly Message[] {
  return alternatingTurns(messages.map(asRecord), hasContent, rules);
}

function asRecord(message: Message): Message {
  return message.role === "system" ? textMessage("user", recordText(textOf(message))) : message;
}
