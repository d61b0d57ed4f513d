/** Branded ids: they can only be made by the functions here, so an id is never a mere number. */

declare const brand: unique symbol;
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Position of a message in its conversation: 0, 1, 2, …; proof that the message is, or is about to be, in the history. */
export type MessageId = Brand<number, "MessageId">;
/** Position of a summary in its conversation: 0, 1, 2, …. */
export type SummaryId = Brand<number, "SummaryId">;
/** A conversation; a lower-case UUID, which is also the name of its folder. */
export type ConversationId = Brand<string, "ConversationId">;
/** One answer being streamed; makes recovery idempotent and names the row until its message has an id. `step_` + UUID. */
export type StepId = Brand<string, "StepId">;
/** A tool call as the provider named it. Unique only within its assistant message. */
export type ToolCallId = Brand<string, "ToolCallId">;
/** The name of a model as its provider spells it. */
export type ModelId = Brand<string, "ModelId">;

/** Throws on anything but a non-negative integer, which would be a bug. */
export function messageId(value: number): MessageId {
  return natural(value, "message id") as MessageId;
}

/** The number by which readers and models name message `id`: the first is 1. */
export function messageNumber(id: number): number {
  return id + 1;
}

/** Inverse of {@link messageNumber}; throws below 1, which would be a bug. */
export function messageIdOfNumber(number: number): MessageId {
  return messageId(number - 1);
}

/** Throws on anything but a non-negative integer, which would be a bug. */
export function summaryId(value: number): SummaryId {
  return natural(value, "summary id") as SummaryId;
}

/** `undefined` unless it is a lower-case UUID. */
export function parseConversationId(value: string): ConversationId | undefined {
  return UUID.test(value) ? (value as ConversationId) : undefined;
}

/** `undefined` when malformed. */
export function parseStepId(value: string): StepId | undefined {
  return STEP.test(value) ? (value as StepId) : undefined;
}

/** From a fresh UUID. */
export function stepId(uuid: string): StepId {
  return `step_${uuid}` as StepId;
}

/** From the provider's own id. */
export function toolCallId(value: string): ToolCallId {
  return value as ToolCallId;
}

/** The first of `base`, `base_2`, … that is not in `used`, to which it is added: services repeat ids of calls. */
export function unusedCallId(base: string, used: Set<string>): ToolCallId {
  let id = toolCallId(base);
  for (let copy = 2; used.has(id); copy++) id = toolCallId(`${base}_${String(copy)}`);
  used.add(id);
  return id;
}

/** Any non-empty string is a model name: providers add new ones every week. */
export function modelId(value: string): ModelId {
  return value as ModelId;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const STEP = /^step_[0-9a-f-]{36}$/;

function natural(value: number, what: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${what} must be 0, 1, 2, …: ${value}`);
  return value;
}

/** Fresh UUIDs, lower case. */
export type NewUuid = () => string;
